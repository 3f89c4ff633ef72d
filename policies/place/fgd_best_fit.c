/* SPDX-License-Identifier: MIT */
/*
 * BestFit of the packing study "Beware of Fragmentation" (FGD, USENIX ATC 2023), as published: the
 * score of a node is
 *     trunc(100 (1 - [0.5 (c - cpu) / 128000 + 0.5 (R - need) / 8000]))
 *
 * with c the CPU left in thousandths of a core, R the sum of thousandths left on its devices, cpu
 * and need what the task takes. Truncation to an integer is part of the definition (it makes ties
 * common, and rank decides them); the constants are the largest node of that cluster. The choice of
 * the node only uses the sum R; a share then goes to the fullest device with room. Device memory
 * counts as a share, MIG instances by their weight in quotas.
 */
#include "place/fit_index.h"
#include "place/left.h"
#include "state/nodes.h"

/* From what would be left after the task. */
static int64_t score_with(int64_t cpu_left, int64_t milli_left)
{
    double cpu = (double)cpu_left / 128000.0;
    double gpu = (double)milli_left / 8000.0;
    return (int64_t)((1.0 - (0.5 * cpu + 0.5 * gpu)) * 100.0);
}

static void rate(const struct pc_ask *a, const struct pc_node *n, struct pc_rating *rating)
{
    rating->score =
        score_with(pc_cpu_left(n, a->now_only) - a->request->cpu,
                   pc_milli_left(n, a->now_only) - pc_weigh_on(n, a->request).of[PC_GPU]);
}

const struct pc_placement pc_place_fgd_best_fit = {
    .row = {"fgd-best-fit",
            "BestFit of the FGD paper: the least CPU and GPU left, score truncated to 0..100"},
    .rate = rate,
    .search = pc_highest_score,
    .module = &pc_fits_module,
    .traits = PC_KEEPS_SCORES,
};
