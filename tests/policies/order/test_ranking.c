/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Job state under an order that changes while jobs run: attained service, remaining time, and held
 * devices. Times in milliseconds; service in thousandths of devices x ms.
 */
#include "order/ranking.h"

#include "tests/lib/core.h"
#include "tests/lib/harness.h"

static policy_job submit(struct policy *p, policy_time at, policy_queue q, uint64_t rank,
                         int32_t tasks, int32_t min_tasks, int64_t run_ms)
{
    struct policy_role role = core_role(tasks, core_devices(2));
    role.min_tasks = min_tasks;
    struct policy_job_spec spec = core_job_spec(q, rank, &role, 1);
    spec.preemptible = true;
    spec.run_ms = run_ms;
    return policy_submit(p, at, &spec);
}

static void advance(struct policy *p, policy_time now)
{
    size_t count;
    (void)policy_decide(p, now, &count);
}

/* 4 devices from 100: at 350 it had 250 ms x 4000, and 1000 - 250 are left; a pause records that,
 * and both continue. */
START_TEST(time_and_service_go_by)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "srtf", "");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 4);
    policy_job job = submit(p, 100, q, 1, 2, 2, 1000);
    ck_assert(pc_ranking_waits(p, job.i) && !pc_ranking_runs(p, job.i));
    core_decide(p, 100, 2);
    ck_assert(pc_ranking_runs(p, job.i) && !pc_ranking_waits(p, job.i));
    advance(p, 350);
    ck_assert_int_eq(pc_ranking_attained(p, job.i), 250 * 4000);
    ck_assert_int_eq(pc_ranking_remaining(p, job.i), 750);
    pc_ranking_pause(p, job.i);
    ck_assert_int_eq(pc_ranking_attained(p, job.i), 250 * 4000);
    ck_assert_int_eq(pc_ranking_remaining(p, job.i), 750);
    advance(p, 400);
    ck_assert_int_eq(pc_ranking_attained(p, job.i), 300 * 4000);
    ck_assert_int_eq(pc_ranking_remaining(p, job.i), 700);
    advance(p, 1200); /* longer than it was to run */
    ck_assert_int_eq(pc_ranking_remaining(p, job.i), 0);
    ck_assert_int_eq(pc_ranking_attained(p, job.i), 1100 * 4000);
    core_destroy(p, &tally);
}
END_TEST

/* Nothing changes while a job is pending again, and its attained service stays. */
START_TEST(waiting_jobs_stand_still)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "srtf", "");
    policy_queue q = core_queue(p, NULL, 0);
    policy_node node = core_node(p, 0, 4);
    policy_job job = submit(p, 0, q, 1, 1, 1, 1000);
    core_decide(p, 0, 1);
    ck_assert_int_eq(policy_set_node_state(p, 200, node, POLICY_NODE_DOWN), POLICY_OK);
    ck_assert_int_eq(policy_task_ended(p, 200, job, 0, POLICY_EVICTED), POLICY_OK);
    advance(p, 900);
    ck_assert(pc_ranking_waits(p, job.i));
    ck_assert_int_eq(pc_ranking_attained(p, job.i), 200 * 2000);
    ck_assert_int_eq(policy_report_progress(p, 900, job, 850),
                     POLICY_OK); /* 50 of the 200 were lost */
    ck_assert_int_eq(pc_ranking_remaining(p, job.i), 850);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(run_times_may_be_unknown)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "srtf", "");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 4);
    policy_job job = submit(p, 0, q, 1, 1, 1, -1);
    core_decide(p, 0, 1);
    advance(p, 5000);
    ck_assert_int_eq(pc_ranking_remaining(p, job.i), INT64_MAX);
    pc_ranking_pause(p, job.i);
    ck_assert_int_eq(pc_ranking_remaining(p, job.i), INT64_MAX);
    core_destroy(p, &tally);
}
END_TEST

/* An elastic job has 3 tasks of 2 devices up to 100, and 2 of them from then on. */
START_TEST(service_is_counted_by_what_is_held)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "las", "");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 6);
    policy_job job = submit(p, 0, q, 1, 3, 1, -1);
    core_decide(p, 0, 3);
    ck_assert_int_eq(policy_task_ended(p, 100, job, 2, POLICY_SUCCEEDED), POLICY_OK);
    advance(p, 150);
    ck_assert_int_eq(pc_ranking_attained(p, job.i), 100 * 6000 + 50 * 4000);
    core_destroy(p, &tally);
}
END_TEST

/*
 * Of what a job holds only usable devices of nodes that are up count: two tasks of 2 devices on a
 * node each; a device of the first breaks, then the second node is drained.
 */
START_TEST(the_budget)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "srtf", "");
    policy_queue q = core_queue(p, NULL, 0);
    policy_node first = core_node(p, 0, 2);
    policy_node second = core_node(p, 1, 2);
    policy_job job = submit(p, 0, q, 1, 2, 2, 1000);
    uint32_t set = p->cluster->queues[q.i].pool_set;
    ck_assert_int_eq(pc_ranking_held_in(p, job.i, set), 0);
    ck_assert_int_eq(pc_ranking_demand(p, job.i), 4000);
    core_decide(p, 0, 2);
    ck_assert_int_eq(pc_ranking_held_in(p, job.i, set), 4000);
    ck_assert_int_eq(policy_set_device_health(p, 1, first, 0, false), POLICY_OK);
    ck_assert_int_eq(pc_ranking_held_in(p, job.i, set), 3000);
    ck_assert_int_eq(policy_set_node_state(p, 2, second, POLICY_NODE_DRAINING), POLICY_OK);
    ck_assert_int_eq(pc_ranking_held_in(p, job.i, set), 1000);
    core_destroy(p, &tally);
}
END_TEST

/* Devices in pools that are not of the set do not count in it. */
START_TEST(other_pools_have_a_budget_of_their_own)
{
    static const uint32_t zero = 0;
    static const uint32_t one = 1;
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "srtf", "scope=queue");
    policy_queue q = core_queue(p, &zero, 1);
    policy_queue r = core_queue(p, &one, 1);
    core_node(p, 0, 4);
    struct policy_node_spec node = core_node_spec(1, 4);
    node.pool = 1;
    (void)policy_add_node(p, 0, &node);
    policy_job job = submit(p, 0, q, 1, 1, 1, 1000);
    core_decide(p, 0, 1);
    ck_assert_int_eq(pc_ranking_held_in(p, job.i, p->cluster->queues[q.i].pool_set), 2000);
    ck_assert_int_eq(pc_ranking_held_in(p, job.i, p->cluster->queues[r.i].pool_set), 0);
    core_destroy(p, &tally);
}
END_TEST

/* A job has a run from its first start until it is over; then another job's start may take its
 * place. */
START_TEST(a_run_lasts_until_its_job_is_over)
{
    struct tally tally = {0};
    struct policy_error wrong;
    struct policy *p = core_create(&tally, "srtf", "");
    const struct pc_ranking *r = pc_ranking_of(p);
    policy_queue q = core_queue(p, NULL, 0);
    policy_node node = core_node(p, 0, 2);
    policy_job first = submit(p, 0, q, 1, 1, 1, 1000);
    policy_job second = submit(p, 0, q, 2, 1, 1, 2000);
    ck_assert_ptr_null(pc_ranking_run(r, first.i));
    core_decide(p, 0, 1);
    ck_assert_ptr_nonnull(pc_ranking_run(r, first.i));
    ck_assert_ptr_null(pc_ranking_run(r, second.i));
    ck_assert_uint_eq(r->idle_runs, 0);
    ck_assert_int_eq(policy_set_node_state(p, 200, node, POLICY_NODE_DOWN), POLICY_OK);
    ck_assert_int_eq(policy_task_ended(p, 200, first, 0, POLICY_EVICTED), POLICY_OK);
    ck_assert_ptr_nonnull(pc_ranking_run(r, first.i));
    ck_assert_uint_eq(r->idle_runs, 1);
    ck_assert_int_eq(policy_check(p, &wrong), POLICY_OK);
    ck_assert_int_eq(policy_cancel(p, 300, first), POLICY_OK);
    ck_assert_uint_eq(r->idle_runs, 0);
    ck_assert_int_eq(policy_set_node_state(p, 300, node, POLICY_NODE_UP), POLICY_OK);
    core_decide(p, 300, 1);
    ck_assert_ptr_nonnull(pc_ranking_run(r, second.i));
    ck_assert_uint_eq(r->run_count, 1);
    ck_assert_int_eq(policy_check(p, &wrong), POLICY_OK);
    core_destroy(p, &tally);
}
END_TEST

/* ---- ranks ---- */

static const struct {
    struct pc_rank a, b; /* a is before b */
} ranks[] = {
    {{.key = 1, .second = 9}, {.key = 2}},
    {{.key = 1, .second = 1, .third = 9}, {.key = 1, .second = 2}},
    {{.second = 1, .third = 1, .turn = 9}, {.second = 1, .third = 2}},
    {{.third = INT64_MIN, .turn = 3, .job = 9}, {.third = INT64_MIN, .turn = 4}},
    {{.turn = PC_RANKING_EVICTED - 1}, {.turn = PC_RANKING_EVICTED}},
    {{.turn = 4, .job = 2, .place = 7}, {.turn = 4, .job = 3, .place = 1}},
};

START_TEST(the_first_difference_decides)
{
    ck_assert(pc_rank_before(&ranks[_i].a, &ranks[_i].b));
    ck_assert(!pc_rank_before(&ranks[_i].b, &ranks[_i].a));
    ck_assert(!pc_rank_before(&ranks[_i].a, &ranks[_i].a));
}
END_TEST

/* If a running and a pending job are equal, the option decides which is first. */
static const struct {
    const char *ties;
    bool runner_first;
} ties[] = {{"ties=running", true}, {"ties=waiting", false}};

START_TEST(ties_go_by_the_option)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "srtf", ties[_i].ties);
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 2);
    policy_job runs = submit(p, 0, q, 1, 1, 1, 1000);
    core_decide(p, 0, 1);
    policy_job waits = submit(p, 0, q, 2, 1, 1, 1000);
    struct pc_rank a = {.job = runs.i};
    struct pc_rank b = {.job = waits.i};
    pc_ranking_tie(p, &a);
    pc_ranking_tie(p, &b);
    ck_assert_int_eq(pc_rank_before(&a, &b), ties[_i].runner_first);
    ck_assert_int_eq(pc_rank_before(&b, &a), !ties[_i].runner_first);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(other_orders_keep_nothing)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    ck_assert_ptr_null(pc_ranking_of(p));
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ranking");
    TCase *tcase = tcase_create("ranking");
    tcase_add_test(tcase, time_and_service_go_by);
    tcase_add_test(tcase, waiting_jobs_stand_still);
    tcase_add_test(tcase, run_times_may_be_unknown);
    tcase_add_test(tcase, service_is_counted_by_what_is_held);
    tcase_add_test(tcase, the_budget);
    tcase_add_test(tcase, other_pools_have_a_budget_of_their_own);
    tcase_add_test(tcase, a_run_lasts_until_its_job_is_over);
    tcase_add_loop_test(tcase, the_first_difference_decides, 0, ROWS(ranks));
    tcase_add_loop_test(tcase, ties_go_by_the_option, 0, ROWS(ties));
    tcase_add_test(tcase, other_orders_keep_nothing);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
