/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What backfill knows about jobs: how long they may run, their declared ends, and their order.
 * Milliseconds. */
#include "pending/ahead.h"

#include "tests/lib/core.h"
#include "tests/lib/harness.h"

static policy_job submit(struct policy *p, policy_time at, policy_queue q, uint64_t rank,
                         int64_t limit_ms, int64_t run_ms)
{
    const struct policy_role role = core_role(1, core_devices(1));
    struct policy_job_spec spec = core_job_spec(q, rank, &role, 1);
    spec.limit_ms = limit_ms;
    spec.run_ms = run_ms;
    return policy_submit(p, at, &spec);
}

static const struct {
    int64_t limit_ms, run_ms; /* declared; expected */
    int64_t most;             /* it may run */
} limits[] = {
    {100, 50, 100},
    {-1, 50, 50},
    {0, 50, 0},
    {-1, -1, INT64_MAX},
};

/* The time after which it would end if it started now; once it runs, after its start. */
START_TEST(ends_are_as_declared)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "easy", "");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 1);
    policy_job job = submit(p, 0, q, 1, limits[_i].limit_ms, limits[_i].run_ms);
    const int64_t most = limits[_i].most;
    ck_assert_int_eq(pc_ahead_limit(&p->cluster->jobs[job.i]), most);
    p->now = 30;
    ck_assert_int_eq(pc_ahead_end(p, job.i), most == INT64_MAX ? INT64_MAX : 30 + most);
    core_decide(p, 40, 1);
    p->now = 45;
    ck_assert_int_eq(pc_ahead_end(p, job.i), most == INT64_MAX ? INT64_MAX : 40 + most);
    core_destroy(p, &tally);
}
END_TEST

/* c ends at 60, a and d at 100 (a has the smaller rank), b at an unknown time; e, which was found
 * running since -20, at 40. */
START_TEST(runners_stand_by_their_ends)
{
    static const uint32_t expected[] = {4, 2, 0, 3, 1};
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "easy", "");
    policy_queue q = core_queue(p, NULL, 0);
    policy_node node = core_node(p, 0, 5);
    submit(p, 0, q, 1, 100, -1);
    submit(p, 0, q, 2, -1, -1);
    submit(p, 0, q, 3, 60, -1);
    submit(p, 0, q, 4, 100, -1);
    core_decide(p, 0, 4);
    policy_job found = submit(p, 0, q, 5, 60, -1);
    ck_assert_int_eq(policy_task_running(p, 0, found, 0, node, UINT64_C(1) << 4, -20), POLICY_OK);
    const struct pc_ahead *a = p->cluster->pending->ahead;
    uint32_t job = pc_order_first(&a->runners, a->running);
    for (int i = 0; i < ROWS(expected); i++, job = pc_order_next(&a->runners, job))
        ck_assert_uint_eq(job, expected[i]);
    ck_assert_uint_eq(job, PC_NONE);
    core_destroy(p, &tally);
}
END_TEST

/* An end or a node change triggers a new pass; a submission behind the first does not, nor does a
 * decision. */
START_TEST(facts_that_trigger_another_pass)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "easy", "");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 1);
    policy_job job = submit(p, 0, q, 1, 100, -1);
    core_decide(p, 0, 1);
    const struct pc_ahead *a = p->cluster->pending->ahead;
    ck_assert(!a->due);
    ck_assert_int_eq(policy_task_ended(p, 50, job, 0, POLICY_SUCCEEDED), POLICY_OK);
    ck_assert(a->due);
    core_decide(p, 50, 0);
    ck_assert(!a->due);
    const struct policy_node_spec node = core_node_spec(1, 1);
    ck_assert_uint_ne(policy_add_node(p, 60, &node).i, POLICY_NO_ID);
    ck_assert(a->due);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(only_with_backfill)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    ck_assert_ptr_null(p->cluster->pending->ahead);
    ck_assert_ptr_null(pc_ahead_check(p));
    core_destroy(p, &tally);
}
END_TEST

/* The idle devices of a pool set and what its jobs hold are all there is: 8, of which 3 are held.
 */
START_TEST(sets_have_what_is_idle_and_held)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "conservative", "");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    for (uint64_t i = 1; i <= 3; i++)
        submit(p, 0, q, i, 100, -1);
    core_decide(p, 0, 3);
    pc_ahead_settle_sets(p);
    const struct pc_ahead_set *set =
        &p->cluster->pending->ahead->sets[p->cluster->queues[q.i].pool_set];
    ck_assert(set->known);
    ck_assert_int_eq(set->held_milli, 3000);
    ck_assert_int_eq(set->all_milli, 8000);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ahead");
    TCase *tcase = tcase_create("ahead");
    tcase_add_loop_test(tcase, ends_are_as_declared, 0, ROWS(limits));
    tcase_add_test(tcase, runners_stand_by_their_ends);
    tcase_add_test(tcase, facts_that_trigger_another_pass);
    tcase_add_test(tcase, only_with_backfill);
    tcase_add_test(tcase, sets_have_what_is_idle_and_held);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
