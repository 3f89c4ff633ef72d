/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random fleets with a few pools, queues that may use some of them, and streams of preemptible
 * single-device jobs that arrive and end while the quota policy starts, moves and reclaims
 * (tests/lib/pool_world.h). When the policy comes to rest, no queue may be below its guarantee if
 * there is an assignment that serves it: the sum over the queues of what they have within their
 * quotas must be the optimum of the linear program
 *
 *     maximize    sum of x[q][p]                  over queues and the pools that they may use
 *     subject to  sum over p of x[q][p] <= min(jobs of q, quota of q),
 *                 sum over q of x[q][p] <= devices of p,  x >= 0
 *
 * which GLPK solves (Debian: libglpk-dev). If all guarantees can be met, this means each of them.
 * FAUXFLEET_SEED=n plays one case.
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

struct pool_case {
    struct pool_world world; /* first */
    int32_t quota[QUEUES];
};

/* Few pools per queue, and quotas of about as many devices as exist: guarantees are tight. */
static void draw(struct pool_case *x)
{
    struct pool_world *w = &x->world;
    pool_world_draw_sizes(w);
    for (int32_t p = 0; p < w->pools; p++)
        w->devices[p] = 1 + (int32_t)pool_world_below(w, 3);
    for (int32_t q = 0; q < w->queues; q++) {
        pool_world_draw_may_use(w, q, 1 + pool_world_below(w, 2));
        x->quota[q] = (int32_t)pool_world_below(w, 4);
    }
}

static int32_t guaranteed(const struct pool_case *x, int32_t q)
{
    int32_t alive = (int32_t)x->world.alive[q];
    return x->quota[q] < alive ? x->quota[q] : alive;
}

/* ---- the linear program ---- */

static int32_t most_served(const struct pool_case *x)
{
    const struct pool_world *w = &x->world;
    int row[1 + 2 * QUEUES * POOLS], column[1 + 2 * QUEUES * POOLS], at = 0, cells = 0;
    double ones[1 + 2 * QUEUES * POOLS];
    glp_prob *lp = glp_create_prob();
    glp_smcp options;
    glp_init_smcp(&options);
    options.msg_lev = GLP_MSG_OFF;
    glp_set_obj_dir(lp, GLP_MAX);
    glp_add_rows(lp, w->queues + w->pools);
    for (int q = 0; q < w->queues; q++)
        glp_set_row_bnds(lp, 1 + q, GLP_UP, 0, guaranteed(x, q));
    for (int p = 0; p < w->pools; p++)
        glp_set_row_bnds(lp, 1 + w->queues + p, GLP_UP, 0, w->devices[p]);
    for (int q = 0; q < w->queues; q++)
        for (int p = 0; p < w->pools; p++) {
            if ((w->may_use[q] >> p & 1) == 0)
                continue;
            at = glp_add_cols(lp, 1);
            glp_set_col_bnds(lp, at, GLP_LO, 0, 0);
            glp_set_obj_coef(lp, at, 1);
            row[++cells] = 1 + q;
            row[cells + 1] = 1 + w->queues + p;
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

static void check_guarantees(struct pool_world *w)
{
    const struct pool_case *x = (const struct pool_case *)w;
    int32_t served = 0;
    for (int32_t q = 0; q < w->queues; q++) {
        int32_t has = (int32_t)(pool_world_info(w, q).allocated.gpu / POLICY_WHOLE);
        served += has < guaranteed(x, q) ? has : guaranteed(x, q);
    }
    int32_t most = most_served(x);
    ck_assert_msg(served == most, "case %llu: %d devices serve guarantees, %d could",
                  (unsigned long long)w->seed, served, most);
}

static void play(uint64_t seed)
{
    struct tally tally = {0};
    struct pool_case x = {.world = {.state = seed, .seed = seed, .check_rest = check_guarantees}};
    draw(&x);
    x.world.policy = core_create(&tally, "runai", "");
    pool_world_add_nodes(&x.world);
    for (int32_t q = 0; q < x.world.queues; q++)
        pool_world_add_queue(&x.world, q, x.quota[q], NULL, 0);
    pool_world_play(&x.world);
    core_destroy(x.world.policy, &tally);
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
