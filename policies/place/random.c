/* SPDX-License-Identifier: MIT */
/*
 * Random: one of the feasible nodes, uniformly, and for a share one of the devices with room,
 * uniformly. The draw is a hash of the seed and the number of the decision, so it is a pure
 * function of the facts.
 *
 * Nodes where the task fits now precede those where it fits after release, and close ones precede
 * others if an area has scores; the draw is among equals. Instances and tasks without devices are
 * placed by the same draw; the core chooses the device of an instance.
 */
#include "place/choose.h"
#include "place/fit_index.h"
#include "state/nodes.h"

static uint64_t draw(uint64_t seed, uint64_t number, uint64_t purpose)
{
    uint64_t x =
        seed * UINT64_C(0x9e3779b97f4a7c15) + number * UINT64_C(0xd1342543de82ef95) + purpose;
    for (int round = 0; round < 2; round++) {
        x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
        x ^= x >> 31;
    }
    return x;
}

/* The k-th set bit. */
static uint32_t nth_bit(uint64_t set, uint64_t k)
{
    while (k-- > 0)
        set &= set - 1;
    return pc_lowest(set);
}

/* Returns true if the i-th (from 1) feasible node replaces the previous choice: with probability
 * 1/i. */
static bool replaces(const struct policy *p, uint64_t number, uint64_t i)
{
    return draw(p->config.seed ^ i << 32, number, 1) % i == 0;
}

/* In one pass, as above; a better node restarts the draw. */
static uint32_t look_at_each(const struct pc_ask *a)
{
    const struct pc_bits *nodes = a->area->nodes != NULL ? a->area->nodes : &a->pools->nodes;
    uint32_t chosen = PC_NONE;
    uint64_t seen = 0;
    int best = -1;
    for (uint32_t rank = pc_bits_first(nodes); rank != PC_NONE;
         rank = pc_bits_next(nodes, rank + 1)) {
        const struct pc_node *n = pc_ranked(a->p, rank);
        int near = a->area->scores != NULL ? a->area->scores[rank] : 0;
        if (2 * near + 1 < best || !pc_will_do(a, n))
            continue;
        int class = 2 * near + (a->now_only || pc_fits_now(a->p->cluster, n, a->request));
        if (class < best)
            continue;
        seen = class > best ? 1 : seen + 1;
        best = class;
        if (replaces(a->p, a->draw, seen))
            chosen = rank;
    }
    return chosen;
}

/* The same with the index: the last node that replaces its predecessors is chosen. */
static uint32_t search(const struct pc_ask *a)
{
    if (a->area->scores != NULL || a->p->cluster->exhaustive || pc_may_bind(a))
        return look_at_each(a);
    uint32_t i = pc_count_fitting(a);
    if (i == PC_NOT_COVERED)
        return look_at_each(a);
    while (i > 0 && !replaces(a->p, a->draw, i))
        i--;
    return i > 0 ? pc_nth_fitting(a, i - 1) : PC_NONE;
}

static uint64_t share_devices(const struct pc_ask *a, const struct pc_node *n, uint64_t open)
{
    uint64_t chosen = 0;
    (void)n;
    for (int32_t i = 0; i < a->request->devices; i++) {
        uint64_t left = open & ~chosen;
        if (left == 0)
            return 0;
        uint64_t k =
            draw(a->p->config.seed, a->draw, 2 + (uint64_t)i) % (uint64_t)pc_popcount(left);
        chosen |= UINT64_C(1) << nth_bit(left, k);
    }
    return chosen;
}

const struct pc_placement pc_place_random = {
    .row = {"random", "any node that fits, uniformly; shares on any device with room"},
    .search = search,
    .share_devices = share_devices,
    .module = &pc_fits_module,
};
