/* SPDX-License-Identifier: MIT */
/*
 * Bin-packing and spreading as defined by quota schedulers of the Run:ai kind: nodes are compared
 * by
 *   1. a shared device with room for the share, before splitting a free one (binpack only);
 *   2. for tasks without devices: nodes without devices first;
 *   3. binpack: the fewest wholly free devices (tasks without devices: the least free CPU); spread:
 *      the largest fraction of devices free (of CPU free);
 *   4. rank.
 *
 * Partly used devices count as taken. Device memory is treated as a share. MIG instances are placed
 * like devices and are attracted by none; the core chooses the device on the node.
 */
#include "place/choose.h"
#include "place/left.h"
#include "state/nodes.h"

static bool is_for_devices(const struct pc_request *r)
{
    return r->devices > 0 || r->wants_mig;
}

static void rate_binpack(const struct pc_ask *a, const struct pc_node *n, struct pc_rating *rating)
{
    bool devices = is_for_devices(a->request);
    rating->attraction = pc_fits_shared_only(a, n);
    rating->score = !devices && n->devices == 0;
    rating->part = devices ? -pc_whole_left(n, a->now_only) : -pc_cpu_left(n, a->now_only);
}

static uint32_t search_binpack(const struct pc_ask *a)
{
    if (!is_for_devices(a->request) || !pc_lists_tell(a))
        return PC_NOT_COVERED;
    if (!pc_wants_share(a->request))
        return pc_fewest_free(a, a->request->devices);
    uint32_t shared = pc_best_shared(a, rate_binpack);
    return shared != PC_NONE ? shared : pc_fewest_free(a, 0);
}

static void rate_spread(const struct pc_ask *a, const struct pc_node *n, struct pc_rating *rating)
{
    bool devices = is_for_devices(a->request);
    int64_t of = devices ? n->devices : n->cpu_total;
    rating->score = !devices && n->devices == 0;
    rating->part = devices ? pc_whole_left(n, a->now_only) : pc_cpu_left(n, a->now_only);
    rating->of = of > 0 ? of : 1;
}

/* As in lanes; a node where the task only fits after release does not end the search. */
static uint32_t search_spread(const struct pc_ask *a)
{
    const struct pc_pool_set *s = a->pools;
    if (!is_for_devices(a->request) || !pc_lists_tell(a) || !a->now_only || a->area->nodes != NULL)
        return PC_NOT_COVERED;
    uint32_t best = PC_NONE;
    struct pc_rating best_rating = {.of = 1};
    int32_t least = pc_shares_devices(a->request) ? 0 : a->request->devices;
    for (int32_t free = s->most_devices; free >= least; free--) {
        const struct pc_rating at_most = {.part = free, .of = s->fewest_devices};
        if (best != PC_NONE && pc_is_better(&best_rating, true, &at_most, true))
            break;
        const struct pc_bits *list = &s->by_free[free];
        for (uint32_t rank = pc_bits_first(list); rank != PC_NONE;
             rank = pc_bits_next(list, rank + 1)) {
            const struct pc_node *n = pc_ranked(a->p, rank);
            struct pc_rating rating = {.of = 1};
            if (!pc_will_do(a, n))
                continue;
            rate_spread(a, n, &rating);
            bool better = best == PC_NONE || pc_is_better(&rating, true, &best_rating, true);
            if (better || (rank < best && !pc_is_better(&best_rating, true, &rating, true))) {
                best = rank;
                best_rating = rating;
            }
            if (n->devices == s->fewest_devices)
                break; /* the rest of this list is no better */
        }
    }
    return best;
}

const struct pc_placement pc_place_binpack = {
    .row = {"binpack", "shared devices first, then the node with the fewest free devices"},
    .rate = rate_binpack,
    .search = search_binpack,
    .traits = PC_WALKS_FREE,
};

const struct pc_placement pc_place_spread = {
    .row = {"spread", "the node with the largest fraction of its devices free"},
    .rate = rate_spread,
    .search = search_spread,
    .traits = PC_WALKS_FREE,
};
