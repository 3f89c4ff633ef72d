/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs end at their declared limits under policies with lanes: when, how, and which. Times and
 * limits in milliseconds. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

static policy_job submit(struct policy *p, policy_queue q, policy_time at, int32_t tasks,
                         int64_t limit_ms, int64_t run_ms)
{
    const struct policy_role role = core_role(tasks, core_devices(1));
    struct policy_job_spec spec = core_job_spec(q, (uint64_t)at, &role, 1);
    spec.limit_ms = limit_ms;
    spec.run_ms = run_ms;
    return policy_submit(p, at, &spec);
}

static const char *const kinds[] = {"time_limits=true", "time_limits=true backfilling=easy",
                                    "time_limits=true placement=count",
                                    "time_limits=true blocking=skip scope=queue"};

/* b is expected to end first, but has declared nothing; c ends at its limit, then a. */
START_TEST(jobs_end_at_their_limits)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", kinds[_i]);
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    policy_job a = submit(p, q, 1, 2, 200, 1000);
    submit(p, q, 2, 2, -1, 50);
    policy_job c = submit(p, q, 3, 1, 100, 20);
    bool counts = _i == 2;
    core_decide(p, 10, counts ? 3 : 5);
    policy_job waits = submit(p, q, 10, 6, 10, 10);
    core_decide(p, 10, 0);
    ck_assert_int_eq(policy_next_wakeup(p), 110);
    core_decide(p, 109, 0);
    const struct policy_decision *d = core_decide(p, 110, 1);
    ck_assert_int_eq(d[0].kind, POLICY_EVICT);
    ck_assert_int_eq(d[0].action, POLICY_LIMITS);
    ck_assert_int_eq(d[0].reason, POLICY_REASON_TIME_LIMIT);
    ck_assert_uint_eq(d[0].job.i, c.i);
    ck_assert_int_eq(d[0].gpu_milli, 1000);
    core_decide(p, 111, 0); /* reported once */
    ck_assert_int_eq(policy_task_releasing(p, 112, c, POLICY_ALL_TASKS), POLICY_OK);
    ck_assert_int_eq(policy_next_wakeup(p), 210);
    core_decide(p, 210, counts ? 1 : 2);
    ck_assert_int_eq(policy_task_releasing(p, 210, a, POLICY_ALL_TASKS), POLICY_OK);
    ck_assert_int_eq(policy_next_wakeup(p), INT64_MAX);
    ck_assert_int_eq(policy_task_ended(p, 240, c, POLICY_ALL_TASKS, POLICY_FAILED), POLICY_OK);
    core_decide(p, 240, 0);
    ck_assert_int_eq(core_reason(p, waits), POLICY_REASON_DEVICES_BUSY); /* a has not gone yet */
    ck_assert_int_eq(policy_task_ended(p, 240, a, POLICY_ALL_TASKS, POLICY_FAILED), POLICY_OK);
    core_decide(p, 240, counts ? 1 : 6);
    core_destroy(p, &tally);
}
END_TEST

/* A node fails: the job restarts, and so does its time. */
START_TEST(time_restarts_with_a_start)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "time_limits=true");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 1);
    policy_job a = submit(p, q, 0, 1, 100, -1);
    core_decide(p, 0, 1);
    core_decide(p, 100, 1);
    ck_assert_int_eq(policy_task_ended(p, 120, a, POLICY_ALL_TASKS, POLICY_EVICTED), POLICY_OK);
    core_decide(p, 120, 1);
    ck_assert_int_eq(policy_next_wakeup(p), 220);
    core_decide(p, 220, 1);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(without_the_option_no_job_is_stopped)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 1);
    submit(p, q, 0, 1, 100, -1);
    core_decide(p, 0, 1);
    ck_assert_int_eq(policy_next_wakeup(p), INT64_MAX);
    core_decide(p, 1000, 0);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("time limits");
    TCase *tcase = tcase_create("limits");
    tcase_add_loop_test(tcase, jobs_end_at_their_limits, 0, ROWS(kinds));
    tcase_add_test(tcase, time_restarts_with_a_start);
    tcase_add_test(tcase, without_the_option_no_job_is_stopped);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
