/* SPDX-License-Identifier: MIT */
/*
 * Best fit: the feasible node with the fewest free devices; ties: the lowest rank. A share goes to
 * an already shared device, on the node with the least left, before it splits a free one.
 *
 * Consolidated is the same for jobs that fit one node. The smaller last task of a gang of whole
 * nodes goes to the node with the most free devices (the rule of the Helios and Lucid simulators).
 *
 * Device memory is treated as a share. MIG instances and tasks without devices go where the fewest
 * devices are free, including whole ones that they may split: they keep away from nodes that a gang
 * could use.
 */
#include "place/choose.h"
#include "place/domain_counts.h"
#include "place/left.h"
#include "state/nodes.h"

static void rate_best(const struct pc_ask *a, const struct pc_node *n, struct pc_rating *rating)
{
    rating->attraction = pc_fits_shared_only(a, n);
    rating->part =
        rating->attraction ? -pc_milli_left(n, a->now_only) : -pc_whole_left(n, a->now_only);
}

static uint32_t search_best(const struct pc_ask *a)
{
    if (!pc_lists_tell(a))
        return PC_NOT_COVERED;
    if (!pc_wants_share(a->request))
        return pc_fewest_free(a, a->request->devices);
    uint32_t shared = pc_best_shared(a, rate_best);
    return shared != PC_NONE ? shared : pc_fewest_free(a, 0);
}

static void rate_consolidated(const struct pc_ask *a, const struct pc_node *n,
                              struct pc_rating *rating)
{
    if (a->remainder)
        rating->part = pc_whole_left(n, a->now_only);
    else
        rate_best(a, n, rating);
}

static uint32_t search_consolidated(const struct pc_ask *a)
{
    if (!a->remainder)
        return search_best(a);
    if (!pc_lists_tell(a))
        return PC_NOT_COVERED;
    return pc_most_free(a, pc_wants_share(a->request) ? 0 : a->request->devices);
}

const struct pc_placement pc_place_best_fit = {
    .row = {"best-fit", "the feasible node with the fewest free devices; ties: lowest rank"},
    .rate = rate_best,
    .search = search_best,
    .traits = PC_WALKS_FREE,
};

/* Placement of single tasks; place/near_areas.h decides where gangs go. */
const struct pc_placement pc_place_topology = {
    .row = {"topology",
            "gangs in the smallest topology domain that holds them, else anywhere; by best-fit"},
    .rate = rate_best,
    .search = search_best,
    .module = &pc_domain_counts_module,
    .traits = PC_WALKS_FREE | PC_GANGS_NEAR,
};

const struct pc_placement pc_place_consolidated = {
    .row =
        {"consolidated",
         "best-fit; gangs on wholly free nodes, their remainder where the most devices are free"},
    .rate = rate_consolidated,
    .search = search_consolidated,
    .traits = PC_WALKS_FREE,
};
