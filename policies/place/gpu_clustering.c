/* SPDX-License-Identifier: MIT */
/*
 * GpuClustering of the packing study "Beware of Fragmentation" (FGD, USENIX ATC 2023), as published: tasks of one kind,
 * shares or a number of whole devices, stand together. With base = trunc(25 (8000 - R) / 8000), R the sum of thousandths
 * left on the node's devices, a node scores
 *
 *     75 + base    tasks of this kind run there, and of no other
 *     50 + base    tasks of this kind run there among others
 *     25 + base    no task with devices runs there
 *          base    only tasks of other kinds
 *
 * A task without devices scores 0 everywhere, so that the lowest rank takes it. The constant is the largest node of that
 * cluster. A share goes to the fullest device with room.
 */
#include "place/place.h"
#include "place/scores.h"

static int64_t score(const struct policy *p, const struct pc_node *n, const struct pc_request *r)
{
    (void)p;
    if (r->devices == 0)
        return 0;
    int32_t base = 25 * (8000 - n->free_milli) / 8000;
    uint32_t kind = pc_kind(r);
    bool same = n->of_kind[kind] > 0;
    bool others = false;
    for (int32_t k = 0; k <= n->devices; k++)
        others = others || (n->of_kind[k] > 0 && (uint32_t)k != kind);
    if (same)
        return (others ? 50 : 75) + base;
    return (others ? 0 : 25) + base;
}

static bool choose(const struct policy *p, const struct pc_site *s, const struct pc_ask *ask,
                   struct pc_pick *pick)
{
    uint32_t rank = pc_highest_kept(p, s, ask, score);
    return rank != PC_NONE && pc_take_rank(p, rank, ask->request, pick);
}

const struct pc_placement pc_place_gpu_clustering = {
    .row = {"gpu-clustering",
            "GpuClustering of the FGD paper: where tasks of as many devices run, and of no other number"},
    .choose = choose,
    .keeps_scores = true,
};
