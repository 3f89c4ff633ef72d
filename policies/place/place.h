/* SPDX-License-Identifier: MIT */
/*
 * The placements that are built in: which node, which devices. A new one is one file here and one row in
 * placements.c. Ties always end in the node's rank, smallest first.
 */
#ifndef POLICY_PLACE_PLACE_H
#define POLICY_PLACE_PLACE_H

#include "core/nodes.h"
#include "core/state.h"

extern const struct pc_placement pc_place_count;
extern const struct pc_placement pc_place_first_fit;
extern const struct pc_placement pc_place_best_fit;
extern const struct pc_placement pc_place_consolidated;
extern const struct pc_placement pc_place_binpack;
extern const struct pc_placement pc_place_spread;
extern const struct pc_placement pc_place_random;
extern const struct pc_placement pc_place_fgd_best_fit;
extern const struct pc_placement pc_place_fgd;
extern const struct pc_placement pc_place_fgd_exact;
extern const struct pc_placement pc_place_dot_product;
extern const struct pc_placement pc_place_gpu_packing;
extern const struct pc_placement pc_place_gpu_clustering;
extern const struct pc_placement pc_place_least_allocated;
extern const struct pc_placement pc_place_most_allocated;
extern const struct pc_placement pc_place_topology;

/* A node by its rank. */
static inline const struct pc_node *pc_ranked(const struct policy *p, uint32_t rank)
{
    return &p->nodes[p->node_of_rank[rank]];
}

/* Puts the node and the usual devices on it into the pick; true, so that it can end a search. */
static inline bool pc_take_rank(const struct policy *p, uint32_t rank, const struct pc_request *r,
                                struct pc_pick *pick)
{
    pick->node = p->node_of_rank[rank];
    pick->devices = pc_devices(&p->nodes[pick->node], r);
    return true;
}

/* The lowest rank of the set at which the request fits, or PC_NONE. */
uint32_t pc_first_fitting(const struct policy *, const struct pc_bits *, const struct pc_request *);

/* Best fit for whole devices and for none: the fewest wholly free devices, then rank. */
bool pc_fewest_free(const struct policy *, const struct pc_site *, const struct pc_request *,
                    struct pc_pick *);

/* Among nodes with a shared device that has room for the share: the least left, as counted, then rank; PC_NONE. */
uint32_t pc_least_shared(const struct policy *, const struct pc_site *, const struct pc_request *,
                         int32_t (*left)(const struct pc_node *));

static inline bool pc_wants_share(const struct pc_request *r)
{
    return r->devices > 0 && r->milli < POLICY_WHOLE;
}

#endif
