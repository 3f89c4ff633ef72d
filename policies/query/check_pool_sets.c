/* SPDX-License-Identifier: MIT */
/* Pools and pool sets against the nodes, device by device; see check.h. */
#include "query/check.h"
#include "state/nodes.h"
#include "state/pool_sets.h"

/* Idle thousandths of one device. */
static int64_t idle_on(const struct pc_node *n, int32_t device)
{
    const struct pc_device d = pc_device_of(n, (uint32_t)device);
    bool cut = d.slices != 0 || d.slices_leaving != 0 || d.slices_nominated != 0;
    int64_t left = (int64_t)n->capacity - d.used - d.releasing - d.nominated;
    if (n->mig == POLICY_MIG_FREE && left == n->capacity)
        return (7 - d.compute - d.compute_leaving - d.compute_nominated) * (int64_t)POLICY_WHOLE;
    return cut || left < 0 ? 0 : left * POLICY_WHOLE / n->capacity;
}

/* Idle thousandths of the node that are usable, or that are not. */
static int64_t idle_milli(const struct pc_cluster *c, const struct pc_node *n, bool usable)
{
    bool up = n->state == POLICY_NODE_UP;
    int64_t sum = 0;
    for (int32_t d = 0; d < n->devices; d++)
        if ((up && (n->usable >> d & 1) != 0) == usable)
            sum += idle_on(n, d);
    for (uint32_t i = 0; usable && up && n->mig == POLICY_MIG_FIXED && i < POLICY_MAX_PROFILES; i++)
        sum += (int64_t)n->instances->idle[i] * c->slices[i] * POLICY_WHOLE;
    return sum;
}

/* ---- one set ---- */

struct sums {
    uint32_t nodes, up, shared;
    int64_t whole, milli, installed, unusable, soon;
    int64_t of_type[POLICY_MAX_TYPES];
};

static const char *check_node(const struct pc_cluster *c, const struct pc_pool_set *s,
                              const struct pc_node *n, struct sums *sums)
{
    bool inside = pc_pool_set_has(s, n->pool);
    bool up = inside && n->state == POLICY_NODE_UP;
    if (pc_bits_has(&s->nodes, n->rank) != inside)
        return "a pool set's nodes";
    sums->nodes += inside;
    sums->installed += inside ? n->devices : 0;
    sums->soon += inside ? n->soon_uncut_milli : 0;
    if (!c->traits.by_free)
        return NULL;
    int32_t whole = pc_popcount(n->idle);
    if (c->traits.nominates)
        whole += pc_popcount(n->leaving) - n->nominated_whole;
    whole = whole > 0 ? whole : 0;
    for (int32_t i = 0; i <= POLICY_MAX_DEVICES; i++)
        if (pc_bits_has(&s->by_free[i], n->rank) != (up && i == whole))
            return "a node in a pool set's list by idle devices";
    if (pc_bits_has(&s->up, n->rank) != up ||
        pc_bits_has(&s->shared, n->rank) != (up && n->shared != 0))
        return "a node in a pool set's lists";
    if (n->devices > s->most_devices && inside)
        return "the most devices of a node in a pool set";
    sums->up += up;
    sums->shared += up && n->shared != 0;
    sums->whole += up ? whole : 0;
    sums->milli += up ? idle_milli(c, n, true) : 0;
    sums->of_type[n->type] += up ? idle_milli(c, n, true) : 0;
    sums->unusable += inside ? idle_milli(c, n, false) : 0;
    return NULL;
}

static const char *check_set(const struct pc_cluster *c, const struct pc_pool_set *s)
{
    struct sums sums = {0};
    uint32_t listed = 0;
    int64_t counted = 0;
    const char *wrong = NULL;
    for (uint32_t i = 0; i < c->node_count && wrong == NULL; i++)
        if (c->nodes[i].exists)
            wrong = check_node(c, s, &c->nodes[i], &sums);
    if (wrong != NULL)
        return wrong;
    if (pc_members(&s->nodes) != sums.nodes || s->installed_devices != sums.installed)
        return "a pool set's number of nodes, or their devices";
    if (s->soon_milli != sums.soon)
        return "what is free soon in a pool set";
    if (!c->traits.by_free)
        return NULL;
    for (int32_t i = 0; i <= POLICY_MAX_DEVICES; i++) {
        uint32_t members = pc_members(&s->by_free[i]);
        if (members != s->listed[i])
            return "how many nodes a pool set's lists have";
        listed += members;
    }
    if (pc_members(&s->up) != sums.up || listed != sums.up || pc_members(&s->shared) != sums.shared)
        return "a pool set's lists";
    for (uint32_t pool = 0; pool < c->pool_count; pool++)
        counted += pc_pool_set_has(s, pool) ? c->pools[pool].counted_milli : 0;
    if (s->whole != sums.whole || s->milli != sums.milli - counted ||
        s->unusable_milli != sums.unusable)
        return "what is idle in a pool set";
    for (uint32_t type = 0; type < POLICY_MAX_TYPES; type++)
        if (s->milli_of_type[type] != sums.of_type[type])
            return "what is idle of a type in a pool set";
    return NULL;
}

/* ---- pools ---- */

static const char *check_pool(const struct pc_cluster *c, uint32_t id)
{
    const struct pc_pool *pool = &c->pools[id];
    struct pc_pool sum = {0};
    uint32_t sets = 0;
    for (uint32_t i = 0; i < c->node_count; i++) {
        const struct pc_node *n = &c->nodes[i];
        if (!n->exists || n->pool != id)
            continue;
        sum.nodes++;
        sum.installed_milli += (int64_t)n->devices * POLICY_WHOLE;
        sum.free_milli += c->traits.by_free ? idle_milli(c, n, true) : 0;
    }
    if (pool->nodes != sum.nodes || pool->installed_milli != sum.installed_milli ||
        pool->free_milli != sum.free_milli - pool->counted_milli)
        return "the sums of a pool";
    for (uint32_t s = 0; s < c->pool_set_count; s++)
        sets += pc_pool_set_has(&c->pool_sets[s], id);
    for (uint32_t i = 0; i < pool->set_count; i++)
        if (pool->sets[i] >= c->pool_set_count ||
            !pc_pool_set_has(&c->pool_sets[pool->sets[i]], id))
            return "the sets of a pool";
    return sets == pool->set_count ? NULL : "the number of a pool's sets";
}

const char *pc_check_pool_sets(const struct pc_cluster *c)
{
    const char *wrong = NULL;
    for (uint32_t i = 0; i < c->pool_set_count && wrong == NULL; i++)
        wrong = check_set(c, &c->pool_sets[i]);
    for (uint32_t i = 0; i < c->pool_count && wrong == NULL; i++)
        wrong = check_pool(c, i);
    return wrong;
}
