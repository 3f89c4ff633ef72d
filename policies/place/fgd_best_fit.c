/* SPDX-License-Identifier: MIT */
/*
 * BestFit of the packing study "Beware of Fragmentation" (FGD, USENIX ATC 2023), as published: the score of a node is
 *     trunc(100 (1 - [0.5 (c - cpu) / 128000 + 0.5 (R - need) / 8000]))
 * with c the CPU left in thousandths of a core, R the sum of thousandths left on its devices, cpu and need what the
 * task takes. Truncation to an integer is part of the definition (it makes ties common, and rank decides them); the
 * constants are the largest node of that cluster. The node's choice sees only the sum R; a share then goes to the
 * fullest device with room. Memory of devices counts as a share, MIG instances by their weight in quotas.
 */
#include "cluster/nodes.h"
#include "place/fit_index.h"
#include "place/left.h"

/* With what would be left after the task. */
static int64_t score_with(int64_t cpu_left, int64_t milli_left)
{
    double cpu = (double)cpu_left / 128000.0;
    double gpu = (double)milli_left / 8000.0;
    return (int64_t)((1.0 - (0.5 * cpu + 0.5 * gpu)) * 100.0);
}

static void rate(const struct pq_ask *a, const struct pq_node *n, struct pq_rating *rating)
{
    rating->score = score_with(pq_cpu_left(n, a->now_only) - a->request->cpu,
                               pq_milli_left(n, a->now_only) - pq_weigh_on(n, a->request).of[PQ_GPU]);
}

const struct pq_placement pq_place_fgd_best_fit = {
    .row = {"fgd-best-fit",
            "BestFit of the FGD paper: the least CPU and GPU left, score truncated to 0..100"},
    .rate = rate,
    .search = pq_highest_score,
    .module = &pq_fits_module,
    .traits = PQ_KEEPS_SCORES,
};
