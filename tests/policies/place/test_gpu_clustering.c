/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GpuClustering of the FGD paper: a first job puts tasks on nodes of 8 devices; where does the next
 * one go? Hand-calculated scores are next to each row: base is 25 (8000 - R) / 8000, plus 75 among
 * its own kind, 50 in mixed company, 25 where no task has devices, 0 among others.
 */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

/* Running tasks of each node: 's' a share of a half (two to a device), '1', '2', '4' whole devices,
 * 'c' CPU alone. */
static const struct {
    const char *nodes[3];
    struct policy_request request;
    uint32_t node;
} rows[] = {
    {{"", "s", "1"}, {.devices = 1, .device_milli = 300}, 1}, /* 25, 75 + 1, 3 */
    {{"", "s", "1"}, {.devices = 1}, 2},                      /* 25, 1, 75 + 3 */
    {{"", "s", "1"}, {.devices = 2}, 0},                      /* 25, 1, 3 */
    {{"11", "12", "1"}, {.devices = 1}, 0},                   /* 75 + 6, 50 + 9, 75 + 3 */
    {{"2", "1111", ""}, {.devices = 1}, 1},                   /* 6, 75 + 12 */
    {{"s", "4", "12"}, {.devices = 2}, 2},                    /* 1, 12, 50 + 9 */
    {{"c", "c1", "2"}, {.devices = 4}, 0},    /* 25: CPU alone does not count; 3, 6 */
    {{"11", "1", "11"}, {.devices = 1}, 0},   /* 81, 78, 81: rank */
    {{"1", "4", "s"}, {.cpu_milli = 100}, 0}, /* 0 everywhere */
};

static void run_tasks(struct policy *p, policy_queue q, policy_node node, const char *tasks)
{
    static uint64_t rank = 100;
    uint32_t device = 0;
    for (; *tasks != '\0'; tasks++) {
        int32_t devices = *tasks == 's' || *tasks == 'c' ? *tasks == 's' : *tasks - '0';
        struct policy_request r = {.devices = devices,
                                   .device_milli = *tasks == 's' ? 500 : 0,
                                   .cpu_milli = *tasks == 'c'};
        uint64_t set = ((UINT64_C(1) << devices) - 1) << device;
        policy_job job = core_submit(p, 0, q, rank++, 1, r);
        ck_assert_int_eq(policy_task_running(p, 0, job, 0, node, set, 0), POLICY_OK);
        device += (uint32_t)devices;
    }
}

START_TEST(like_tasks_stand_together)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "gpu-clustering", "");
    policy_queue q = core_queue(p, NULL, 0);
    for (uint32_t i = 0; i < 3; i++)
        run_tasks(p, q, core_node(p, i, 8), rows[_i].nodes[i]);
    core_submit(p, 0, q, 1, 1, rows[_i].request);
    ck_assert_uint_eq(core_decide(p, 0, 1)->node.i, rows[_i].node);
    core_destroy(p, &tally);
}
END_TEST

/* After the last task of a kind has ended, the node is as good as new. */
START_TEST(tasks_that_have_ended_do_not_attract)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "gpu-clustering", "");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    policy_job first = core_submit(p, 0, q, 1, 1, core_devices(1));
    core_decide(p, 0, 1);
    core_node(p, 1, 8);
    policy_job second = core_submit(p, 0, q, 2, 1, core_devices(2));
    ck_assert_uint_eq(core_decide(p, 0, 1)->node.i, 1); /* 3, 25 */
    ck_assert_int_eq(policy_task_ended(p, 1, first, 0, POLICY_SUCCEEDED), POLICY_OK);
    core_submit(p, 1, q, 3, 1, core_devices(1));
    ck_assert_uint_eq(core_decide(p, 1, 1)->node.i, 0); /* 25, 6 */
    ck_assert_int_eq(policy_task_ended(p, 2, second, 0, POLICY_SUCCEEDED), POLICY_OK);
    core_submit(p, 2, q, 4, 1, core_devices(2));
    ck_assert_uint_eq(core_decide(p, 2, 1)->node.i, 1); /* 3, 25 */
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu_clustering");
    TCase *tcase = tcase_create("gpu_clustering");
    tcase_add_loop_test(tcase, like_tasks_stand_together, 0, ROWS(rows));
    tcase_add_test(tcase, tasks_that_have_ended_do_not_attract);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
