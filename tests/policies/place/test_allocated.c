/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scores by allocation: kube-scheduler's integer arithmetic, and the placements for lanes that use
 * it. */
#include "place/allocated.h"
#include "state/engine.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

static const struct {
    int64_t capacity, requested, least, most;
} rows[] = {
    {8000, 1000, 87, 12}, /* 87.5 and 12.5, rounded down */
    {8000, 8000, 0, 100},
    {8000, 0, 100, 0},
    {3, 1, 66, 33},
    {3, 2, 33, 66},
    {1000, 1001, 0, 100}, /* more than there is */
    {PC_PLENTY - 1, (PC_PLENTY - 1) / 2, 50, 50},
};

START_TEST(scores_are_whole_percent)
{
    ck_assert_int_eq(
        pc_allocated_score(POLICY_LEAST_ALLOCATED, rows[_i].capacity, rows[_i].requested),
        rows[_i].least);
    ck_assert_int_eq(
        pc_allocated_score(POLICY_MOST_ALLOCATED, rows[_i].capacity, rows[_i].requested),
        rows[_i].most);
}
END_TEST

static const struct {
    const char *what;
    struct pc_amounts capacity, taken, wants;
    int64_t least, most;
} means[] = {
    {"three resources: (50 + 25 + 0) / 3, (50 + 75 + 100) / 3",
     {{8000, 4000, 100}},
     {{3000, 2000, 50}},
     {{1000, 1000, 50}},
     25,
     75},
    {"rounded down twice: (87 + 66) / 2, (12 + 33) / 2",
     {{8000, 3, 0}},
     {{0, 0, 0}},
     {{1000, 1, 0}},
     76,
     22},
    {"resources that are not requested do not count",
     {{8000, 4000, 100}},
     {{4000, 4000, 100}},
     {{2000, 0, 0}},
     25,
     75},
    {"nor those that are not modelled",
     {{8000, PC_PLENTY, 100}},
     {{4000, 5, 0}},
     {{2000, 500, 0}},
     25,
     75},
    {"nor what the node does not have",
     {{0, 4000, 100}},
     {{0, 1000, 0}},
     {{1000, 1000, 0}},
     50,
     50},
    {"a task without requests scores nothing",
     {{8000, 4000, 100}},
     {{1000, 1000, 50}},
     {{0, 0, 0}},
     0,
     0},
};

START_TEST(the_mean_is_over_what_is_asked_for)
{
    ck_assert_msg(pc_allocated_mean(POLICY_LEAST_ALLOCATED, &means[_i].capacity, &means[_i].taken,
                                    &means[_i].wants) == means[_i].least,
                  "%s", means[_i].what);
    ck_assert_msg(pc_allocated_mean(POLICY_MOST_ALLOCATED, &means[_i].capacity, &means[_i].taken,
                                    &means[_i].wants) == means[_i].most,
                  "%s", means[_i].what);
}
END_TEST

static const struct core_placing places[] = {
    {"least-allocated",
     {"..##", "...#####"},
     1,
     {.devices = 1},
     "%0@0[0x01]"}, /* 25 before 25: the first */
    {"least-allocated", {"..##", "....####"}, 1, {.devices = 1}, "%0@1[0x01]"}, /* 25, 37 */
    {"most-allocated", {"....####", "..##"}, 1, {.devices = 1}, "%0@1[0x01]"},  /* 62, 75 */
    {"most-allocated", {"....", "#..."}, 2, {.devices = 2}, "%0@1[0x06] %1@0[0x03]"},
    {"least-allocated", {"....", "...."}, 3, {.devices = 1}, "%0@0[0x01] %1@1[0x01] %2@0[0x02]"},
    {"most-allocated",
     {"....", ".5##"},
     1,
     {.devices = 1, .device_milli = 500},
     "%0@1[0x02]"}, /* 12, 75 */
};

START_TEST(lines_place_by_it)
{
    core_places(&places[_i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("allocated");
    TCase *tcase = tcase_create("allocated");
    tcase_add_loop_test(tcase, scores_are_whole_percent, 0, ROWS(rows));
    tcase_add_loop_test(tcase, the_mean_is_over_what_is_asked_for, 0, ROWS(means));
    tcase_add_loop_test(tcase, lines_place_by_it, 0, ROWS(places));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
