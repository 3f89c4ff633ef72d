/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Best fit and consolidated: the fewest free devices that fit; shares on shared devices first. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

static const struct core_placing rows[] = {
    {"best-fit", {"....", "..##", "...#"}, 1, {.devices = 2}, "%0@1[0x03]"},
    {"best-fit", {"....", "..##", "...#"}, 1, {.devices = 3}, "%0@2[0x07]"},
    {"best-fit", {"....", "...#", "...#"}, 1, {.devices = 3}, "%0@1[0x07]"},
    {"best-fit", {"....", "..##", "...#"}, 3, {.devices = 2}, "%0@1[0x03] %1@2[0x03] %2@0[0x03]"},
    {"best-fit", {"...#", "5...", "...."}, 1, {.devices = 1, .device_milli = 300}, "%0@1[0x01]"},
    {"best-fit",
     {"5...", "55##", "6###"},
     1,
     {.devices = 1, .device_milli = 300},
     "%0@2[0x01]"}, /* the least left in all */
    {"best-fit", {"5...", "3333", "...."}, 1, {.devices = 1, .device_milli = 400}, "%0@0[0x01]"},
    {"best-fit",
     {"....", "2.##", "...."},
     1,
     {.devices = 1, .device_milli = 300},
     "%0@1[0x02]"}, /* breaks up one there */
    {"best-fit",
     {"7953", "...."},
     1,
     {.devices = 1, .device_milli = 500},
     "%0@0[0x04]"}, /* the fullest */
    {"best-fit", {"5...", "66##", "...."}, 1, {.devices = 2, .device_milli = 500}, "%0@1[0x03]"},
    {"best-fit", {"....", "####", "...#"}, 1, {.cpu_milli = 100}, "%0@1[0x00]"},
    {"consolidated", {"....", "..##", "...#"}, 1, {.devices = 2}, "%0@1[0x03]"},
    {"consolidated", {"...#", "....", "...."}, 2, {.devices = 4}, "%0@1[0x0f] %1@2[0x0f]"},
};

START_TEST(tasks_go_where_they_should)
{
    core_places(&rows[_i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("best_fit");
    TCase *tcase = tcase_create("best_fit");
    tcase_add_loop_test(tcase, tasks_go_where_they_should, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
