/* SPDX-License-Identifier: MIT */
/* The order in which a queue's jobs use its pools; see pool_tiers.h. */
#include "place/pool_tiers.h"

#include "base/sort.h"
#include "state/pool_sets.h"

/* One queue: a multiple of all numbers up to 16, so that fractions add up exactly. */
#define ONE (INT64_C(720720) << 20)

/* Larger sets have no tiers: each would be a pool set of its own, with its indexes. */
#define MOST_POOLS 256

/* Queues that may use every pool depend on none. */
static void count_dependents(struct pc_cluster *c)
{
    for (uint32_t i = 0; i < c->pool_count; i++)
        c->pools[i].dependents = 0;
    for (uint32_t i = 0; i < c->queue_count; i++) {
        const struct pc_queue *q = &c->queues[i];
        if (!q->exists || !q->leaf || q->quota.of[PC_GPU] == 0)
            continue;
        const struct pc_pool_set *s = &c->pool_sets[q->pool_set];
        for (uint32_t k = 0; k < s->pool_count; k++)
            if (s->pools[k] < c->pool_count)
                c->pools[s->pools[k]].dependents += ONE / s->pool_count;
    }
}

struct comparison {
    const struct pc_cluster *c;
    bool spares;               /* pools with few dependents first */
    const uint32_t *preferred; /* then in this order; NULL: none */
    uint32_t count;
};

static uint32_t position(const struct comparison *by, uint32_t pool)
{
    uint32_t at = 0;
    while (by->preferred != NULL && at < by->count && by->preferred[at] != pool)
        at++;
    return at;
}

static bool comes_before(const void *context, uint32_t a, uint32_t b)
{
    const struct comparison *by = context;
    const struct pc_pool *pools = by->c->pools;
    if (by->spares && pools[a].dependents != pools[b].dependents)
        return pools[a].dependents < pools[b].dependents;
    uint32_t at_a = position(by, a), at_b = position(by, b);
    return at_a != at_b ? at_a < at_b : a < b;
}

/* Returns true if only their numbers distinguish the two pools. */
static bool is_same_tier(const struct comparison *by, uint32_t a, uint32_t b)
{
    if (a == b)
        return true;
    return by->preferred == NULL &&
           (!by->spares || by->c->pools[a].dependents == by->c->pools[b].dependents);
}

/* Lists the set's pools that have nodes, those to use first before others. */
static uint32_t list_pools(const struct comparison *by, uint32_t set, uint32_t list[MOST_POOLS])
{
    const struct pc_cluster *c = by->c;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->pool_count; i++) {
        if (c->pools[i].nodes == 0 || !pc_pool_set_has(&c->pool_sets[set], i))
            continue;
        if (count == MOST_POOLS)
            return 0;
        list[count++] = i;
    }
    pc_sort_ids(list, count, comes_before, by);
    return count;
}

static bool add_tier(struct policy *p, uint32_t set, const uint32_t *pools, uint32_t count)
{
    struct pc_cluster *c = p->cluster;
    uint32_t tier = pc_pool_set_find(p, pools, count);
    if (tier == PC_NONE)
        return false;
    struct pc_pool_set *s = &c->pool_sets[set]; /* the array may have moved */
    if (!PC_GROW(&p->memory, s->tiers, s->tier_capacity, s->tier_count + 1))
        return false;
    s->tiers[s->tier_count++] = tier;
    return true;
}

/* Pools of one tier are ascending. A single tier is the same as none. */
static bool tier_set(struct policy *p, uint32_t set, bool spares)
{
    struct pc_cluster *c = p->cluster;
    struct pc_pool_set *s = &c->pool_sets[set];
    const struct comparison by = {c, spares && !s->strict, s->preferred, s->pool_count};
    uint32_t pools[MOST_POOLS];
    uint32_t count = by.spares || s->preferred != NULL ? list_pools(&by, set, pools) : 0;
    s->tier_count = 0;
    if (count == 0 || is_same_tier(&by, pools[0], pools[count - 1]))
        return true;
    for (uint32_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && is_same_tier(&by, pools[first], pools[end]))
            end++;
        if (!add_tier(p, set, pools + first, end - first))
            return false;
    }
    return true;
}

bool pc_tiers_refresh(struct policy *p, bool spares)
{
    struct pc_cluster *c = p->cluster;
    if (c->tiers_known && c->tiers_of == c->fleet_version)
        return true;
    count_dependents(c);
    for (uint32_t i = 0; i < c->queue_count; i++)
        if (c->queues[i].exists && c->queues[i].leaf &&
            !tier_set(p, c->queues[i].pool_set, spares)) {
            for (uint32_t set = 0; set < c->pool_set_count; set++)
                c->pool_sets[set].tier_count = 0;
            c->tiers_known = false;
            return false;
        }
    c->tiers_known = true;
    c->tiers_of = c->fleet_version;
    return true;
}
