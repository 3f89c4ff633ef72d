/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decisions written at once: what they say about tasks, and what an eviction leaves behind. */
#include "act/decisions.h"

#include "state/tasks.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

/* Two tasks of two devices and one of 300 thousandths, on nodes of four devices. */
static policy_job gang(struct policy *p, policy_queue q)
{
    const struct policy_role roles[] = {core_role(2, core_devices(2)),
                                        core_role(1, core_share(300))};
    const struct policy_job_spec spec = core_job_spec(q, 1, roles, 2);
    policy_job job = policy_submit(p, 0, &spec);
    core_decide(p, 0, 3);
    return job;
}

START_TEST(a_decision_says_where_and_how_much)
{
    static const int32_t milli[] = {2000, 2000, 300};
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    policy_queue q = core_queue(p, NULL, 0);
    struct policy_node_spec node = core_node_spec(0, 5);
    node.pool = 3;
    policy_node id = policy_add_node(p, 0, &node);
    policy_job job = gang(p, q);
    p->decision_count = 0;
    uint64_t all = 0;
    for (uint32_t task = 0; task < 3; task++) {
        const struct policy_decision *d = pc_decision_about(p, job.i, task);
        ck_assert_uint_eq(d->task, task);
        ck_assert_uint_eq(d->job.i, job.i);
        ck_assert_uint_eq(d->job.gen, job.gen);
        ck_assert_uint_eq(d->for_job.i, POLICY_NO_ID);
        ck_assert_uint_eq(d->node.i, id.i);
        ck_assert_uint_eq(d->pool, 3);
        ck_assert_int_eq(d->gpu_milli, milli[task]);
        ck_assert_uint_eq(all & d->devices, 0);
        all |= d->devices;
    }
    ck_assert_uint_eq(all, 0x1f); /* 2 + 2 + 1 devices, one task each */
    core_destroy(p, &tally);
}
END_TEST

START_TEST(all_tasks_that_run_are_evicted)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 5);
    policy_job job = gang(p, q);
    policy_job other = core_submit(p, 1, q, 2, 1, core_devices(5));
    core_decide(p, 1, 0);
    ck_assert_int_eq(policy_task_releasing(p, 2, job, 1), POLICY_OK); /* it leaves already */
    p->decision_count = 0;
    ck_assert(pc_evict_now(p, job.i, POLICY_PREEMPT, POLICY_REASON_OUTRANKED, other.i));
    ck_assert_uint_eq(p->decision_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_int_eq(p->decisions[i].kind, POLICY_EVICT);
        ck_assert_uint_eq(p->decisions[i].task, i == 0 ? 0 : 2);
        ck_assert_int_eq(p->decisions[i].action, POLICY_PREEMPT);
        ck_assert_int_eq(p->decisions[i].reason, POLICY_REASON_OUTRANKED);
        ck_assert_uint_eq(p->decisions[i].for_job.i, other.i);
    }
    const struct pc_job *j = &p->cluster->jobs[job.i];
    ck_assert_int_eq(j->running, 0);
    ck_assert_int_eq(j->releasing, 3);
    ck_assert_uint_eq(p->cluster->nodes[0].idle, 0); /* it holds them until it has gone */
    ck_assert(pc_evict_now(p, job.i, POLICY_PREEMPT, POLICY_REASON_OUTRANKED, other.i));
    ck_assert_uint_eq(p->decision_count, 2); /* nothing of it runs any more */
    core_destroy(p, &tally);
}
END_TEST

/* If devices are only counted, one decision covers the whole job. */
START_TEST(a_counted_job_goes_as_one)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "placement=count");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 4);
    core_node(p, 1, 4);
    policy_job job = core_submit(p, 0, q, 1, 3, core_devices(2));
    core_decide(p, 0, 1);
    p->decision_count = 0;
    ck_assert(pc_evict_now(p, job.i, POLICY_LIMITS, POLICY_REASON_TIME_LIMIT, PC_NONE));
    ck_assert_uint_eq(p->decision_count, 1);
    ck_assert_uint_eq(p->decisions[0].task, POLICY_ALL_TASKS);
    ck_assert_int_eq(p->decisions[0].gpu_milli, 6000);
    ck_assert_uint_eq(p->decisions[0].for_job.i, POLICY_NO_ID);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(without_memory_nothing_has_changed)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    policy_queue q = core_queue(p, NULL, 0);
    for (uint32_t i = 0; i < 40; i++)
        core_node(p, i, 1);
    policy_job job = core_submit(p, 0, q, 1, 40, core_devices(1));
    core_decide(p, 0, 40);
    p->decision_count = p->decision_capacity; /* the next one needs memory */
    tally.fail_at = tally.calls + 1;
    ck_assert(!pc_evict_now(p, job.i, POLICY_LIMITS, POLICY_REASON_TIME_LIMIT, PC_NONE));
    ck_assert(p->cluster->out_of_memory);
    ck_assert_int_eq(p->cluster->jobs[job.i].running, 40);
    tally.fail_at = 0;
    p->decision_count = 0;
    p->cluster->out_of_memory = false;
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("decisions");
    TCase *tcase = tcase_create("decisions");
    tcase_add_test(tcase, a_decision_says_where_and_how_much);
    tcase_add_test(tcase, all_tasks_that_run_are_evicted);
    tcase_add_test(tcase, a_counted_job_goes_as_one);
    tcase_add_test(tcase, without_memory_nothing_has_changed);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
