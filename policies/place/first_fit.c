/* SPDX-License-Identifier: MIT */
/* First fit: the lowest rank that fits. */
#include "place/place.h"

static bool choose(const struct policy *p, const struct pc_site *s, const struct pc_ask *ask,
                   struct pc_pick *pick)
{
    const struct pc_request *r = ask->request;
    uint32_t best = PC_NONE;
    if (pc_wants_share(r) || r->devices == 0) {
        best = pc_first_fitting(p, &s->nodes, r);
    } else {
        for (int32_t free = r->devices; free <= s->most_devices; free++) {
            uint32_t rank = pc_first_fitting(p, &s->by_free[free], r);
            if (rank < best)
                best = rank;
        }
    }
    return best != PC_NONE && pc_take_rank(p, best, r, pick);
}

const struct pc_placement pc_place_first_fit = {
    .row = {"first-fit", "the lowest node that fits"},
    .choose = choose,
};
