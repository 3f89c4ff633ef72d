/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search against tables of numbers that meet targets: monotone ones, ones with holes, several
 * targets, none at all. */
#include "report/plan/search.h"
#include "tests/lib/harness.h"

#define MOST 64

struct world {
    uint32_t met[MOST + 1];
    int tried[MOST + 1];
    int refuse; /* fails at this number */
    bool together;
};

static bool try_number(void *self, int64_t number, uint32_t *met, struct err *err)
{
    struct world *w = self;
    ck_assert_int_ge(number, 1);
    ck_assert_int_le(number, MOST);
    w->tried[number]++;
    *met = w->met[number];
    return number != w->refuse || err_set(err, EXIT_INPUT, "refused");
}

static struct search_result look(struct world *w, int64_t low, int64_t high, int64_t start,
                                 size_t targets)
{
    struct search search = {low, high, start, targets, w->together, try_number, NULL, w};
    struct search_result result;
    struct err err = {0};
    ck_assert_msg(search_smallest(&search, &result, &err), "%s", err.msg);
    for (int64_t n = 0; n <= MOST; n++)
        ck_assert(w->tried[n] == 0 || (n >= low && n <= high));
    return result;
}

START_TEST(the_smallest_of_a_monotone_world)
{
    for (int64_t need = 1; need <= MOST; need++)
        for (int64_t start = 1; start <= need; start += 5) {
            struct world w = {.refuse = 0};
            for (int64_t n = need; n <= MOST; n++)
                w.met[n] = 1;
            struct search_result r = look(&w, 1, MOST, start, 1);
            ck_assert_int_eq(r.answer, need);
            ck_assert_int_eq(r.above_tried, need < MOST);
            ck_assert_int_eq(r.above_meets, need < MOST);
        }
}
END_TEST

/* 3 and 5, 6, ... meet it, 4 does not: bisection alone ends at 5 (misses 4, meets 5). Graham's list
 * has this property. */
START_TEST(a_hole_below_is_seen)
{
    struct world w = {.refuse = 0};
    for (int64_t n = 3; n <= MOST; n++)
        w.met[n] = n != 4;
    struct search_result r = look(&w, 1, 16, 1, 1);
    ck_assert_int_eq(r.answer, 3);
    ck_assert(r.above_tried && !r.above_meets);
}
END_TEST

START_TEST(nothing_below_the_start_is_left_out)
{
    struct world w = {.refuse = 0};
    for (int64_t n = 5; n <= MOST; n++)
        w.met[n] = 1;
    ck_assert_int_eq(look(&w, 1, MOST, 20, 1).answer, 5);
}
END_TEST

START_TEST(an_answer_meets_all_targets)
{
    struct world w = {.refuse = 0};
    for (int64_t n = 1; n <= MOST; n++)
        w.met[n] = (n >= 7 ? 1u : 0) | (n >= 11 ? 2u : 0) | (n <= 12 ? 4u : 0);
    struct search_result r = look(&w, 1, MOST, 1, 3);
    ck_assert_int_eq(r.answer, 11);
    ck_assert(r.above_meets);
    ck_assert_uint_eq(r.unreachable, 0);
}
END_TEST

START_TEST(targets_may_exclude_each_other)
{
    struct world w = {.refuse = 0};
    for (int64_t n = 1; n <= MOST; n++)
        w.met[n] = (n >= 30 ? 1u : 0) | (n <= 20 ? 2u : 0);
    struct search_result r = look(&w, 1, MOST, 1, 2);
    ck_assert_int_eq(r.answer, 0);
    ck_assert_int_eq(r.conflict, 30);
    ck_assert_uint_eq(r.unreachable, 0);
}
END_TEST

START_TEST(out_of_reach_is_said)
{
    struct world w = {.refuse = 0};
    for (int64_t n = 40; n <= MOST; n++)
        w.met[n] = 3;
    struct search_result r = look(&w, 2, 39, 2, 2);
    ck_assert_int_eq(r.answer, 0);
    ck_assert_uint_eq(r.unreachable, 3);
    ck_assert_int_gt(w.tried[39], 0);
}
END_TEST

/* Each target alone from 7 on, the second one up to 40; both together from 19 on: galloping for
 * both would miss the window. */
START_TEST(all_together_may_need_more)
{
    struct world w = {.together = true};
    for (int64_t n = 1; n <= MOST; n++)
        w.met[n] = (n >= 7 ? 1u : 0) | (n <= 40 ? 2u : 0) | (n >= 19 && n <= 40 ? 4u : 0);
    for (int64_t start = 1; start <= 7; start++)
        ck_assert_int_eq(look(&w, 1, MOST, start, 2).answer, 19);
    for (int64_t n = 1; n <= MOST; n++)
        w.met[n] &= 3u; /* never together */
    struct search_result r = look(&w, 1, MOST, 1, 2);
    ck_assert_int_eq(r.answer, 0);
    ck_assert_int_eq(r.conflict, 7);
    ck_assert_uint_eq(r.unreachable, 0);
}
END_TEST

START_TEST(errors_come_through)
{
    struct world w = {.refuse = 8};
    struct search search = {1, MOST, 1, 1, false, try_number, NULL, &w};
    struct search_result result;
    struct err err = {0};
    ck_assert(!search_smallest(&search, &result, &err));
    ck_assert_str_eq(err.msg, "refused");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("search");
    TCase *tcase = tcase_create("search");
    tcase_add_test(tcase, the_smallest_of_a_monotone_world);
    tcase_add_test(tcase, a_hole_below_is_seen);
    tcase_add_test(tcase, nothing_below_the_start_is_left_out);
    tcase_add_test(tcase, an_answer_meets_all_targets);
    tcase_add_test(tcase, targets_may_exclude_each_other);
    tcase_add_test(tcase, out_of_reach_is_said);
    tcase_add_test(tcase, all_together_may_need_more);
    tcase_add_test(tcase, errors_come_through);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
