/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The index of a ranked lane against scans over all jobs, on random worlds: sums of what running
 * jobs hold, the first that exceeds a sum, and the first pending job after a rank.
 */
#include "order/ranking_index.h"

#include "order/order.h"
#include "state/job_life.h"
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

enum { JOBS = 40, STEPS = 60, WORLDS = 24 };

struct world {
    struct policy *p;
    policy_queue q;
    policy_job jobs[JOBS];
    bool exists[JOBS];
    uint64_t random;
    policy_time now;
};

static uint32_t below(struct world *w, uint32_t n)
{
    return (uint32_t)(test_draw(&w->random) % n);
}

static void submit(struct world *w, uint32_t i)
{
    const struct policy_role role =
        core_role(1 + (int32_t)below(w, 2), core_devices(1 + (int32_t)below(w, 3)));
    struct policy_job_spec spec = core_job_spec(w->q, (uint64_t)w->now * JOBS + i, &role, 1);
    spec.preemptible = below(w, 5) > 0;
    spec.run_ms = below(w, 8) == 0 ? -1 : 1 + (int64_t)below(w, 400);
    w->jobs[i] = policy_submit(w->p, w->now, &spec);
    w->exists[i] = w->jobs[i].i != POLICY_NO_ID;
    ck_assert(w->exists[i]);
}

static void end(struct world *w, uint32_t i)
{
    int status = policy_task_ended(w->p, w->now, w->jobs[i], POLICY_ALL_TASKS, POLICY_SUCCEEDED);
    ck_assert_int_eq(status, POLICY_OK);
    w->exists[i] = false;
}

/*
 * Jobs that are due end. (Jobs past their expected end have nothing left: no pending job comes
 * between them, so it does not matter that the index keeps them by expected end.)
 */
static void end_due(struct world *w)
{
    for (uint32_t i = 0; i < JOBS; i++)
        if (w->exists[i] && pc_ranking_runs(w->p, w->jobs[i].i)) {
            const struct pc_ranking *r = pc_ranking_of(w->p);
            const struct pc_contender *x = &r->of[w->jobs[i].i];
            int64_t since = pc_ranking_run(r, w->jobs[i].i)->since;
            if (x->remaining_ms != INT64_MAX && since + x->remaining_ms <= w->now)
                end(w, i);
        }
}

static void decide(struct world *w)
{
    size_t count;
    const struct policy_decision *d = policy_decide(w->p, w->now, &count);
    for (size_t k = 0; k < count; k++)
        if (d[k].kind == POLICY_EVICT)
            (void)policy_task_releasing(w->p, w->now, d[k].job, d[k].task);
    for (size_t k = 0; k < JOBS; k++)
        if (w->exists[k] && w->p->cluster->jobs[w->jobs[k].i].life == PC_LEAVES)
            (void)policy_task_ended(w->p, w->now, w->jobs[k], POLICY_ALL_TASKS, POLICY_EVICTED);
}

static void step(struct world *w)
{
    uint32_t i = below(w, JOBS);
    w->now += below(w, 20);
    end_due(w);
    if (!w->exists[i])
        submit(w, i);
    else if (pc_ranking_runs(w->p, w->jobs[i].i))
        end(w, i);
    decide(w);
}

/* The rank of a job, straight from the order. */
static struct pc_rank rank_of(struct world *w, uint32_t i)
{
    struct pc_rank rank = {.job = w->jobs[i].i};
    w->p->order->rank(w->p, w->jobs[i].i, &rank);
    return rank;
}

static bool takes_part(const struct world *w, uint32_t i, enum pc_stands as)
{
    return w->exists[i] && pc_ranking_of(w->p)->of[w->jobs[i].i].stands == as;
}

static int64_t held(const struct world *w, uint32_t i)
{
    return pc_ranking_held_in(w->p, w->jobs[i].i, w->p->cluster->queues[w->q.i].pool_set);
}

static int64_t naive_sum(struct world *w, const struct pc_rank *rank, bool with)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < JOBS; i++) {
        if (!takes_part(w, i, PC_STANDS_RUNNING))
            continue;
        const struct pc_rank here = rank_of(w, i);
        if (pc_rank_before(&here, rank) || (with && here.job == rank->job))
            sum += held(w, i);
    }
    return sum;
}

static uint32_t naive_first_over(struct world *w, int64_t sum)
{
    uint32_t found = PC_NONE;
    struct pc_rank best = {0};
    for (uint32_t i = 0; i < JOBS; i++) {
        if (!takes_part(w, i, PC_STANDS_RUNNING))
            continue;
        const struct pc_rank here = rank_of(w, i);
        if (naive_sum(w, &here, true) > sum && (found == PC_NONE || pc_rank_before(&here, &best))) {
            found = here.job;
            best = here;
        }
    }
    return found;
}

/* Among pending jobs with the same demand. */
static uint32_t naive_first_behind(struct world *w, int64_t demand, const struct pc_rank *rank)
{
    uint32_t found = PC_NONE;
    struct pc_rank best = {0};
    for (uint32_t i = 0; i < JOBS; i++) {
        if (!takes_part(w, i, PC_STANDS_PENDING) || pc_ranking_demand(w->p, w->jobs[i].i) != demand)
            continue;
        const struct pc_rank here = rank_of(w, i);
        if ((rank == NULL || pc_rank_before(rank, &here)) &&
            (found == PC_NONE || pc_rank_before(&here, &best))) {
            found = here.job;
            best = here;
        }
    }
    return found;
}

/* Groups without members are free: another one may have the demand that they had. */
static void compare_groups(struct world *w, const struct pc_ranking *r,
                           const struct pc_rank_lane *lane, const struct pc_rank *from)
{
    for (uint32_t g = 0; g < lane->group_count; g++)
        if (lane->groups[g].members > 0)
            ck_assert_uint_eq(pc_ranking_first_behind(r, &lane->groups[g], from),
                              naive_first_behind(w, lane->groups[g].demand, from));
}

static void compare(struct world *w)
{
    struct pc_ranking *r = pc_ranking_of(w->p);
    struct pc_rank_lane *lane = &r->lanes[0];
    pc_ranking_catch_up(w->p, r, 0);
    ck_assert_ptr_null(pc_ranking_check_index(w->p, r, 0));
    for (uint32_t i = 0; i < JOBS; i++) {
        if (!takes_part(w, i, PC_STANDS_RUNNING) && !takes_part(w, i, PC_STANDS_PENDING))
            continue;
        const struct pc_rank here = rank_of(w, i);
        ck_assert_int_eq(pc_ranking_sum_before(w->p, r, lane, &here), naive_sum(w, &here, false));
        compare_groups(w, r, lane, &here);
    }
    compare_groups(w, r, lane, NULL);
    for (int64_t sum = 0; sum <= 12000; sum += 500)
        ck_assert_uint_eq(pc_ranking_first_over(r, lane, sum), naive_first_over(w, sum));
}

static const char *const orders[][2] = {{"srtf", ""}, {"las", "threshold_gpu_s=0.2"}};

START_TEST(as_scans_find_it)
{
    struct tally tally = {0};
    struct world w = {.p = core_create(&tally, orders[_i % 2][0], orders[_i % 2][1]),
                      .random = (uint64_t)_i + 1};
    w.q = core_queue(w.p, NULL, 0);
    core_node(w.p, 0, 4);
    core_node(w.p, 1, 4);
    core_node(w.p, 2, 3);
    ck_assert(pc_ranking_is_indexed(w.p));
    for (int i = 0; i < STEPS; i++) {
        step(&w);
        compare(&w);
    }
    core_destroy(w.p, &tally);
}
END_TEST

/* If jobs are ordered by their places in the last decision, nothing is indexed. */
static const char *const options[] = {"ties=previous", "order=remaining-gpu"};

START_TEST(not_for_all)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "srtf", options[_i]);
    core_queue(p, NULL, 0);
    ck_assert(!pc_ranking_is_indexed(p));
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ranking index");
    TCase *tcase = tcase_create("ranking index");
    tcase_add_loop_test(tcase, as_scans_find_it, 0, harness_repeats(WORLDS));
    tcase_add_loop_test(tcase, not_for_all, 0, ROWS(options));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
