/* SPDX-License-Identifier: MIT */
/* First fit: the feasible node with the lowest rank. */
#include "place/choose.h"
#include "state/nodes.h"

static uint32_t search(const struct pc_ask *a)
{
    uint32_t soon = PC_NONE;
    if (!pc_lists_tell(a))
        return PC_NOT_COVERED;
    if (a->request->devices == 0 || pc_wants_share(a->request)) {
        uint32_t rank = pc_first_in(a, &a->pools->up, &soon);
        return rank != PC_NONE ? rank : soon;
    }
    uint32_t best = PC_NONE;
    uint32_t best_soon = PC_NONE;
    for (int32_t free = a->request->devices; free <= a->pools->most_devices;
         free++, soon = PC_NONE) {
        uint32_t rank = pc_first_in(a, &a->pools->by_free[free], &soon);
        best = rank < best ? rank : best;
        best_soon = soon < best_soon ? soon : best_soon;
    }
    return best != PC_NONE ? best : best_soon;
}

static void rate(const struct pc_ask *a, const struct pc_node *n, struct pc_rating *rating)
{
    (void)a, (void)n, (void)rating; /* all nodes are equal */
}

const struct pc_placement pc_place_first_fit = {
    .row = {"first-fit", "the lowest-ranked node that fits"},
    .rate = rate,
    .search = search,
    .traits = PC_WALKS_FREE,
};
