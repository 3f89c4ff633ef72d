/* SPDX-License-Identifier: MIT */
/* First fit: the lowest rank that fits, whatever the task asks for. */
#include "cluster/nodes.h"
#include "place/choose.h"

static uint32_t search(const struct pq_ask *a)
{
    uint32_t soon = PC_NONE;
    if (!pq_lists_tell(a))
        return PQ_NOT_COVERED;
    if (a->request->devices == 0 || pq_wants_share(a->request)) {
        uint32_t rank = pq_first_in(a, &a->pools->up, &soon);
        return rank != PC_NONE ? rank : soon;
    }
    uint32_t best = PC_NONE;
    uint32_t best_soon = PC_NONE;
    for (int32_t free = a->request->devices; free <= a->pools->most_devices; free++, soon = PC_NONE) {
        uint32_t rank = pq_first_in(a, &a->pools->by_free[free], &soon);
        best = rank < best ? rank : best;
        best_soon = soon < best_soon ? soon : best_soon;
    }
    return best != PC_NONE ? best : best_soon;
}

static void rate(const struct pq_ask *a, const struct pq_node *n, struct pq_rating *rating)
{
    (void)a, (void)n, (void)rating; /* all are as good */
}

const struct pq_placement pq_place_first_fit = {
    .row = {"first-fit", "the lowest node that fits"},
    .rate = rate,
    .search = search,
    .traits = PQ_WALKS_FREE,
};
