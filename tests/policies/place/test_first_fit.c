/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First fit: the lowest rank that fits. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

static const struct core_placing rows[] = {
    {"first-fit", {"####", "..##", "...."}, 1, {.devices = 2}, "%0@1[0x03]"},
    {"first-fit", {"####", "..##", "...."}, 2, {.devices = 2}, "%0@1[0x03] %1@2[0x03]"},
    {"first-fit", {"#.#.", "....", "...."}, 1, {.devices = 2}, "%0@0[0x0a]"},
    {"first-fit", {"#.#.", "....", "...."}, 1, {.devices = 3}, "%0@1[0x07]"},
    {"first-fit", {"....", "5###"}, 1, {.devices = 1, .device_milli = 300}, "%0@0[0x01]"},
    {"first-fit", {"#3##", "5..."}, 1, {.devices = 1, .device_milli = 400}, "%0@1[0x01]"},
    {"first-fit", {"####", "...."}, 1, {.cpu_milli = 100}, "%0@0[0x00]"},
    {"first-fit", {"####", "...."}, 2, {.devices = 3}, ""},
};

START_TEST(tasks_go_where_they_should)
{
    core_places(&rows[_i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("first_fit");
    TCase *tcase = tcase_create("first_fit");
    tcase_add_loop_test(tcase, tasks_go_where_they_should, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
