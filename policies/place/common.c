/* SPDX-License-Identifier: MIT */
/* Searches that several placements share. */
#include "place/place.h"

uint32_t pc_first_fitting(const struct policy *p, const struct pc_bits *set, const struct pc_request *r)
{
    uint32_t rank = pc_bits_first(set);
    while (rank != PC_NONE && !pc_fits(pc_ranked(p, rank), r))
        rank = pc_bits_next(set, rank + 1);
    return rank;
}

bool pc_fewest_free(const struct policy *p, const struct pc_site *s, const struct pc_request *r,
                    struct pc_pick *pick)
{
    int32_t least = pc_wants_share(r) ? 0 : r->devices;
    for (int32_t free = least; free <= s->most_devices; free++) {
        uint32_t rank = pc_first_fitting(p, &s->by_free[free], r);
        if (rank != PC_NONE)
            return pc_take_rank(p, rank, r, pick);
    }
    return false;
}

uint32_t pc_least_shared(const struct policy *p, const struct pc_site *s, const struct pc_request *r,
                         int32_t (*left)(const struct pc_node *))
{
    uint32_t best = PC_NONE;
    for (uint32_t rank = pc_bits_first(&s->shared); rank != PC_NONE;
         rank = pc_bits_next(&s->shared, rank + 1)) {
        struct pc_node shared_only = *pc_ranked(p, rank);
        shared_only.whole = 0;
        if (pc_fits(&shared_only, r) &&
            (best == PC_NONE || left(pc_ranked(p, rank)) < left(pc_ranked(p, best))))
            best = rank;
    }
    return best;
}
