/* SPDX-License-Identifier: MIT */
/*
 * BestFit of the packing study "Beware of Fragmentation" (FGD, USENIX ATC 2023), as published: the score of a node is
 *     trunc(100 (1 - [0.5 (c - cpu) / 128000 + 0.5 (R - need) / 8000]))
 * with c the CPU left in thousandths of a core, R the sum of thousandths left on its devices, cpu and need what the
 * task takes. Truncation to an integer is part of the definition (it makes ties common, and rank decides them); the
 * constants are the largest node of that cluster. The node's choice sees only the sum R; a share then goes to the
 * fullest device with room.
 */
#include "place/place.h"

static int64_t score(const struct pc_node *n, const struct pc_request *r)
{
    double cpu = (double)(n->cpu_free - r->cpu) / 128000.0;
    double gpu = (double)((int64_t)n->free_milli - (int64_t)r->devices * r->milli) / 8000.0;
    return (int64_t)((1.0 - (0.5 * cpu + 0.5 * gpu)) * 100.0);
}

static bool choose(const struct policy *p, const struct pc_site *s, const struct pc_ask *ask,
                   struct pc_pick *pick)
{
    uint32_t best = PC_NONE;
    int64_t best_score = 0;
    for (uint32_t rank = pc_bits_first(&s->nodes); rank != PC_NONE;
         rank = pc_bits_next(&s->nodes, rank + 1)) {
        const struct pc_node *n = pc_ranked(p, rank);
        if (!pc_fits(n, ask->request))
            continue;
        int64_t sc = score(n, ask->request);
        if (best == PC_NONE || sc > best_score) {
            best = rank;
            best_score = sc;
        }
    }
    return best != PC_NONE && pc_take_rank(p, best, ask->request, pick);
}

const struct pc_placement pc_place_fgd_best_fit = {
    {"fgd-best-fit", "BestFit of the FGD paper: the least CPU and GPU left, score truncated to 0..100"},
    choose,
    false
};
