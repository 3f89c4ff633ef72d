/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random fleets with a few pools, queues that may use some of them, and streams of preemptible
 * single-device jobs that arrive and end while the quota policy starts, moves and reclaims. When
 * nothing happens any more, no queue may be below its guarantee if there is an assignment that
 * serves it: the sum over the queues of what they have within their quotas must be the optimum of
 * the linear program
 *
 *     maximize    sum of x[q][p]                         over queues and the pools that they may
 * use subject to  sum over p of x[q][p] <= min(jobs of q, quota of q), sum over q of x[q][p] <=
 * devices of p,  x >= 0
 *
 * which GLPK solves (Debian: libglpk-dev). If all guarantees can be met, this means each of them.
 * FAUXFLEET_SEED=n plays one case.
 */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HAS_GLPK __has_include(<glpk.h>)
#if HAS_GLPK
#include <glpk.h>
#endif

#if HAS_GLPK

enum { CASES = 1000, BLOCKS = 10, POOLS = 5, QUEUES = 6, JOBS = 64, CALM = 60 };

struct pool_case {
    uint64_t state;
    int32_t pools, queues;
    int32_t devices[POOLS];   /* of each pool, on nodes of at most 2 */
    uint32_t may_use[QUEUES]; /* set of pools */
    int32_t quota[QUEUES];
    uint32_t jobs, alive[QUEUES]; /* submitted; unfinished */
    uint32_t queue_of[JOBS];
    bool over[JOBS], runs[JOBS];
    policy_job id[JOBS];
    policy_time now;
    uint64_t seed;
};

static uint32_t below(struct pool_case *x, uint32_t n)
{
    x->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = x->state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ (z >> 31)) % n);
}

/* Few pools per queue, and quotas of about as many devices as exist: guarantees are tight. */
static void draw(struct pool_case *x, uint64_t seed)
{
    *x = (struct pool_case){.state = seed, .seed = seed};
    x->pools = 2 + (int32_t)below(x, POOLS - 1);
    x->queues = 2 + (int32_t)below(x, QUEUES - 1);
    for (int32_t p = 0; p < x->pools; p++)
        x->devices[p] = 1 + (int32_t)below(x, 3);
    for (int32_t q = 0; q < x->queues; q++) {
        for (uint32_t more = 1 + below(x, 2); more > 0; more--)
            x->may_use[q] |= UINT32_C(1) << below(x, (uint32_t)x->pools);
        x->quota[q] = (int32_t)below(x, 4);
    }
}

static void tell_fleet(struct pool_case *x, struct policy *policy)
{
    uint32_t rank = 0;
    for (int32_t p = 0; p < x->pools; p++)
        for (int32_t left = x->devices[p]; left > 0; left -= 2) {
            struct policy_node_spec node = core_node_spec(rank++, left < 2 ? left : 2);
            node.pool = (uint32_t)p;
            ck_assert_uint_ne(policy_add_node(policy, 0, &node).i, POLICY_NO_ID);
        }
}

static void tell_queues(struct pool_case *x, struct policy *policy)
{
    for (int32_t q = 0; q < x->queues; q++) {
        uint32_t pools[POOLS], count = 0;
        for (uint32_t p = 0; p < (uint32_t)x->pools; p++)
            if ((x->may_use[q] >> p & 1) != 0)
                pools[count++] = p;
        const struct policy_share free_of = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
        const struct policy_queue_spec spec = {
            .size = sizeof spec,
            .parent = {POLICY_NO_ID},
            .rank = (uint32_t)q,
            .gpu = {x->quota[q] * POLICY_WHOLE, POLICY_UNLIMITED, 1000},
            .cpu = free_of,
            .mem = free_of,
            .pools = pools,
            .pool_count = count,
            .preempt_min_runtime_ms = POLICY_INHERIT,
            .reclaim_min_runtime_ms = POLICY_INHERIT,
        };
        ck_assert_uint_eq(policy_add_queue(policy, 0, &spec).i, (uint32_t)q);
    }
}

/* ---- what happens ---- */

static void submit(struct pool_case *x, struct policy *policy)
{
    uint32_t job = x->jobs++;
    uint32_t q = x->queue_of[job] = below(x, (uint32_t)x->queues);
    const struct policy_role role = core_role(1, core_devices(1));
    struct policy_job_spec spec = core_job_spec((policy_queue){q}, job + 1, &role, 1);
    spec.preemptible = true;
    x->id[job] = policy_submit(policy, x->now, &spec);
    ck_assert_uint_ne(x->id[job].i, POLICY_NO_ID);
    x->alive[q]++;
}

static void end_one(struct pool_case *x, struct policy *policy)
{
    uint32_t first = below(x, x->jobs);
    for (uint32_t i = 0; i < x->jobs; i++) {
        uint32_t job = (first + i) % x->jobs;
        if (x->over[job] || !x->runs[job])
            continue;
        ck_assert_int_eq(
            policy_task_ended(policy, x->now, x->id[job], POLICY_ALL_TASKS, POLICY_SUCCEEDED), 0);
        x->over[job] = true;
        x->alive[x->queue_of[job]]--;
        return;
    }
}

static uint32_t number_of(const struct pool_case *x, policy_job id)
{
    uint32_t job = 0;
    while (x->id[job].i != id.i || x->id[job].gen != id.gen)
        job++;
    return job;
}

/* Decides once and carries it out. Returns true if something started or was evicted. */
static bool decide(struct pool_case *x, struct policy *policy)
{
    struct policy_decision all[4 * JOBS];
    size_t count;
    x->now += 1000;
    const struct policy_decision *d = policy_decide(policy, x->now, &count);
    bool acted = false;
    ck_assert_uint_le(count, sizeof all / sizeof *all);
    if (count > 0)
        memcpy(all, d, count * sizeof *all);
    for (size_t i = 0; i < count; i++) {
        acted |= all[i].kind != POLICY_NOMINATE;
        if (all[i].kind == POLICY_START)
            ck_assert_int_eq(policy_task_started(policy, x->now, all[i].job, POLICY_ALL_TASKS), 0);
        if (all[i].kind == POLICY_EVICT)
            ck_assert_int_eq(policy_task_releasing(policy, x->now, all[i].job, POLICY_ALL_TASKS),
                             0);
        if (all[i].kind != POLICY_NOMINATE)
            x->runs[number_of(x, all[i].job)] = all[i].kind == POLICY_START;
    }
    core_is_sound(policy);
    for (size_t i = 0; i < count; i++)
        if (all[i].kind == POLICY_EVICT)
            ck_assert_int_eq(
                policy_task_ended(policy, x->now, all[i].job, POLICY_ALL_TASKS, POLICY_EVICTED), 0);
    return acted;
}

static void settle(struct pool_case *x, struct policy *policy)
{
    int32_t decisions = 0;
    while (decide(x, policy))
        ck_assert_msg(++decisions < CALM, "case %llu goes on deciding",
                      (unsigned long long)x->seed);
}

static int32_t guaranteed(const struct pool_case *x, int32_t q)
{
    return x->quota[q] < (int32_t)x->alive[q] ? x->quota[q] : (int32_t)x->alive[q];
}

/* ---- the linear program ---- */

static int32_t most_served(const struct pool_case *x)
{
    int row[1 + 2 * QUEUES * POOLS], column[1 + 2 * QUEUES * POOLS], at = 0, cells = 0;
    double ones[1 + 2 * QUEUES * POOLS];
    glp_prob *lp = glp_create_prob();
    glp_smcp options;
    glp_init_smcp(&options);
    options.msg_lev = GLP_MSG_OFF;
    glp_set_obj_dir(lp, GLP_MAX);
    glp_add_rows(lp, x->queues + x->pools);
    for (int q = 0; q < x->queues; q++)
        glp_set_row_bnds(lp, 1 + q, GLP_UP, 0, guaranteed(x, q));
    for (int p = 0; p < x->pools; p++)
        glp_set_row_bnds(lp, 1 + x->queues + p, GLP_UP, 0, x->devices[p]);
    for (int q = 0; q < x->queues; q++)
        for (int p = 0; p < x->pools; p++) {
            if ((x->may_use[q] >> p & 1) == 0)
                continue;
            at = glp_add_cols(lp, 1);
            glp_set_col_bnds(lp, at, GLP_LO, 0, 0);
            glp_set_obj_coef(lp, at, 1);
            row[++cells] = 1 + q;
            row[cells + 1] = 1 + x->queues + p;
            column[cells] = column[cells + 1] = at;
            ones[cells] = ones[cells + 1] = 1;
            cells++;
        }
    glp_load_matrix(lp, cells, row, column, ones);
    ck_assert_int_eq(glp_simplex(lp, &options), 0);
    ck_assert_int_eq(glp_get_status(lp), GLP_OPT);
    int32_t served = (int32_t)(glp_get_obj_val(lp) + 0.5);
    glp_delete_prob(lp);
    return served;
}

static int32_t allocated(struct policy *policy, int32_t q)
{
    struct policy_queue_info info = {.size = sizeof info};
    ck_assert_int_eq(policy_queue_info(policy, (policy_queue){(uint32_t)q}, &info), POLICY_OK);
    return (int32_t)(info.allocated.gpu / POLICY_WHOLE);
}

static void check_guarantees(const struct pool_case *x, struct policy *policy)
{
    int32_t served = 0;
    for (int32_t q = 0; q < x->queues; q++) {
        int32_t has = allocated(policy, q);
        served += has < guaranteed(x, q) ? has : guaranteed(x, q);
    }
    int32_t most = most_served(x);
    ck_assert_msg(served == most, "case %llu: %d devices serve guarantees, %d could",
                  (unsigned long long)x->seed, served, most);
}

static void play(uint64_t seed)
{
    struct pool_case x;
    struct tally tally = {0};
    draw(&x, seed);
    struct policy *policy = core_create(&tally, "runai", "");
    tell_fleet(&x, policy);
    tell_queues(&x, policy);
    for (int32_t round = 0; round < 4; round++) {
        for (uint32_t more = 2 + below(&x, 9); more > 0 && x.jobs < JOBS; more--) {
            submit(&x, policy);
            if (below(&x, 3) == 0)
                (void)decide(&x, policy);
        }
        for (uint32_t ends = below(&x, 3); ends > 0; ends--)
            end_one(&x, policy);
        settle(&x, policy);
        check_guarantees(&x, policy);
    }
    core_destroy(policy, &tally);
}

START_TEST(no_queue_stays_below_its_guaranteed_share)
{
    const char *seed = getenv("FAUXFLEET_SEED");
    if (seed != NULL) {
        play(strtoull(seed, NULL, 10));
        return;
    }
    for (int i = _i; i < CASES; i += BLOCKS * harness_thin())
        play((uint64_t)i + 1);
}
END_TEST
#endif

int main(void)
{
    Suite *suite = suite_create("policy_pools");
    TCase *tcase = tcase_create("pools");
#if HAS_GLPK
    tcase_add_loop_test(tcase, no_queue_stays_below_its_guaranteed_share, 0, BLOCKS);
#else
    (void)puts("skipped: guarantees by pool against a linear program, which needs libglpk-dev");
#endif
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
