/* SPDX-License-Identifier: MIT */
/*
 * GpuClustering of the packing study "Beware of Fragmentation" (FGD, USENIX ATC 2023), as
 * published: tasks of one kind (shares, or a number of whole devices) are placed together. With
 * base = trunc(25 (8000 - R) / 8000), R the sum of thousandths left on the node's devices, a node
 * scores
 *     75 + base   only tasks of this kind are running there
 *     50 + base   tasks of this kind and others
 *     25 + base   no task with devices
 *     base        only tasks of other kinds
 *
 * A task without devices scores 0 everywhere, so the lowest rank wins. The constant is the largest
 * node of that cluster. A share goes to the fullest device with room. Device memory and MIG
 * instances are treated as shares.
 */
#include "place/fit_index.h"
#include "place/left.h"
#include "state/kinds.h"

/* Score from the tasks of each kind on a node of `devices` devices and the thousandths left. */
static int64_t score_of(const uint16_t *of_kind, uint32_t kind, int32_t devices, int32_t milli_left)
{
    int32_t base = 25 * (8000 - milli_left) / 8000;
    bool same = of_kind[kind] > 0;
    bool others = false;
    for (int32_t k = 0; k <= devices; k++)
        others = others || (of_kind[k] > 0 && (uint32_t)k != kind);
    if (same)
        return (others ? 50 : 75) + base;
    return (others ? 0 : 25) + base;
}

static void rate(const struct pc_ask *a, const struct pc_node *n, struct pc_rating *rating)
{
    uint32_t kind = pc_kind(a->request);
    if (kind != PC_NONE)
        rating->score =
            score_of(pc_tasks_of_kind(a->p, n), kind, n->devices, pc_milli_left(n, a->now_only));
}

const struct pc_placement pc_place_gpu_clustering = {
    .row = {"gpu-clustering", "GpuClustering of the FGD paper: nodes that run only tasks with the "
                              "same number of devices"},
    .rate = rate,
    .search = pc_highest_score,
    .module = &pc_fits_module,
    .traits = PC_KEEPS_SCORES | PC_COUNTS_KINDS,
};
