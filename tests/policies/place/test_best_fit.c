/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Best fit and consolidated: the fewest free devices that fit; shares on shared devices first. */
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
    {"best-fit",     {"....", "..##", "...#"}, 1, {.devices = 2},                      "%0@1[0x03]"                      },
    {"best-fit",     {"....", "..##", "...#"}, 1, {.devices = 3},                      "%0@2[0x07]"                      },
    {"best-fit",     {"....", "...#", "...#"}, 1, {.devices = 3},                      "%0@1[0x07]"                      },
    {"best-fit",     {"....", "..##", "...#"}, 3, {.devices = 2},                      "%0@1[0x03] %1@2[0x03] %2@0[0x03]"},
    {"best-fit",     {"...#", "5...", "...."}, 1, {.devices = 1, .device_milli = 300}, "%0@1[0x01]"                      },
    {"best-fit",
     {"5...", "55##", "6###"},
     1,                                           {.devices = 1, .device_milli = 300},
     "%0@2[0x01]"                                                                                                        }, /* the least left in all */
    {"best-fit",     {"5...", "3333", "...."}, 1, {.devices = 1, .device_milli = 400}, "%0@0[0x01]"                      },
    {"best-fit",
     {"....", "2.##", "...."},
     1,                                           {.devices = 1, .device_milli = 300},
     "%0@1[0x02]"                                                                                                        }, /* breaks one there */
    {"best-fit",     {"7953", "...."},         1, {.devices = 1, .device_milli = 500}, "%0@0[0x04]"                      }, /* the fullest */
    {"best-fit",     {"5...", "66##", "...."}, 1, {.devices = 2, .device_milli = 500}, "%0@1[0x03]"                      },
    {"best-fit",     {"....", "####", "...#"}, 1, {.cpu_milli = 100},                  "%0@1[0x00]"                      },
    {"consolidated", {"....", "..##", "...#"}, 1, {.devices = 2},                      "%0@1[0x03]"                      },
    {"consolidated", {"...#", "....", "...."}, 2, {.devices = 4},                      "%0@1[0x0f] %1@2[0x0f]"           },
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
    Suite *suite = suite_create("best_fit");
    TCase *tcase = tcase_create("best_fit");
    tcase_add_loop_test(tcase, tasks_go_where_they_should, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
