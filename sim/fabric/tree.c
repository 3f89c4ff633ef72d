/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups, their uplinks, and the uplinks that a job crosses; see tree.h. */
#include "sim/fabric/tree.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t to_kbps(double gbps)
{
    double kbps = gbps * 1e6;
    return kbps < (double)FABRIC_KBPS_MAX ? llround(kbps) : FABRIC_KBPS_MAX;
}

void fabric_tree_init(struct fabric_tree *tree, uint32_t node_count, const double *nic_gbps)
{
    *tree =
        (struct fabric_tree){.node_count = node_count, .uplink_count = node_count, .tier_count = 1};
    tree->tiers[0] = (struct fabric_tier){.name = "node", .groups = node_count};
    tree->capacity_kbps = mem_alloc(node_count, sizeof *tree->capacity_kbps);
    tree->ratio = mem_alloc(node_count, sizeof *tree->ratio);
    for (uint32_t i = 0; i < node_count; i++) {
        tree->capacity_kbps[i] = nic_gbps[i] > 0 ? to_kbps(nic_gbps[i]) : FABRIC_UNLIMITED;
        tree->ratio[i] = 1;
    }
}

void fabric_tree_fini(struct fabric_tree *tree)
{
    for (int i = 0; i < tree->tier_count; i++)
        free(tree->tiers[i].group_of);
    free(tree->capacity_kbps);
    free(tree->ratio);
    *tree = (struct fabric_tree){0};
}

/* ---- tiers ---- */

/* Every group below has all its nodes in one group of the new tier. */
static bool check_nesting(const struct fabric_tree *tree, const char *name,
                          const uint32_t *group_of, struct err *err)
{
    const struct fabric_tier *below = &tree->tiers[tree->tier_count - 1];
    uint32_t *around = mem_alloc(below->groups, sizeof *around); // group + 1, 0 not seen
    bool ok = true;
    for (uint32_t node = 0; node < tree->node_count && ok; node++) {
        uint32_t *of = &around[fabric_group_of(tree, tree->tier_count - 1, node)];
        if (*of == 0)
            *of = group_of[node] + 1;
        else if (*of != group_of[node] + 1)
            ok = err_set(err, EXIT_INPUT, "a '%s' has nodes in two domains of level '%s'",
                         below->name, name);
    }
    free(around);
    return ok;
}

/* Takes ownership of `group_of`. Uplinks are unlimited until a capacity is set. */
static struct fabric_tier *append(struct fabric_tree *tree, const char *name, uint32_t *group_of,
                                  uint32_t groups)
{
    BUG_ON(tree->tier_count == FABRIC_TIERS);
    struct fabric_tier *tier = &tree->tiers[tree->tier_count++];
    *tier =
        (struct fabric_tier){.first = tree->uplink_count, .groups = groups, .group_of = group_of};
    (void)snprintf(tier->name, sizeof tier->name, "%s", name);
    tree->uplink_count += groups;
    tree->capacity_kbps =
        mem_resize(tree->capacity_kbps, tree->uplink_count, sizeof *tree->capacity_kbps);
    tree->ratio = mem_resize(tree->ratio, tree->uplink_count, sizeof *tree->ratio);
    for (uint32_t i = tier->first; i < tree->uplink_count; i++) {
        tree->capacity_kbps[i] = FABRIC_UNLIMITED;
        tree->ratio[i] = 1;
    }
    return tier;
}

bool fabric_tree_add_tier(struct fabric_tree *tree, const char *name, const uint32_t *group_of,
                          uint32_t groups, double over, struct err *err)
{
    if (!check_nesting(tree, name, group_of, err))
        return false;
    uint32_t *copy = mem_alloc(tree->node_count, sizeof *copy);
    memcpy(copy, group_of, tree->node_count * sizeof *copy);
    const struct fabric_tier *tier = append(tree, name, copy, groups), *below = tier - 1;
    int64_t *sum = mem_alloc(groups, sizeof *sum);
    bool *seen = mem_alloc(below->groups, sizeof *seen);
    for (uint32_t node = 0; node < tree->node_count; node++) {
        uint32_t inner = fabric_group_of(tree, tree->tier_count - 2, node);
        if (seen[inner])
            continue;
        seen[inner] = true;
        int64_t more = tree->capacity_kbps[below->first + inner], *here = &sum[copy[node]];
        *here =
            *here == FABRIC_UNLIMITED || more == FABRIC_UNLIMITED ? FABRIC_UNLIMITED : *here + more;
        double *ratio = &tree->ratio[tier->first + copy[node]],
               ratio_below = tree->ratio[below->first + inner];
        *ratio = fmax(*ratio, ratio_below * over);
    }
    for (uint32_t i = 0; i < groups; i++)
        if (sum[i] != FABRIC_UNLIMITED)
            tree->capacity_kbps[tier->first + i] = to_kbps((double)sum[i] / 1e6 / over);
    free(seen);
    free(sum);
    return true;
}

/* ---- the tree of a fleet ---- */

/* True when the plan of some pool has switches at the level; *at is its number in the pool's plan.
 */
static bool has_switches(const struct fabric_site *site, const char *name, int *at)
{
    *at = site->plan ? fabric_find_level(site->plan, name) : -1;
    return *at >= 0 && site->plan->levels[*at].oversubscription > 0;
}

static bool is_tier(const struct fleet *fleet, const struct fabric_site *sites, const char *name)
{
    int at;
    for (size_t pool = 0; pool < fleet->pool_count; pool++)
        if (has_switches(&sites[pool], name, &at))
            return true;
    return false;
}

static bool add_fleet_tier(struct fabric_tree *tree, const struct fleet *fleet, uint32_t level,
                           const struct fabric_site *sites, struct err *err)
{
    const char *name = fleet->levels[level].name;
    uint32_t *group_of = mem_alloc(tree->node_count, sizeof *group_of);
    for (uint32_t node = 0; node < tree->node_count; node++)
        group_of[node] = fleet_domain_of(fleet, level, node);
    if (!check_nesting(tree, name, group_of, err)) {
        free(group_of);
        return false;
    }
    uint32_t first =
        append(tree, name, group_of, symbols_count(fleet->levels[level].domains))->first;
    for (uint32_t node = 0; node < tree->node_count; node++) {
        const struct fabric_site *site = &sites[fleet->nodes[node].pool];
        int at;
        if (!has_switches(site, name, &at))
            continue;
        int64_t index = node - fleet->pools[fleet->nodes[node].pool].first_node;
        double nodes = fabric_uplinks(site->plan, at, fabric_domain(site->plan, at, index));
        if (site->nic_gbps > 0)
            tree->capacity_kbps[first + group_of[node]] =
                to_kbps(nodes * site->nic_gbps * site->ecmp);
        tree->ratio[first + group_of[node]] = fabric_ratio(site->plan, at);
    }
    return true;
}

/* Levels with switches that are missing in the fleet would be ignored silently. */
static bool check_levels(const struct fleet *fleet, const struct fabric_site *sites,
                         struct err *err)
{
    for (size_t pool = 0; pool < fleet->pool_count; pool++) {
        const struct fabric_plan *plan = sites[pool].plan;
        for (int i = 0; plan && i < plan->level_count; i++)
            if (plan->levels[i].oversubscription > 0 &&
                fleet_find_level(fleet, plan->levels[i].name) == fleet->level_count)
                return err_set(err, EXIT_INPUT,
                               "the fabric of pool '%s' has switches at level '%s', and the fleet "
                               "has no such level",
                               fleet->pools[pool].name, plan->levels[i].name);
    }
    return true;
}

bool fabric_tree_of_fleet(struct fabric_tree *tree, const struct fleet *fleet,
                          const struct fabric_site *sites, struct err *err)
{
    if (!check_levels(fleet, sites, err))
        return false;
    double *nic_gbps = mem_alloc(fleet->node_count, sizeof *nic_gbps);
    for (size_t node = 0; node < fleet->node_count; node++)
        nic_gbps[node] = sites[fleet->nodes[node].pool].nic_gbps;
    fabric_tree_init(tree, (uint32_t)fleet->node_count, nic_gbps);
    free(nic_gbps);
    for (uint32_t level = fleet->level_count; level-- > 0;) {
        if (!is_tier(fleet, sites, fleet->levels[level].name))
            continue;
        if (!add_fleet_tier(tree, fleet, level, sites, err)) {
            fabric_tree_fini(tree);
            return false;
        }
    }
    return true;
}

/* ---- looking ---- */

int fabric_tier_find(const struct fabric_tree *tree, const char *name)
{
    for (int tier = 0; tier < tree->tier_count; tier++)
        if (strcmp(tree->tiers[tier].name, name) == 0)
            return tier;
    return -1;
}

uint32_t fabric_group_of(const struct fabric_tree *tree, int tier, uint32_t node)
{
    return tree->tiers[tier].group_of ? tree->tiers[tier].group_of[node] : node;
}

int fabric_tier_of(const struct fabric_tree *tree, uint32_t uplink)
{
    int tier = tree->tier_count - 1;
    while (tree->tiers[tier].first > uplink)
        tier--;
    return tier;
}

double fabric_gbps(const struct fabric_tree *tree, uint32_t uplink)
{
    int64_t kbps = tree->capacity_kbps[uplink];
    return kbps == FABRIC_UNLIMITED ? (double)INFINITY : (double)kbps / 1e6;
}

/* ---- what a job crosses ---- */

void fabric_finder_init(struct fabric_finder *finder, const struct fabric_tree *tree)
{
    *finder = (struct fabric_finder){.tree = tree,
                                     .inside = mem_alloc(tree->uplink_count, sizeof(uint32_t))};
}

void fabric_finder_fini(struct fabric_finder *finder)
{
    free(finder->inside);
    free(finder->nodes);
    free(finder->crossings);
    free(finder->health_ppm);
    *finder = (struct fabric_finder){0};
}

/* The different nodes of the job, in the order given. Tier 0 counts them. */
static uint32_t distinct_nodes(struct fabric_finder *finder, const uint32_t *nodes, size_t count)
{
    finder->nodes = mem_grow(finder->nodes, &finder->node_room, count, sizeof *finder->nodes);
    uint32_t distinct = 0;
    for (size_t i = 0; i < count; i++)
        if (finder->inside[nodes[i]]++ == 0)
            finder->nodes[distinct++] = nodes[i];
    for (uint32_t i = 0; i < distinct; i++)
        finder->inside[finder->nodes[i]] = 0;
    return distinct;
}

const struct fabric_crossing *fabric_find_crossings(struct fabric_finder *finder,
                                                    const uint32_t *nodes, size_t count,
                                                    size_t *crossing_count, uint32_t *distinct)
{
    const struct fabric_tree *tree = finder->tree;
    uint32_t n = distinct_nodes(finder, nodes, count);
    size_t found = 0;
    for (int tier = 0; tier < tree->tier_count; tier++) {
        size_t begin = found;
        finder->crossings = mem_grow(finder->crossings, &finder->crossing_room, found + n,
                                     sizeof *finder->crossings);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t uplink =
                tree->tiers[tier].first + fabric_group_of(tree, tier, finder->nodes[i]);
            if (finder->inside[uplink]++ == 0)
                finder->crossings[found++].uplink = uplink;
        }
        for (size_t i = begin; i < found; i++) {
            struct fabric_crossing *crossing = &finder->crossings[i];
            crossing->inside = finder->inside[crossing->uplink];
            finder->inside[crossing->uplink] = 0;
        }
        if (found == begin + 1) { // all nodes are in one group, and so they are in every tier above
            found = begin;
            break;
        }
    }
    *crossing_count = found;
    *distinct = n;
    return finder->crossings;
}

double fabric_ring_ratio(struct fabric_finder *finder, const uint32_t *nodes, size_t count)
{
    size_t crossing_count;
    uint32_t distinct;
    const struct fabric_crossing *crossings =
        fabric_find_crossings(finder, nodes, count, &crossing_count, &distinct);
    double ratio = 1;
    for (size_t i = 0; i < crossing_count; i++) {
        uint32_t uplink = crossings[i].uplink;
        double works = finder->health_ppm != NULL ? finder->health_ppm[uplink] / 1e6 : 1;
        ratio = fmax(ratio, finder->tree->ratio[uplink] / works);
    }
    return ratio;
}
