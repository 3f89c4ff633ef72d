/* SPDX-License-Identifier: MIT */
/* Searches that several placements share. */
#include "cluster/nodes.h"
#include "place/choose.h"
#include "place/left.h"
#include "place/place.h"

bool pq_lists_tell(const struct pq_ask *a)
{
    const struct cluster *c = a->p->cluster;
    return c->traits.by_free && a->now_only != c->traits.nominates;
}

static uint32_t next(const struct pq_ask *a, const struct pc_bits *list, uint32_t from)
{
    return a->area->nodes != NULL ? pc_bits_next_common(list, a->area->nodes, from)
                                  : pc_bits_next(list, from);
}

uint32_t pq_first_in(const struct pq_ask *a, const struct pc_bits *list, uint32_t *soon)
{
    for (uint32_t rank = next(a, list, 0); rank != PC_NONE; rank = next(a, list, rank + 1)) {
        const struct pq_node *n = pq_ranked(a->p, rank);
        if (!pq_will_do(a, n))
            continue;
        if (a->now_only || pq_fits_now(a->p->cluster, n, a->request))
            return rank;
        if (*soon == PC_NONE)
            *soon = rank;
    }
    return PC_NONE;
}

uint32_t pq_fewest_free(const struct pq_ask *a, int32_t least)
{
    uint32_t soon = PC_NONE;
    for (int32_t free = least; free <= a->pools->most_devices; free++) {
        uint32_t rank = pq_first_in(a, &a->pools->by_free[free], &soon);
        if (rank != PC_NONE)
            return rank;
    }
    return soon;
}

uint32_t pq_most_free(const struct pq_ask *a, int32_t least)
{
    uint32_t soon = PC_NONE;
    for (int32_t free = a->pools->most_devices; free >= least; free--) {
        uint32_t rank = pq_first_in(a, &a->pools->by_free[free], &soon);
        if (rank != PC_NONE)
            return rank;
    }
    return soon;
}

bool pq_fits_shared_only(const struct pq_ask *a, const struct pq_node *n)
{
    return pq_wants_share(a->request) &&
           pq_shared_with_room(n, a->request, a->now_only) >= a->request->devices;
}

uint32_t pq_best_shared(const struct pq_ask *a,
                        void (*rate)(const struct pq_ask *, const struct pq_node *, struct pq_rating *))
{
    uint32_t best = PC_NONE;
    bool best_now = false;
    struct pq_rating best_rating = {.of = 1};
    const struct pc_bits *list = &a->pools->shared;
    for (uint32_t rank = next(a, list, 0); rank != PC_NONE; rank = next(a, list, rank + 1)) {
        const struct pq_node *n = pq_ranked(a->p, rank);
        struct pq_rating rating = {.of = 1};
        if (!pq_fits_shared_only(a, n) || !pq_will_do(a, n))
            continue;
        bool now = a->now_only || pq_fits_now(a->p->cluster, n, a->request);
        rate(a, n, &rating);
        if (best == PC_NONE || pq_is_better(&rating, now, &best_rating, best_now)) {
            best = rank;
            best_now = now;
            best_rating = rating;
        }
    }
    return best;
}
