/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Consolidated gangs: whole nodes from the lowest, the remainder where most devices are free. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <string.h>

static const struct {
    const char *nodes[5];
    int32_t whole_nodes;
    struct policy_request remainder;
    int32_t placed[4]; /* the node of each task; -1 past the last */
} rows[] = {
    {{"....", "....", "....", "...#", "..##"}, 2, {.devices = 2}, {0, 1, 2, -1}},
    {{"....", "....", "..##", "...#", "####"}, 2, {.devices = 2}, {0, 1, 3, -1}},
    {{"..##", "....", "..##", "....", "####"}, 2, {.devices = 2}, {1, 3, 0, -1}},
    {{"..##", "....", "..##", "....", "####"}, 2, {.devices = 3}, {-1}},
    {{"####", "....", "5###", "####", "####"},
     1,
     {.devices = 1, .device_milli = 500},
     {1, 2, -1, 0}},
    {{"####", "....", "5###", "#.##", "####"},
     1,
     {.devices = 1, .device_milli = 500},
     {1, 3, -1, 0}},
};

START_TEST(gangs_take_whole_nodes)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "placement=consolidated");
    policy_queue q = core_queue(p, NULL, 0);
    for (uint32_t i = 0; i < 5; i++)
        core_node_left(p, q, core_node_spec(i, 0), rows[_i].nodes[i]);
    const struct policy_role roles[] = {core_role(rows[_i].whole_nodes, core_devices(4)),
                                        core_role(1, rows[_i].remainder)};
    struct policy_job_spec spec = core_job_spec(q, 1, roles, 2);
    ck_assert_uint_ne(policy_submit(p, 0, &spec).i, POLICY_NO_ID);
    size_t tasks = 0;
    while (tasks < 4 && rows[_i].placed[tasks] >= 0)
        tasks++;
    const struct policy_decision *d = core_decide(p, 0, tasks);
    for (size_t t = 0; t < tasks; t++)
        ck_assert_int_eq(d[t].node.i, rows[_i].placed[t]);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("consolidated");
    TCase *tcase = tcase_create("consolidated");
    tcase_add_loop_test(tcase, gangs_take_whole_nodes, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
