/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bin-packing and spreading; see the rules in binpack.c. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

static const struct core_placing rows[] = {
    {"binpack", {"....", "..##", "...#"}, 1, {.devices = 2}, "%0@1[0x03]"},
    {"binpack", {"...#", "5...", "...."}, 1, {.devices = 1, .device_milli = 300}, "%0@1[0x01]"},
    {"binpack",
     {"55..", "5.##", "...."},
     1,
     {.devices = 1, .device_milli = 300},
     "%0@1[0x01]"}, /* fewest free */
    {"binpack",
     {"55..", "9.##", "...."},
     1,
     {.devices = 2, .device_milli = 500},
     "%0@0[0x03]"}, /* both shared */
    {"binpack", {"....", "", "####"}, 1, {.cpu_milli = 100}, "%0@1[0x00]"},
    {"binpack", {"....", "...."}, 2, {.devices = 1, .cpu_milli = 100}, "%0@0[0x01] %1@0[0x02]"},
    {"spread", {"..##", "...#", "...."}, 1, {.devices = 2}, "%0@2[0x03]"},
    {"spread",
     {"....", "........", "...."},
     1,
     {.devices = 2},
     "%0@0[0x03]"}, /* all free: rank decides */
    {"spread", {"........", "....", "...."}, 1, {.devices = 2}, "%0@0[0x03]"},
    {"spread",
     {"......##", "....", "...."},
     1,
     {.devices = 2},
     "%0@1[0x03]"}, /* 6 of 8 against 4 of 4 */
    {"spread", {"......##", "...#", "..##"}, 1, {.devices = 2}, "%0@0[0x03]"}, /* 6/8 = 3/4: rank */
    {"spread",
     {"..#", "....##", "......##"},
     1,
     {.devices = 2},
     "%0@2[0x03]"},                                                 /* 3/4 against 2/3 twice */
    {"spread", {"....##", "..#"}, 1, {.devices = 2}, "%0@0[0x03]"}, /* 4/6 = 2/3: rank */
    {"spread",
     {"....", "....", "...."},
     4,
     {.devices = 1},
     "%0@0[0x01] %1@1[0x01] %2@2[0x01] %3@0[0x02]"},
    {"spread", {"5...", "....", "...."}, 1, {.devices = 1, .device_milli = 300}, "%0@1[0x01]"},
    {"spread", {"", ""}, 3, {.cpu_milli = 40000}, "%0@0[0x00] %1@1[0x00] %2@0[0x00]"},
};

START_TEST(tasks_go_where_they_should)
{
    core_places(&rows[_i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("binpack");
    TCase *tcase = tcase_create("binpack");
    tcase_add_loop_test(tcase, tasks_go_where_they_should, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
