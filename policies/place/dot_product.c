/* SPDX-License-Identifier: MIT */
/*
 * DotProd of the packing study "Beware of Fragmentation" (FGD, USENIX ATC 2023), as published: the
 * score of a node is
 *     trunc(100 (1 - d / 2)),  d = (c / 128000) (cpu / 128000) + (R / 8000) (need / 8000)
 *
 * with c the CPU left in thousandths of a core, R the sum of thousandths left on its devices, cpu
 * and need what the task takes. So the node least similar to the task is preferred, the reverse of
 * the usual heuristic. Truncation to an integer is part of the definition; the constants are the
 * largest node of that cluster. CPU that is not modelled does not contribute to d. A share goes to
 * the fullest device with room. Device memory counts as a share, MIG instances by their weight in
 * quotas.
 */
#include "place/fit_index.h"
#include "place/left.h"
#include "state/nodes.h"

/* far below any possible score, and still an exact integer */
#define WORST (-1e15)

/* From what is left of a node (CPU 0 if not modelled) and what the task needs. */
static int64_t score_of(int64_t cpu_left, int64_t milli_left, int64_t cpu_needed,
                        int64_t milli_needed)
{
    double cpu = (double)cpu_left / 128000.0 * ((double)cpu_needed / 128000.0);
    double gpu = (double)milli_left / 8000.0 * ((double)milli_needed / 8000.0);
    double unlike = 100.0 * (1.0 - (cpu + gpu) / 2.0);
    return (int64_t)(unlike > WORST ? unlike : WORST);
}

static void rate(const struct pc_ask *a, const struct pc_node *n, struct pc_rating *rating)
{
    rating->score = score_of(n->cpu_total >= PC_PLENTY ? 0 : pc_cpu_left(n, a->now_only),
                             pc_milli_left(n, a->now_only), a->request->cpu,
                             pc_weigh_on(n, a->request).of[PC_GPU]);
}

const struct pc_placement pc_place_dot_product = {
    .row = {"dot-product", "DotProd of the FGD paper: the free resources resemble the task least, "
                           "truncated to 0..100"},
    .rate = rate,
    .search = pc_highest_score,
    .module = &pc_fits_module,
    .traits = PC_KEEPS_SCORES,
};
