/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How devices change owners: held during the grace, released after it, or never really allocated.
 * Times in seconds. */
#include "tests/sim/evict.h"

/* Devices being released are held, and no job runs on them. */
START_TEST(devices_are_held_in_the_grace)
{
    struct small s;
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 2, 4);
    s.config.grace_ms = 30000;
    small_job(&s, "a", 0, 100000, 8); /* two tasks */
    ck_assert(small_create(&s));
    evict_run(&s, 40000);
    evict_now(&s, "a", INT32_MAX);
    const struct sim_queue *queue = &s.sim->queues[0];
    ck_assert_int_eq(s.fleet.milli_used, 8000);
    ck_assert_int_eq(queue->held_milli, 8000);
    ck_assert_int_eq(queue->running_milli, 0);
    ck_assert_int_eq(queue->wanted_milli, 0);
    ck_assert_int_eq(s.sim->idle_milli, 8000);
    ck_assert_int_eq(evict_find(&s, "a")->releasing, 2);
    evict_run(&s, 69999);
    ck_assert_int_eq(s.fleet.milli_used, 8000);
    evict_run(&s, 70000);
    ck_assert_int_eq(s.sim->idle_milli, 0); /* it runs again */
    ck_assert_int_eq(queue->running_milli, 8000);
    evict_finish(&s);
    ck_assert_str_eq(s.log, "submit a 0; start a 0; start a 70; end a 130; ");
    small_end(&s);
}
END_TEST

static struct trace_job *elastic(struct small *s, const char *id, int64_t submit_s,
                                 int64_t duration_s, int32_t least, int32_t tasks, int32_t most)
{
    struct trace_job *job = small_job(s, id, submit_s * 1000, duration_s * 1000, TRACE_UNKNOWN);
    job->gpus = 1;
    job->min_tasks = least;
    job->tasks = tasks;
    job->max_tasks = most;
    return job;
}

/* The job ends at 15 while one of its tasks is still being released: all devices are free then, and
 * late events have no effect. */
START_TEST(jobs_end_while_tasks_are_released)
{
    struct small s;
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 1, 3);
    s.config.grace_ms = 30000;
    elastic(&s, "a", 0, 20, 1, 2, 3); /* 40: 30 by 10, then 2 a second */
    small_job(&s, "b", 20000, 100000, 3);
    ck_assert(small_create(&s));
    evict_run(&s, 10000);
    evict_now(&s, "a", 1);
    evict_run(&s, 15000);
    ck_assert_int_eq(s.fleet.milli_used, 0);
    evict_finish(&s);
    ck_assert_str_eq(s.log,
                     "submit a 0; start a 0; end a 15; submit b 20; start b 20; end b 120; ");
    small_end(&s);
}
END_TEST

/* A task placed at the instant at which a limit ends its job gives its place back at once. */
START_TEST(what_was_to_start_with_the_limit_does_not)
{
    struct small s;
    small_begin(&s, "runai", "");
    small_pool(&s, "p", 1, 2);
    s.config.grace_ms = 30000;
    elastic(&s, "a", 0, 60, 1, 1, 2);
    small_job(&s, "b", 0, 5000, 1);
    ck_assert(small_create(&s));
    evict_run(&s, 0);
    ck_assert_int_eq(evict_find(&s, "a")->running, 1);
    evict_run(&s, 4000);
    struct work_job *a = evict_find(&s, "a");
    const struct work_task *b = &s.sim->work.tasks[evict_find(&s, "b")->first_task];
    struct policy_decision both[2] = {evict_decision(a, 0, POLICY_LIMITS, POLICY_REASON_TIME_LIMIT),
                                      evict_decision(a, 1, POLICY_ALLOCATE, 0)};
    both[1].kind = POLICY_START;
    both[1].node.i = 0;
    both[1].devices = 3 & ~s.sim->work.tasks[a->first_task].devices;
    fleet_give(
        &s.fleet, 0,
        &(struct fleet_use){.devices = b->devices, .milli = 1000}); /* unknown to the simulator */
    ck_assert_msg(sim_enact(s.sim, both, 2, &s.err), "%s", s.err.msg);
    ck_assert_int_eq(a->running, 0);
    ck_assert_int_eq(a->releasing, 1);
    ck_assert_int_eq(s.fleet.milli_used, 1000);
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("release");
    TCase *tcase = tcase_create("release");
    tcase_add_test(tcase, devices_are_held_in_the_grace);
    tcase_add_test(tcase, jobs_end_while_tasks_are_released);
    tcase_add_test(tcase, what_was_to_start_with_the_limit_does_not);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
