/* SPDX-License-Identifier: MIT */
/* Searches shared by several placements. */
#include "place/choose.h"
#include "place/left.h"
#include "place/place.h"
#include "state/nodes.h"

bool pc_lists_tell(const struct pc_ask *a)
{
    const struct pc_cluster *c = a->p->cluster;
    return c->traits.by_free && a->now_only != c->traits.nominates;
}

static uint32_t next(const struct pc_ask *a, const struct pc_bits *list, uint32_t from)
{
    return a->area->nodes != NULL ? pc_bits_next_common(list, a->area->nodes, from)
                                  : pc_bits_next(list, from);
}

uint32_t pc_first_in(const struct pc_ask *a, const struct pc_bits *list, uint32_t *soon)
{
    for (uint32_t rank = next(a, list, 0); rank != PC_NONE; rank = next(a, list, rank + 1)) {
        const struct pc_node *n = pc_ranked(a->p, rank);
        if (!pc_offered_will_do(a, n))
            continue;
        if (a->now_only || pc_fits_now(a->p->cluster, n, a->request))
            return rank;
        if (*soon == PC_NONE)
            *soon = rank;
    }
    return PC_NONE;
}

uint32_t pc_fewest_free(const struct pc_ask *a, int32_t least)
{
    uint32_t soon = PC_NONE;
    for (int32_t free = least; free <= a->pools->most_devices; free++) {
        if (!pc_lists_free(a->pools, free))
            continue;
        uint32_t rank = pc_first_in(a, &a->pools->by_free[free], &soon);
        if (rank != PC_NONE)
            return rank;
    }
    return soon;
}

uint32_t pc_most_free(const struct pc_ask *a, int32_t least)
{
    uint32_t soon = PC_NONE;
    for (int32_t free = a->pools->most_devices; free >= least; free--) {
        if (!pc_lists_free(a->pools, free))
            continue;
        uint32_t rank = pc_first_in(a, &a->pools->by_free[free], &soon);
        if (rank != PC_NONE)
            return rank;
    }
    return soon;
}

bool pc_fits_shared_only(const struct pc_ask *a, const struct pc_node *n)
{
    return pc_wants_share(a->request) &&
           pc_shared_with_room(n, a->request, a->now_only) >= a->request->devices;
}

uint32_t pc_best_shared(const struct pc_ask *a,
                        void (*rate)(const struct pc_ask *, const struct pc_node *,
                                     struct pc_rating *))
{
    uint32_t best = PC_NONE;
    bool best_now = false;
    struct pc_rating best_rating = {.of = 1};
    const struct pc_bits *list = &a->pools->shared;
    for (uint32_t rank = next(a, list, 0); rank != PC_NONE; rank = next(a, list, rank + 1)) {
        const struct pc_node *n = pc_ranked(a->p, rank);
        struct pc_rating rating = {.of = 1};
        if (!pc_fits_shared_only(a, n) || !pc_will_do(a, n))
            continue;
        bool now = a->now_only || pc_fits_now(a->p->cluster, n, a->request);
        rate(a, n, &rating);
        if (best == PC_NONE || pc_is_better(&rating, now, &best_rating, best_now)) {
            best = rank;
            best_now = now;
            best_rating = rating;
        }
    }
    return best;
}
