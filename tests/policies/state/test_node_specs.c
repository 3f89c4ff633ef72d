/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes and devices that come, go, drain, fail and recover, with tasks on them. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

static const struct {
    const char *what;
    int32_t devices, max_tasks;
    uint32_t type, pool, rank;
    int64_t cpu, mem;
    uint32_t size;
    int status;
} bad[] = {
    {"devices 65", 65, -1, 0, 0, 1, -1, -1, sizeof(struct policy_node_spec), POLICY_INVALID},
    {"devices -1", -1, -1, 0, 0, 1, -1, -1, sizeof(struct policy_node_spec), POLICY_INVALID},
    {"type 64", 8, -1, 64, 0, 1, -1, -1, sizeof(struct policy_node_spec), POLICY_INVALID},
    {"pool 4096", 8, -1, 0, 4096, 1, -1, -1, sizeof(struct policy_node_spec), POLICY_INVALID},
    {"rank too large", 8, -1, 0, 0, 1u << 22, -1, -1, sizeof(struct policy_node_spec),
     POLICY_INVALID},
    {"CPU -2", 8, -1, 0, 0, 1, -2, -1, sizeof(struct policy_node_spec), POLICY_INVALID},
    {"memory -2", 8, -1, 0, 0, 1, -1, -2, sizeof(struct policy_node_spec), POLICY_INVALID},
    {"tasks -2", 8, -2, 0, 0, 1, -1, -1, sizeof(struct policy_node_spec), POLICY_INVALID},
    {"a short struct", 8, -1, 0, 0, 1, -1, -1, 8, POLICY_INVALID},
    {"rank taken", 8, -1, 0, 0, 0, -1, -1, sizeof(struct policy_node_spec), POLICY_CONFLICT},
};

START_TEST(bad_nodes_are_refused)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    core_node(p, 0, 8);
    struct policy_node_spec spec = {
        .size = bad[_i].size,
        .devices = bad[_i].devices,
        .type = bad[_i].type,
        .pool = bad[_i].pool,
        .rank = bad[_i].rank,
        .max_tasks = bad[_i].max_tasks,
        .cpu_milli = bad[_i].cpu,
        .mem_mib = bad[_i].mem,
    };
    ck_assert_uint_eq(policy_add_node(p, 0, &spec).i, POLICY_NO_ID);
    ck_assert_msg(policy_last_error(p)->status == bad[_i].status, "%s: %s", bad[_i].what,
                  policy_last_error(p)->message);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(the_largest_node_and_rank_work)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, (1u << 22) - 1, 64);
    core_node(p, 300000, 64);
    core_submit(p, 0, q, 1, 2, core_devices(64));
    const struct policy_decision *d = core_decide(p, 0, 2);
    ck_assert_uint_eq(d[0].devices, UINT64_MAX);
    ck_assert_uint_eq(d[0].node.i, 1);
    ck_assert_uint_eq(d[1].node.i, 0);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(a_draining_node_finishes_running_jobs)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "blocking=skip");
    policy_queue q = core_queue(p, NULL, 0);
    policy_node n = core_node(p, 0, 8);
    policy_job running = core_submit(p, 0, q, 1, 1, core_devices(4));
    core_decide(p, 0, 1);
    ck_assert_int_eq(policy_set_node_state(p, 1, n, POLICY_NODE_DRAINING), POLICY_OK);
    policy_job waiting = core_submit(p, 1, q, 2, 1, core_devices(2));
    core_decide(p, 2, 0);
    ck_assert_int_eq(core_reason(p, waiting), POLICY_REASON_NODES_DOWN);
    ck_assert_int_eq(policy_remove_node(p, 2, n), POLICY_CONFLICT);
    ck_assert_int_eq(policy_task_ended(p, 3, running, 0, POLICY_SUCCEEDED), POLICY_OK);
    core_decide(p, 3, 0);
    ck_assert_int_eq(policy_set_node_state(p, 4, n, POLICY_NODE_UP), POLICY_OK);
    ck_assert(policy_has_work(p));
    core_decide(p, 4, 1);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(a_node_may_go_down_and_return_with_tasks)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "blocking=skip");
    policy_queue q = core_queue(p, NULL, 0);
    policy_node n = core_node(p, 0, 8);
    policy_job a = core_submit(p, 0, q, 1, 1, core_devices(3));
    policy_job b = core_submit(p, 0, q, 2, 1, core_share(500));
    core_decide(p, 0, 2);
    ck_assert_int_eq(policy_set_node_state(p, 1, n, POLICY_NODE_DOWN), POLICY_OK);
    ck_assert_int_eq(policy_task_ended(p, 1, a, POLICY_ALL_TASKS, POLICY_EVICTED), POLICY_OK);
    core_decide(p, 1, 0); /* pending again, nowhere to go */
    ck_assert_int_eq(policy_set_node_state(p, 2, n, POLICY_NODE_UP), POLICY_OK);
    const struct policy_decision *d = core_decide(p, 2, 1);
    ck_assert_uint_eq(d->job.i, a.i);
    ck_assert_int_eq(policy_task_ended(p, 3, b, 0, POLICY_FAILED), POLICY_OK);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(an_unhealthy_device_takes_nothing_new)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    policy_queue q = core_queue(p, NULL, 0);
    policy_node n = core_node(p, 0, 4);
    policy_job a = core_submit(p, 0, q, 1, 1, core_devices(1));
    core_decide(p, 0, 1); /* device 0 */
    ck_assert_int_eq(policy_set_device_health(p, 1, n, 0, false), POLICY_OK);
    ck_assert_int_eq(policy_set_device_health(p, 1, n, 2, false), POLICY_OK);
    ck_assert_int_eq(policy_set_device_health(p, 1, n, 2, false), POLICY_OK); /* no news */
    ck_assert_int_eq(policy_set_device_health(p, 1, n, 4, false), POLICY_UNKNOWN);
    core_submit(p, 1, q, 2, 1, core_devices(2));
    const struct policy_decision *d = core_decide(p, 1, 1);
    ck_assert_uint_eq(d->devices, 0xa);
    policy_job c = core_submit(p, 1, q, 3, 1, core_devices(1));
    core_decide(p, 1, 0);
    ck_assert_int_eq(core_reason(p, c), POLICY_REASON_NODES_DOWN);
    /* A task that ends on the broken device does not make it usable. */
    ck_assert_int_eq(policy_task_ended(p, 2, a, 0, POLICY_SUCCEEDED), POLICY_OK);
    core_decide(p, 2, 0);
    ck_assert_int_eq(policy_set_device_health(p, 3, n, 0, true), POLICY_OK);
    ck_assert_uint_eq(core_decide(p, 3, 1)->devices, 1);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(a_removed_node_leaves_its_id_and_rank)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    policy_queue q = core_queue(p, NULL, 0);
    policy_node n = core_node(p, 5, 8);
    core_node(p, 6, 4);
    ck_assert_int_eq(policy_remove_node(p, 1, n), POLICY_OK);
    ck_assert_int_eq(policy_remove_node(p, 1, n), POLICY_UNKNOWN);
    ck_assert_int_eq(policy_set_node_state(p, 1, n, POLICY_NODE_UP), POLICY_UNKNOWN);
    policy_job j = core_submit(p, 1, q, 1, 1, core_devices(8));
    core_decide(p, 1, 0);
    ck_assert_int_eq(core_reason(p, j), POLICY_REASON_NEVER_FITS);
    struct policy_node_spec spec = core_node_spec(5, 8);
    ck_assert_uint_eq(policy_add_node(p, 2, &spec).i, n.i);
    core_decide(p, 2, 1); /* jobs that never fitted were checked again */
    core_destroy(p, &tally);
}
END_TEST

START_TEST(jobs_that_never_fit_block_no_other)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "blocking=strict");
    policy_queue q = core_queue(p, NULL, 0);
    policy_node small = core_node(p, 0, 8);
    policy_node big = core_node(p, 1, 16);
    core_submit(p, 0, q, 1, 1, core_devices(16));
    policy_job second = core_submit(p, 0, q, 2, 1, core_devices(16));
    core_decide(p, 0, 1);
    policy_job third = core_submit(p, 0, q, 3, 1, core_devices(1));
    core_decide(p, 1, 0);
    ck_assert_int_eq(core_reason(p, third), POLICY_REASON_BEHIND);
    ck_assert_int_eq(policy_set_node_state(p, 1, big, POLICY_NODE_DOWN), POLICY_OK);
    core_decide(p, 1, 0); /* down is not gone */
    ck_assert_int_eq(policy_task_ended(p, 2, (policy_job){0, 0}, 0, POLICY_SUCCEEDED), POLICY_OK);
    ck_assert_int_eq(policy_remove_node(p, 2, big), POLICY_OK);
    const struct policy_decision *d = core_decide(p, 2, 1);
    ck_assert_uint_eq(d->job.i, third.i);
    ck_assert_uint_eq(d->node.i, small.i);
    ck_assert_int_eq(core_reason(p, second), POLICY_REASON_NEVER_FITS);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("node_facts");
    TCase *tcase = tcase_create("nodes");
    tcase_add_loop_test(tcase, bad_nodes_are_refused, 0, ROWS(bad));
    tcase_add_test(tcase, the_largest_node_and_rank_work);
    tcase_add_test(tcase, a_draining_node_finishes_running_jobs);
    tcase_add_test(tcase, a_node_may_go_down_and_return_with_tasks);
    tcase_add_test(tcase, an_unhealthy_device_takes_nothing_new);
    tcase_add_test(tcase, a_removed_node_leaves_its_id_and_rank);
    tcase_add_test(tcase, jobs_that_never_fit_block_no_other);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
