/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues: found by their name in the trace, created if the trace may, refused if they are unknown
 * or not leaves. */
#include "tests/sim/small.h"

START_TEST(queues_appear_with_their_first_job)
{
    struct small s;
    small_begin(&s, "fifo", "scope=queue");
    small_pool(&s, "p", 1, 4);
    small_queue(&s, "known", 0);
    s.config.queues_from_trace = true;
    small_job_of(&s, "new", "a", 0, 1000, 1);
    small_job_of(&s, "known", "b", 1000, 1000, 1);
    small_job_of(&s, "new", "c", 2000, 1000, 1);
    small_job_of(&s, "newer", "d", 3000, 1000, 1);
    ck_assert(small_create(&s));
    ck_assert_uint_eq(s.sim->queue_count, 1);
    ck_assert(sim_run(s.sim, INT64_MAX, &s.err) && sim_finish(s.sim, &s.err));
    static const char *const names[] = {"known", "new", "newer"};
    ck_assert_uint_eq(s.sim->queue_count, ROWS(names));
    for (int i = 0; i < ROWS(names); i++) {
        const struct sim_queue *queue = &s.sim->queues[i];
        ck_assert_str_eq(queue->name, names[i]);
        ck_assert_int_eq(queue->gpu.limit, POLICY_UNLIMITED);
        ck_assert_int_eq(queue->gpu.weight, 1000);
        ck_assert_int_eq(queue->running_milli, 0);
        ck_assert_int_eq(queue->wanted_milli, 0);
        ck_assert_uint_eq(queue->pending_jobs, 0);
        ck_assert_uint_eq(queue->running_jobs, 0);
    }
    small_end(&s);
}
END_TEST

START_TEST(unknown_queues_are_refused_with_the_nearest_name)
{
    struct small s;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 4);
    small_queue(&s, "research", 0);
    small_job_of(&s, "reserch", "a", 0, 1000, 1);
    ck_assert(!small_try(&s));
    ck_assert_int_eq(s.err.code, EXIT_INPUT);
    harness_contains(s.err.msg, "queue 'reserch'");
    harness_contains(s.err.msg, "did you mean 'research'?");
    small_end(&s);
}
END_TEST

START_TEST(inner_queues_hold_no_jobs)
{
    struct small s;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 4);
    small_queue(&s, "dept", 0);
    small_queue(&s, "team", 0)->parent = 0;
    small_job_of(&s, "team", "good", 0, 1000, 1);
    small_job_of(&s, "dept", "bad", 1000, 1000, 1);
    ck_assert(!small_try(&s));
    ck_assert_int_eq(s.err.code, EXIT_INPUT);
    harness_contains(s.err.msg, "only leaves hold jobs");
    ck_assert_str_eq(s.log, "submit good 0; start good 0; end good 1; ");
    small_end(&s);
}
END_TEST

/* A job is split by the largest node that its own queue may use. */
START_TEST(gangs_fit_the_nodes_of_their_queue)
{
    struct small s;
    small_begin(&s, "fifo", "placement=first-fit scope=queue");
    small_pool(&s, "small", 4, 2);
    small_pool(&s, "large", 1, 8);
    small_queue(&s, "s", 1);
    small_queue(&s, "l", 2);
    small_queue(&s, "any", 0);
    ck_assert(small_create(&s));
    ck_assert_int_eq(s.sim->queues[0].node_gpus, 2);
    ck_assert_int_eq(s.sim->queues[1].node_gpus, 8);
    ck_assert_int_eq(s.sim->queues[2].node_gpus, 8);
    sim_destroy(s.sim);
    trace_close(s.trace);
    s.sim = NULL;
    memset(s.queues, 0, sizeof s.queues);
    s.config.queue_count = 0;
    small_queue(&s, "s", 1);
    small_queue(&s, "l", 2);
    small_job_of(&s, "s", "a", 0, 1000, 8);
    small_job_of(&s, "l", "b", 0, 1000, 8);
    small_run(&s);
    ck_assert_str_eq(s.log, "submit a 0; submit b 0; start a 0; start b 0; end a 1; end b 1; ");
    ck_assert_uint_eq(s.lives[0].node, 0);
    ck_assert_uint_eq(s.lives[1].node, 4);
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("queues");
    TCase *tcase = tcase_create("queues");
    tcase_add_test(tcase, queues_appear_with_their_first_job);
    tcase_add_test(tcase, unknown_queues_are_refused_with_the_nearest_name);
    tcase_add_test(tcase, inner_queues_hold_no_jobs);
    tcase_add_test(tcase, gangs_fit_the_nodes_of_their_queue);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
