/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spines and cores of the plans of all pools; see switches.h. */
#include "sim/sources/switches.h"

#include "sim/base/mem.h"

#include <stdlib.h>

/* The uplinks of a tier above nodes that stand together, and fill domains from the left: each is
 * met once in a row. */
static uint32_t list_uplinks(struct fault_switches *s, const struct fabric_tree *tree, int tier,
                             uint32_t first_node, uint32_t nodes)
{
    uint32_t count = 0;
    for (uint32_t node = first_node; node < first_node + nodes; node++) {
        uint32_t uplink = tree->tiers[tier].first + fabric_group_of(tree, tier, node);
        if (count > 0 && s->uplinks[s->uplink_count - 1] == uplink)
            continue;
        s->uplinks = mem_grow(s->uplinks, &s->uplink_room, s->uplink_count + 1, sizeof *s->uplinks);
        s->uplinks[s->uplink_count++] = uplink;
        count++;
    }
    return count;
}

/* Adds a number of switches that are equal parts of the same uplinks. */
static void add(struct fault_switches *s, const struct fabric_tree *tree, int tier,
                uint32_t first_node, uint32_t nodes, int64_t parts)
{
    struct fault_switch one = {.first_node = first_node,
                               .nodes = nodes,
                               .first = (uint32_t)s->uplink_count,
                               .part = 1.0 / (double)parts};
    one.uplinks = list_uplinks(s, tree, tier, first_node, nodes);
    for (int64_t i = 0; i < parts; i++) {
        s->of = mem_grow(s->of, &s->room, s->count + 1, sizeof *s->of);
        s->of[s->count++] = one;
    }
}

static void add_pool(struct fault_switches *s, const struct fleet_pool *pool,
                     const struct fabric_plan *plan, const struct fabric_tree *tree)
{
    int leaf = fabric_tier_find(tree, "leaf"), pod = fabric_tier_find(tree, "pod");
    int64_t in_pod = plan->levels[fabric_find_level(plan, "pod")].nodes;
    int64_t spines = fabric_parts(plan, FABRIC_SPINE), cores = fabric_parts(plan, FABRIC_CORE);
    for (int64_t node = 0; node < pool->node_count && leaf >= 0 && spines > 0; node += in_pod) {
        int64_t left = pool->node_count - node;
        add(s, tree, leaf, pool->first_node + (uint32_t)node,
            (uint32_t)(left < in_pod ? left : in_pod), spines);
    }
    if (pod >= 0 && cores > 0)
        add(s, tree, pod, pool->first_node, pool->node_count, cores);
}

void fault_switches_init(struct fault_switches *s, const struct fleet *fleet,
                         const struct fabric_plan *const *plans, const struct fabric_tree *tree)
{
    *s = (struct fault_switches){0};
    for (size_t i = 0; i < fleet->pool_count; i++)
        if (plans[i] != NULL && plans[i]->tiers > 0)
            add_pool(s, &fleet->pools[i], plans[i], tree);
}

void fault_switches_fini(struct fault_switches *s)
{
    free(s->of);
    free(s->uplinks);
    *s = (struct fault_switches){0};
}
