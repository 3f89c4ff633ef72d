/* SPDX-License-Identifier: MIT */
/*
 * Packing and spreading by the options gpu_placement and cpu_placement, like quota schedulers of
 * the Run:ai kind: nodes are compared by
 *   1. gpu_placement=binpack: a shared device that attracts the task: one with room for a share;
 *      tasks without devices are attracted by any, since they take nothing of it;
 *   2. fits now before fits after release;
 *   3. tasks without devices: nodes without devices first;
 *   4. binpack: the fewest wholly free devices (tasks without devices: the least free CPU); spread:
 *      the largest fraction of devices free (of CPU free);
 *   5. rank.
 *
 * Devices being released count as free, nominated ones do not. MIG instances are placed like
 * devices: where the fewest whole devices are free, or the largest fraction of them.
 *
 * The search walks the lists of nodes by free devices, fewest first; for shares it starts with the
 * nodes that have a shared device.
 */
#include "place/choose.h"
#include "state/nodes.h"

static bool is_for_devices(const struct pc_request *r)
{
    return r->devices > 0 || r->wants_mig;
}

static bool is_attracted(const struct pc_ask *a, const struct pc_node *n)
{
    if (a->p->config.quota.gpu_placement != POLICY_PACK)
        return false;
    return pc_wants_share(a->request)
               ? pc_fits_shared(n, a->request)
               : !is_for_devices(a->request) && (n->groups & ~n->leaving) != 0;
}

static void rate(const struct pc_ask *a, const struct pc_node *n, struct pc_rating *rating)
{
    const struct policy_quota_options *o = &a->p->config.quota;
    bool devices = is_for_devices(a->request);
    bool spreads = (devices ? o->gpu_placement : o->cpu_placement) == POLICY_SPREAD;
    int64_t free = devices ? pc_soon_whole(n) : n->cpu_soon;
    int64_t of = devices ? n->devices : n->cpu_total;
    rating->attraction = is_attracted(a, n);
    rating->score = !devices && n->devices == 0;
    rating->part = spreads ? free : -free;
    rating->of = spreads && of > 0 ? of : 1;
}

/* The node with the fewest free devices; nodes where the task fits now precede those where it fits
 * after release. */
static uint32_t fewest_free(const struct pc_ask *a)
{
    const struct pc_cluster *c = a->p->cluster;
    uint32_t soon = PC_NONE;
    for (int32_t free = a->request->devices; free <= c->most_devices; free++) {
        const struct pc_bits *list = &c->by_soon[free];
        for (uint32_t rank = pc_bits_first(list); rank != PC_NONE;
             rank = pc_bits_next(list, rank + 1)) {
            const struct pc_node *n = pc_ranked(a->p, rank);
            if (!pc_will_do(a, n))
                continue;
            if (a->now_only || pc_fits_now(c, n, a->request))
                return rank;
            soon = soon == PC_NONE ? rank : soon;
        }
    }
    return soon;
}

/* The best node with a device that attracts the share. */
static uint32_t best_shared(const struct pc_ask *a)
{
    uint32_t best = PC_NONE;
    struct pc_rating best_rating = {0};
    bool best_now = false;
    const struct pc_bits *nodes = &a->p->cluster->with_shared;
    for (uint32_t rank = pc_bits_first(nodes); rank != PC_NONE;
         rank = pc_bits_next(nodes, rank + 1)) {
        const struct pc_node *n = pc_ranked(a->p, rank);
        struct pc_rating rating = {.of = 1};
        if (!pc_fits_shared(n, a->request) || !pc_will_do(a, n))
            continue;
        rate(a, n, &rating);
        bool now = a->now_only || pc_fits_now(a->p->cluster, n, a->request);
        if (best == PC_NONE || pc_is_better(&rating, now, &best_rating, best_now)) {
            best = rank;
            best_rating = rating;
            best_now = now;
        }
    }
    return best;
}

static uint32_t search(const struct pc_ask *a)
{
    if (a->request->devices == 0 || a->p->config.quota.gpu_placement != POLICY_PACK)
        return PC_NOT_COVERED;
    uint32_t shared = pc_wants_share(a->request) ? best_shared(a) : PC_NONE;
    return shared != PC_NONE ? shared : fewest_free(a); /* then no shared device is suitable */
}

const struct pc_placement pc_place_packed = {
    .row = {"packed",
            "the fullest or the emptiest feasible node, by gpu_placement and cpu_placement"},
    .rate = rate,
    .search = search,
    .traits = PC_WALKS_SOON,
};
