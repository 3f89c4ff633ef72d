/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random fleets of a few pools, queues with quotas by pool that add up to no more than the pool,
 * and streams of preemptible jobs of one device. When nothing happens any more, each queue has at
 * least what it is guaranteed, which is the optimum of the linear program
 *
 *     maximize    sum of x[p]                                          over the pools of the queue
 *     subject to  sum over p of x[p] <= jobs of the queue,  0 <= x[p] <= its quota in p
 *
 * that GLPK solves (Debian: libglpk-dev). Laws, after each decision: what queues have by pool adds
 * up to what they have; shares of a pool add up to the pool, or to what is wanted of it.
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

enum { CASES = 1000, BLOCKS = 10, POOLS = 5, QUEUES = 6, JOBS = 64, CALM = 90 };

struct quota_case {
    uint64_t state, seed;
    int32_t pools, queues;
    int32_t devices[POOLS];       /* of each pool, on nodes of at most 2 */
    uint32_t group[POOLS];        /* pools with the same number share quotas */
    uint32_t may_use[QUEUES];     /* a set of pools */
    int32_t quota[QUEUES][POOLS]; /* by group */
    uint32_t jobs, alive[QUEUES]; /* submitted; not over yet */
    uint32_t queue_of[JOBS];
    bool over[JOBS], runs[JOBS];
    policy_job id[JOBS];
    policy_time now;
};

static uint32_t below(struct quota_case *x, uint32_t n)
{
    x->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = x->state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ (z >> 31)) % n);
}

static int32_t size_of(const struct quota_case *x, uint32_t group)
{
    int32_t size = 0;
    for (int32_t p = 0; p < x->pools; p++)
        size += x->group[p] == group ? x->devices[p] : 0;
    return size;
}

/* True if the queue may use all pools of the group. */
static bool may_use(const struct quota_case *x, int32_t q, uint32_t group)
{
    bool all = true, any = false;
    for (int32_t p = 0; p < x->pools; p++)
        if (x->group[p] == group) {
            any = true;
            all &= (x->may_use[q] >> p & 1) != 0;
        }
    return all && any;
}

/* Each device of a group goes to a queue that may use it, or is left to nobody. */
static void draw(struct quota_case *x, uint64_t seed)
{
    *x = (struct quota_case){.state = seed, .seed = seed};
    x->pools = 2 + (int32_t)below(x, POOLS - 1);
    x->queues = 2 + (int32_t)below(x, QUEUES - 1);
    for (int32_t p = 0; p < x->pools; p++) {
        x->devices[p] = 1 + (int32_t)below(x, 3);
        x->group[p] = p > 0 && below(x, 4) == 0 ? x->group[p - 1] : (uint32_t)p;
    }
    for (int32_t q = 0; q < x->queues; q++)
        for (uint32_t more = 1 + below(x, 3); more > 0; more--)
            x->may_use[q] |= UINT32_C(1) << below(x, (uint32_t)x->pools);
    for (int32_t q = 0; q < x->queues; q++) /* whole groups */
        for (int32_t p = 0; p < x->pools; p++)
            for (int32_t k = 0; k < x->pools && (x->may_use[q] >> p & 1) != 0; k++)
                if (x->group[k] == x->group[p])
                    x->may_use[q] |= UINT32_C(1) << k;
    for (uint32_t g = 0; g < (uint32_t)x->pools; g++)
        for (int32_t left = size_of(x, g); left > 0; left--) {
            int32_t q = (int32_t)below(x, (uint32_t)x->queues);
            x->quota[q][g] += may_use(x, q, g);
        }
}

static void tell_fleet(struct quota_case *x, struct policy *policy)
{
    uint32_t rank = 0;
    for (int32_t p = 0; p < x->pools; p++)
        for (int32_t left = x->devices[p]; left > 0; left -= 2) {
            struct policy_node_spec node = core_node_spec(rank++, left < 2 ? left : 2);
            node.pool = (uint32_t)p;
            ck_assert_uint_ne(policy_add_node(policy, 0, &node).i, POLICY_NO_ID);
        }
}

/* Quotas of all groups that the queue may use, also of 0. */
static uint32_t list_quotas(const struct quota_case *x, int32_t q, struct policy_pool_quota *out)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < (uint32_t)x->pools; g++)
        for (int32_t p = 0, first = 1; may_use(x, q, g) && p < x->pools; p++)
            if (x->group[p] == g) {
                out[count++] = (struct policy_pool_quota){
                    .pool = (uint32_t)p, .joined = !first, .quota = x->quota[q][g] * POLICY_WHOLE};
                first = 0;
            }
    return count;
}

static void tell_queues(struct quota_case *x, struct policy *policy)
{
    for (int32_t q = 0; q < x->queues; q++) {
        uint32_t pools[POOLS], count = 0;
        struct policy_pool_quota by_pool[POOLS];
        int64_t sum = 0;
        for (uint32_t p = 0; p < (uint32_t)x->pools; p++) {
            sum += x->quota[q][p];
            if ((x->may_use[q] >> p & 1) != 0)
                pools[count++] = p;
        }
        const struct policy_share free_of = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
        const struct policy_queue_spec spec = {
            .size = sizeof spec,
            .parent = {POLICY_NO_ID},
            .rank = (uint32_t)q,
            .gpu = {sum * POLICY_WHOLE, POLICY_UNLIMITED, 1000},
            .cpu = free_of,
            .mem = free_of,
            .pools = pools,
            .pool_count = count,
            .by_pool = by_pool,
            .by_pool_count = list_quotas(x, q, by_pool),
            .preempt_min_runtime_ms = POLICY_INHERIT,
            .reclaim_min_runtime_ms = POLICY_INHERIT,
        };
        ck_assert_uint_eq(policy_add_queue(policy, 0, &spec).i, (uint32_t)q);
    }
}

/* ---- what happens ---- */

static void submit(struct quota_case *x, struct policy *policy)
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

static void end_one(struct quota_case *x, struct policy *policy)
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

static uint32_t number_of(const struct quota_case *x, policy_job id)
{
    uint32_t job = 0;
    while (x->id[job].i != id.i || x->id[job].gen != id.gen)
        job++;
    return job;
}

static void check_laws(const struct quota_case *x, struct policy *policy);

/* Decides once and carries it out; true if something started or was evicted. */
static bool decide(struct quota_case *x, struct policy *policy)
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
        acted = true;
        if (all[i].kind == POLICY_START)
            ck_assert_int_eq(policy_task_started(policy, x->now, all[i].job, POLICY_ALL_TASKS), 0);
        if (all[i].kind == POLICY_EVICT)
            ck_assert_int_eq(policy_task_releasing(policy, x->now, all[i].job, POLICY_ALL_TASKS),
                             0);
        if (all[i].kind != POLICY_NOMINATE)
            x->runs[number_of(x, all[i].job)] = all[i].kind == POLICY_START;
    }
    core_is_sound(policy);
    check_laws(x, policy);
    for (size_t i = 0; i < count; i++)
        if (all[i].kind == POLICY_EVICT)
            ck_assert_int_eq(
                policy_task_ended(policy, x->now, all[i].job, POLICY_ALL_TASKS, POLICY_EVICTED), 0);
    return acted;
}

static void settle(struct quota_case *x, struct policy *policy)
{
    int32_t decisions = 0;
    while (decide(x, policy))
        ck_assert_msg(++decisions < CALM, "case %llu goes on deciding",
                      (unsigned long long)x->seed);
}

/* ---- laws ---- */

static struct policy_queue_info info_of(struct policy *policy, int32_t q)
{
    struct policy_queue_info info = {.size = sizeof info};
    ck_assert_int_eq(policy_queue_info(policy, (policy_queue){(uint32_t)q}, &info), POLICY_OK);
    return info;
}

static struct policy_pool_share share_of(struct policy *policy, int32_t q, int32_t pool)
{
    struct policy_pool_share share = {.size = sizeof share};
    ck_assert_int_eq(policy_pool_share(policy, (policy_queue){(uint32_t)q}, (uint32_t)pool, &share),
                     POLICY_OK);
    return share;
}

static bool is_first(const struct quota_case *x, int32_t pool)
{
    return x->group[pool] == (uint32_t)pool;
}

static bool some_quota_names(const struct quota_case *x, uint32_t group)
{
    for (int32_t q = 0; q < x->queues; q++)
        if (may_use(x, q, group))
            return true;
    return false;
}

static void check_laws(const struct quota_case *x, struct policy *policy)
{
    for (int32_t q = 0; q < x->queues; q++) {
        int64_t sum = 0;
        for (int32_t p = 0; p < x->pools; p++)
            sum +=
                is_first(x, p) && may_use(x, q, (uint32_t)p) ? share_of(policy, q, p).allocated : 0;
        ck_assert_int_eq(sum, info_of(policy, q).allocated.gpu);
    }
    for (int32_t p = 0; p < x->pools; p++) {
        int64_t shares = 0, wanted = 0, quotas = 0, size = size_of(x, (uint32_t)p) * POLICY_WHOLE;
        for (int32_t q = 0; is_first(x, p) && q < x->queues; q++) {
            struct policy_pool_share share = share_of(policy, q, p);
            shares += share.fair_share;
            wanted += share.request;
            quotas += share.guaranteed;
            ck_assert_int_eq(share.guaranteed, x->quota[q][p] * POLICY_WHOLE);
        }
        if (!is_first(x, p) || !some_quota_names(x, (uint32_t)p))
            continue;
        ck_assert_int_eq(share_of(policy, 0, p).capacity, size);
        ck_assert_int_le(quotas, size);
        ck_assert_msg(shares == (wanted < size ? wanted : size),
                      "case %llu: shares of pool %d are %lld, of %lld wanted and %lld there",
                      (unsigned long long)x->seed, p, (long long)shares, (long long)wanted,
                      (long long)size);
    }
}

/* ---- the linear program ---- */

static int32_t guaranteed(const struct quota_case *x, int32_t q)
{
    int row[1 + POOLS], column[1 + POOLS], cells = 0;
    double ones[1 + POOLS];
    glp_prob *lp = glp_create_prob();
    glp_smcp options;
    glp_init_smcp(&options);
    options.msg_lev = GLP_MSG_OFF;
    glp_set_obj_dir(lp, GLP_MAX);
    glp_add_rows(lp, 1);
    glp_set_row_bnds(lp, 1, GLP_UP, 0, x->alive[q]);
    for (uint32_t g = 0; g < (uint32_t)x->pools; g++) {
        if (x->quota[q][g] == 0)
            continue;
        int at = glp_add_cols(lp, 1);
        glp_set_col_bnds(lp, at, GLP_DB, 0, x->quota[q][g]);
        glp_set_obj_coef(lp, at, 1);
        row[++cells] = 1;
        column[cells] = at;
        ones[cells] = 1;
    }
    glp_load_matrix(lp, cells, row, column, ones);
    ck_assert_int_eq(glp_simplex(lp, &options), 0);
    ck_assert_int_eq(glp_get_status(lp), GLP_OPT);
    int32_t most = (int32_t)(glp_get_obj_val(lp) + 0.5);
    glp_delete_prob(lp);
    return most;
}

static void check_guarantees(const struct quota_case *x, struct policy *policy)
{
    for (int32_t q = 0; q < x->queues; q++) {
        int32_t has = (int32_t)(info_of(policy, q).allocated.gpu / POLICY_WHOLE);
        ck_assert_msg(has >= guaranteed(x, q), "case %llu: queue %d has %d of %d guaranteed",
                      (unsigned long long)x->seed, q, has, guaranteed(x, q));
    }
}

static void play(uint64_t seed)
{
    struct quota_case x;
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

START_TEST(no_queue_stays_below_its_quotas)
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
    Suite *suite = suite_create("pool_quotas");
    TCase *tcase = tcase_create("quotas");
#if HAS_GLPK
    tcase_add_loop_test(tcase, no_queue_stays_below_its_quotas, 0, BLOCKS);
#else
    (void)puts("skipped: quotas by pool against a linear program, which needs libglpk-dev");
#endif
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
