/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random fleets of a few pools, queues with quotas by pool that add up to no more than the pool,
 * and streams of preemptible jobs of one device (tests/lib/pool_world.h). When the policy comes to
 * rest, each queue has at least its guarantee, which is the optimum of the linear program
 *
 *     maximize    sum of x[p]                                          over the pools of the queue
 *     subject to  sum over p of x[p] <= jobs of the queue,  0 <= x[p] <= its quota in p
 *
 * that GLPK solves (Debian: libglpk-dev). Laws, after each decision: the allocations of a queue by
 * pool add up to its allocation; fair shares of a pool add up to its devices, or to the requests
 * for it if they are less. FAUXFLEET_SEED=n plays one case.
 */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"
#include "tests/lib/pool_world.h"

#include <stdio.h>
#include <stdlib.h>

#define HAS_GLPK __has_include(<glpk.h>)
#if HAS_GLPK
#include <glpk.h>
#endif

#if HAS_GLPK

enum { CASES = 1000, BLOCKS = 10, POOLS = POOL_WORLD_POOLS, QUEUES = POOL_WORLD_QUEUES };

struct quota_case {
    struct pool_world world;      /* first */
    uint32_t group[POOLS];        /* pools with the same number share quotas */
    int32_t quota[QUEUES][POOLS]; /* by group, in devices */
};

static int32_t size_of(const struct quota_case *x, uint32_t group)
{
    int32_t size = 0;
    for (int32_t p = 0; p < x->world.pools; p++)
        size += x->group[p] == group ? x->world.devices[p] : 0;
    return size;
}

/* Returns true if the queue may use all pools of the group. */
static bool may_use(const struct quota_case *x, int32_t q, uint32_t group)
{
    bool all = true, any = false;
    for (int32_t p = 0; p < x->world.pools; p++)
        if (x->group[p] == group) {
            any = true;
            all &= (x->world.may_use[q] >> p & 1) != 0;
        }
    return all && any;
}

/* Lets queues that may use a pool use its whole group. */
static void widen_to_groups(struct quota_case *x)
{
    struct pool_world *w = &x->world;
    for (int32_t q = 0; q < w->queues; q++)
        for (int32_t p = 0; p < w->pools; p++)
            for (int32_t k = 0; k < w->pools && (w->may_use[q] >> p & 1) != 0; k++)
                if (x->group[k] == x->group[p])
                    w->may_use[q] |= UINT32_C(1) << k;
}

/* Each device of a group is part of the quota of a random queue, if that may use the group. */
static void draw(struct quota_case *x)
{
    struct pool_world *w = &x->world;
    pool_world_draw_sizes(w);
    for (int32_t p = 0; p < w->pools; p++) {
        w->devices[p] = 1 + (int32_t)pool_world_below(w, 3);
        x->group[p] = p > 0 && pool_world_below(w, 4) == 0 ? x->group[p - 1] : (uint32_t)p;
    }
    for (int32_t q = 0; q < w->queues; q++)
        pool_world_draw_may_use(w, q, 1 + pool_world_below(w, 3));
    widen_to_groups(x);
    for (uint32_t g = 0; g < (uint32_t)w->pools; g++)
        for (int32_t left = size_of(x, g); left > 0; left--) {
            int32_t q = (int32_t)pool_world_below(w, (uint32_t)w->queues);
            x->quota[q][g] += may_use(x, q, g);
        }
}

/* Lists the quotas of all groups that the queue may use, including those of 0. */
static uint32_t list_quotas(const struct quota_case *x, int32_t q, struct policy_pool_quota *out)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < (uint32_t)x->world.pools; g++)
        for (int32_t p = 0, first = 1; may_use(x, q, g) && p < x->world.pools; p++)
            if (x->group[p] == g) {
                out[count++] = (struct policy_pool_quota){
                    .pool = (uint32_t)p, .joined = !first, .quota = x->quota[q][g] * POLICY_WHOLE};
                first = 0;
            }
    return count;
}

static void add_queues(struct quota_case *x)
{
    for (int32_t q = 0; q < x->world.queues; q++) {
        struct policy_pool_quota by_pool[POOLS];
        int64_t sum = 0;
        for (int32_t p = 0; p < x->world.pools; p++)
            sum += x->quota[q][p];
        pool_world_add_queue(&x->world, q, sum, by_pool, list_quotas(x, q, by_pool));
    }
}

/* ---- laws ---- */

static struct policy_pool_share share_of(const struct pool_world *w, int32_t q, int32_t pool)
{
    struct policy_pool_share share = {.size = sizeof share};
    ck_assert_int_eq(
        policy_pool_share(w->policy, (policy_queue){(uint32_t)q}, (uint32_t)pool, &share),
        POLICY_OK);
    return share;
}

static bool is_first(const struct quota_case *x, int32_t pool)
{
    return x->group[pool] == (uint32_t)pool;
}

static bool some_quota_names(const struct quota_case *x, uint32_t group)
{
    for (int32_t q = 0; q < x->world.queues; q++)
        if (may_use(x, q, group))
            return true;
    return false;
}

static void check_laws(struct pool_world *w)
{
    const struct quota_case *x = (const struct quota_case *)w;
    for (int32_t q = 0; q < w->queues; q++) {
        int64_t sum = 0;
        for (int32_t p = 0; p < w->pools; p++)
            sum += is_first(x, p) && may_use(x, q, (uint32_t)p) ? share_of(w, q, p).allocated : 0;
        ck_assert_int_eq(sum, pool_world_info(w, q).allocated.gpu);
    }
    for (int32_t p = 0; p < w->pools; p++) {
        int64_t shares = 0, wanted = 0, quotas = 0, size = size_of(x, (uint32_t)p) * POLICY_WHOLE;
        for (int32_t q = 0; is_first(x, p) && q < w->queues; q++) {
            struct policy_pool_share share = share_of(w, q, p);
            shares += share.fair_share;
            wanted += share.request;
            quotas += share.guaranteed;
            ck_assert_int_eq(share.guaranteed, x->quota[q][p] * POLICY_WHOLE);
        }
        if (!is_first(x, p) || !some_quota_names(x, (uint32_t)p))
            continue;
        ck_assert_int_eq(share_of(w, 0, p).capacity, size);
        ck_assert_int_le(quotas, size);
        ck_assert_msg(
            shares == (wanted < size ? wanted : size),
            "case %llu: shares of pool %d are %lld, with %lld requested and %lld in the pool",
            (unsigned long long)w->seed, p, (long long)shares, (long long)wanted, (long long)size);
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
    glp_set_row_bnds(lp, 1, GLP_UP, 0, x->world.alive[q]);
    for (uint32_t g = 0; g < (uint32_t)x->world.pools; g++) {
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

static void check_guarantees(struct pool_world *w)
{
    const struct quota_case *x = (const struct quota_case *)w;
    for (int32_t q = 0; q < w->queues; q++) {
        int32_t has = (int32_t)(pool_world_info(w, q).allocated.gpu / POLICY_WHOLE);
        ck_assert_msg(has >= guaranteed(x, q), "case %llu: queue %d has %d of %d guaranteed",
                      (unsigned long long)w->seed, q, has, guaranteed(x, q));
    }
}

static void play(uint64_t seed)
{
    struct tally tally = {0};
    struct quota_case x = {.world = {.state = seed,
                                     .seed = seed,
                                     .check_decision = check_laws,
                                     .check_rest = check_guarantees}};
    draw(&x);
    x.world.policy = core_create(&tally, "runai", "");
    pool_world_add_nodes(&x.world);
    add_queues(&x);
    pool_world_play(&x.world);
    core_destroy(x.world.policy, &tally);
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
