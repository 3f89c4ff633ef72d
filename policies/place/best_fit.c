/* SPDX-License-Identifier: MIT */
/*
 * Best fit: the node with the fewest free devices that fits, lowest rank when equal. A share goes to a device that is
 * shared already, on the node with the least left, before it breaks a free one.
 *
 * Consolidated is the same for jobs that fit one node. The smaller last task of a gang that takes whole nodes goes to
 * the node with the most free devices (the rule of the Helios and Lucid simulators).
 */
#include "place/place.h"

static int32_t milli_left(const struct pc_node *n)
{
    return n->free_milli;
}

static bool best_fit(const struct policy *p, const struct pc_site *s, const struct pc_ask *ask,
                     struct pc_pick *pick)
{
    const struct pc_request *r = ask->request;
    if (pc_wants_share(r)) {
        uint32_t rank = pc_least_shared(p, s, r, milli_left);
        if (rank != PC_NONE)
            return pc_take_rank(p, rank, r, pick);
    }
    return pc_fewest_free(p, s, r, pick);
}

static bool consolidated(const struct policy *p, const struct pc_site *s, const struct pc_ask *ask,
                         struct pc_pick *pick)
{
    if (!ask->remainder)
        return best_fit(p, s, ask, pick);
    int32_t least = pc_wants_share(ask->request) ? 0 : ask->request->devices;
    for (int32_t free = s->most_devices; free >= least; free--) {
        uint32_t rank = pc_first_fitting(p, &s->by_free[free], ask->request);
        if (rank != PC_NONE)
            return pc_take_rank(p, rank, ask->request, pick);
    }
    return false;
}

const struct pc_placement pc_place_best_fit = {
    .row = {"best-fit", "the node with the fewest free devices that fits, lowest when equal"},
    .choose = best_fit,
};

/* What one task gets; where gangs go is told in place/near.h. */
const struct pc_placement pc_place_topology = {
    .row = {"topology",
            "gangs in the smallest domain of the fabric that holds them, else anywhere; by best-fit"},
    .choose = best_fit,
    .near = true,
};

const struct pc_placement pc_place_consolidated = {
    .row = {"consolidated",
            "best-fit; gangs on wholly free nodes, their remainder where most devices are free"},
    .choose = consolidated,
};
