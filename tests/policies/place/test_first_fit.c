/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First fit: the lowest rank that fits. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <stdio.h>

/* Nodes as core_node_left() reads them, by rank; a job of equal tasks; where they go ("task@node[devices]"). */
static const struct {
    const char *placement, *nodes[4];
    int32_t tasks;
    struct policy_request request;
    const char *expected;
} rows[] = {
    {"first-fit", {"####", "..##", "...."}, 1, {.devices = 2},                      "%0@1[0x03]"           },
    {"first-fit", {"####", "..##", "...."}, 2, {.devices = 2},                      "%0@1[0x03] %1@2[0x03]"},
    {"first-fit", {"#.#.", "....", "...."}, 1, {.devices = 2},                      "%0@0[0x0a]"           },
    {"first-fit", {"#.#.", "....", "...."}, 1, {.devices = 3},                      "%0@1[0x07]"           },
    {"first-fit", {"....", "5###"},         1, {.devices = 1, .device_milli = 300}, "%0@0[0x01]"           },
    {"first-fit", {"#3##", "5..."},         1, {.devices = 1, .device_milli = 400}, "%0@1[0x01]"           },
    {"first-fit", {"####", "...."},         1, {.cpu_milli = 100},                  "%0@0[0x00]"           },
    {"first-fit", {"####", "...."},         2, {.devices = 3},                      ""                     },
};

START_TEST(tasks_go_where_they_should)
{
    struct tally tally = {0};
    char options[64];
    (void)snprintf(options, sizeof options, "placement=%s", rows[_i].placement);
    struct policy *p = core_create(&tally, "fifo", options);
    policy_queue q = core_queue(p, NULL, 0);
    for (uint32_t i = 0; i < 4 && rows[_i].nodes[i] != NULL; i++) {
        struct policy_node_spec spec = core_node_spec(i, 0);
        spec.cpu_milli = 100000; /* no node has more CPU than another unless a task takes it */
        core_node_left(p, q, spec, rows[_i].nodes[i]);
    }
    policy_job job = core_submit(p, 0, q, 1, rows[_i].tasks, rows[_i].request);
    char text[256];
    char expected[256];
    size_t used = 0;
    expected[0] = '\0';
    for (const char *c = rows[_i].expected; *c != '\0'; c++) { /* "%" stands for the job */
        int n = *c == '%' ? snprintf(expected + used, sizeof expected - used, "%u:", job.i)
                          : snprintf(expected + used, sizeof expected - used, "%c", *c);
        used += (size_t)n;
    }
    ck_assert_str_eq(core_decisions(p, 0, text, sizeof text), expected);
    core_destroy(p, &tally);
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
