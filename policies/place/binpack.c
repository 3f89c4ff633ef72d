/* SPDX-License-Identifier: MIT */
/*
 * Bin-packing and spreading as quota schedulers of the Run:ai kind define them: nodes are compared by
 *   1. a shared device that has room for the share, before breaking a free one (binpack only);
 *   2. for tasks without devices: nodes without devices first;
 *   3. binpack: the fewest wholly free devices (tasks without devices: the least free CPU);
 *      spread: the largest share of devices free (of CPU free);
 *   4. rank.
 * Partly used devices count as taken. Memory of devices is a share. MIG instances are placed like devices, and no device
 * attracts them: which device of a node they go to is the engine's choice.
 */
#include "cluster/nodes.h"
#include "place/choose.h"
#include "place/left.h"

/*
 * Whether a/b > c/d for non-negative numbers, exactly: by the whole parts, then by the remainders turned over, as in
 * Euclid's algorithm. b or d 0 counts as 0.
 */
static bool ratio_above(int64_t a, int64_t b, int64_t c, int64_t d)
{
    if (b == 0)
        return false;
    if (d == 0)
        return a > 0;
    for (;;) {
        int64_t whole = a / b;
        int64_t other = c / d;
        if (whole != other)
            return whole > other;
        int64_t rest = a % b;
        int64_t other_rest = c % d;
        if (rest == 0 || other_rest == 0)
            return rest > 0;
        /* rest/b > other_rest/d  where  d/other_rest > b/rest */
        a = d;
        c = b;
        b = other_rest;
        d = rest;
    }
}

/* For tasks without devices, over all nodes: there is no index by CPU, and such tasks are few. */
static bool by_cpu(const struct policy *p, const struct pc_site *s, const struct pc_request *r, bool spread,
                   struct pc_pick *pick)
{
    uint32_t best = PC_NONE;
    for (uint32_t rank = pc_bits_first(&s->nodes); rank != PC_NONE;
         rank = pc_bits_next(&s->nodes, rank + 1)) {
        const struct pc_node *n = pc_ranked(p, rank);
        if (!pc_fits(n, r))
            continue;
        const struct pc_node *b = best == PC_NONE ? NULL : pc_ranked(p, best);
        bool better = b == NULL;
        if (!better && (n->devices == 0) != (b->devices == 0))
            better = n->devices == 0;
        else if (!better)
            better = spread ? ratio_above(n->cpu_free, n->cpu_total, b->cpu_free, b->cpu_total)
                            : n->cpu_free < b->cpu_free;
        if (better)
            best = rank;
    }
    return best != PC_NONE && pc_take_rank(p, best, r, pick);
}

static int32_t whole_left(const struct pc_node *n)
{
    return pc_popcount(n->whole);
}

static bool binpack(const struct policy *p, const struct pc_site *s, const struct pc_ask *ask,
                    struct pc_pick *pick)
{
    const struct pc_request *r = ask->request;
    if (r->devices == 0)
        return by_cpu(p, s, r, false, pick);
    if (pc_wants_share(r)) {
        uint32_t rank = pc_least_shared(p, s, r, whole_left);
        if (rank != PC_NONE)
            return pc_take_rank(p, rank, r, pick);
    }
    return pc_fewest_free(p, s, r, pick);
}

/* Whether a node (by rank) is the better choice for spreading. */
static bool spreads_better(const struct policy *p, uint32_t rank, uint32_t best)
{
    const struct pc_node *n = pc_ranked(p, rank);
    const struct pc_node *b = pc_ranked(p, best);
    int free = pc_popcount(n->whole);
    int best_free = pc_popcount(b->whole);
    if (ratio_above(free, n->devices, best_free, b->devices))
        return true;
    return rank < best && !ratio_above(best_free, b->devices, free, n->devices);
}

/*
 * From the lists of most free devices down. A node in a shorter list can only be as good when it has fewer devices, so
 * the search ends where even the smallest node of the site would be worse.
 */
static bool spread(const struct policy *p, const struct pc_site *s, const struct pc_ask *ask,
                   struct pc_pick *pick)
{
    const struct pc_request *r = ask->request;
    if (r->devices == 0)
        return by_cpu(p, s, r, true, pick);
    uint32_t best = PC_NONE;
    int32_t least = pc_wants_share(r) ? 0 : r->devices;
    for (int32_t free = s->most_devices; free >= least; free--) {
        if (best != PC_NONE && ratio_above(pc_popcount(pc_ranked(p, best)->whole),
                                           pc_ranked(p, best)->devices, free, s->fewest_devices))
            break;
        const struct pc_bits *set = &s->by_free[free];
        for (uint32_t rank = pc_bits_first(set); rank != PC_NONE; rank = pc_bits_next(set, rank + 1)) {
            const struct pc_node *n = pc_ranked(p, rank);
            if (!pc_fits(n, r))
                continue;
            if (best == PC_NONE || spreads_better(p, rank, best))
                best = rank;
            if (n->devices == s->fewest_devices)
                break; /* nothing better in this list */
        }
    }
    return best != PC_NONE && pc_take_rank(p, best, r, pick);
}

const struct pc_placement pc_place_binpack = {
    .row = {"binpack", "shared devices first, then the node with the fewest free devices"},
    .choose = binpack,
};

const struct pc_placement pc_place_spread = {
    .row = {"spread", "the node with the largest share of its devices free"},
    .choose = spread,
};

/* ---- the quota state ---- */

static bool is_for_devices(const struct pq_request *r)
{
    return r->devices > 0 || r->wants_mig;
}

static void rate_binpack(const struct pq_ask *a, const struct pq_node *n, struct pq_rating *rating)
{
    bool devices = is_for_devices(a->request);
    rating->attraction = pq_fits_shared_only(a, n);
    rating->score = !devices && n->devices == 0;
    rating->part = devices ? -pq_whole_left(n, a->now_only) : -pq_cpu_left(n, a->now_only);
}

static uint32_t search_binpack(const struct pq_ask *a)
{
    if (!is_for_devices(a->request) || !pq_lists_tell(a))
        return PQ_NOT_COVERED;
    if (!pq_wants_share(a->request))
        return pq_fewest_free(a, a->request->devices);
    uint32_t shared = pq_best_shared(a, rate_binpack);
    return shared != PC_NONE ? shared : pq_fewest_free(a, 0);
}

static void rate_spread(const struct pq_ask *a, const struct pq_node *n, struct pq_rating *rating)
{
    bool devices = is_for_devices(a->request);
    int64_t of = devices ? n->devices : n->cpu_total;
    rating->score = !devices && n->devices == 0;
    rating->part = devices ? pq_whole_left(n, a->now_only) : pq_cpu_left(n, a->now_only);
    rating->of = of > 0 ? of : 1;
}

/* As for lines; a node where the task only fits after release never ends the search. */
static uint32_t search_spread(const struct pq_ask *a)
{
    const struct pq_pool_set *s = a->pools;
    if (!is_for_devices(a->request) || !pq_lists_tell(a) || !a->now_only || a->area->nodes != NULL)
        return PQ_NOT_COVERED;
    uint32_t best = PC_NONE;
    struct pq_rating best_rating = {.of = 1};
    int32_t least = pq_shares_devices(a->request) ? 0 : a->request->devices;
    for (int32_t free = s->most_devices; free >= least; free--) {
        const struct pq_rating at_most = {.part = free, .of = s->fewest_devices};
        if (best != PC_NONE && pq_is_better(&best_rating, true, &at_most, true))
            break;
        const struct pc_bits *list = &s->by_free[free];
        for (uint32_t rank = pc_bits_first(list); rank != PC_NONE; rank = pc_bits_next(list, rank + 1)) {
            const struct pq_node *n = pq_ranked(a->p, rank);
            struct pq_rating rating = {.of = 1};
            if (!pq_will_do(a, n))
                continue;
            rate_spread(a, n, &rating);
            bool better = best == PC_NONE || pq_is_better(&rating, true, &best_rating, true);
            if (better || (rank < best && !pq_is_better(&best_rating, true, &rating, true))) {
                best = rank;
                best_rating = rating;
            }
            if (n->devices == s->fewest_devices)
                break; /* nothing better in this list */
        }
    }
    return best;
}

const struct pq_placement pq_place_binpack = {
    .row = {"binpack", "shared devices first, then the node with the fewest free devices"},
    .rate = rate_binpack,
    .search = search_binpack,
    .traits = PQ_WALKS_FREE,
};

const struct pq_placement pq_place_spread = {
    .row = {"spread", "the node with the largest share of its devices free"},
    .rate = rate_spread,
    .search = search_spread,
    .traits = PQ_WALKS_FREE,
};
