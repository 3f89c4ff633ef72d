/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Switches, cables and levels of a fabric; see plan.h. */
#include "sim/fabric/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int64_t divide_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* Number of uplinks for that many downlinks at o:1. */
static int64_t up_ports(int64_t down, double over)
{
    return (int64_t)ceil((double)down / over);
}

/* Ports down of a spine below cores: as many as leave room for their uplinks. */
static int64_t spine_down(const struct fabric_spec *spec)
{
    int64_t down = spec->radix - 1;
    while (down > 1 && down + up_ports(down, spec->pod_over) > spec->radix)
        down--;
    return down;
}

/* ---- switches and cables ---- */

/* Nodes below one group of spines, in three tiers. */
static int64_t pod_of(const struct fabric_spec *spec)
{
    return spine_down(spec) * spec->leaf_nodes;
}

static bool too_many(const struct fabric_spec *spec, int64_t nodes, int64_t most, struct err *err)
{
    return err_set(
        err, EXIT_INPUT,
        "%" PRId64
        " nodes are too many: %d tier%s of switches with %d ports and %d rails carry %" PRId64,
        nodes, spec->max_tiers, spec->max_tiers == 1 ? "" : "s", spec->radix, spec->rails, most);
}

/* The largest number of nodes whose leaf switches all reach every spine, with one port each. */
static int64_t two_tier_nodes(const struct fabric_spec *spec)
{
    int64_t leaves_of_unit = spec->rails * (spec->unit_nodes / spec->leaf_nodes);
    return spec->radix / leaves_of_unit * spec->unit_nodes;
}

static bool count_tiers(struct fabric_plan *plan, const struct fabric_spec *spec, struct err *err)
{
    int64_t groups = plan->units * (spec->unit_nodes / spec->leaf_nodes);
    int64_t up = up_ports(spec->leaf_nodes, spec->leaf_over);
    plan->tiers = 1;
    plan->leaf = groups * spec->rails;
    if (spec->max_tiers == 1)
        return groups == 1 ||
               too_many(spec, plan->nodes, spec->leaf_nodes - spec->spare_slots, err);
    plan->tiers = 2;
    plan->leaf_cables = plan->leaf * up;
    plan->spine = divide_up(plan->leaf_cables, spec->radix);
    if (plan->spine <= up)
        return true;
    if (spec->max_tiers == 2)
        return too_many(spec, plan->nodes, two_tier_nodes(spec) - spec->spare_slots, err);
    // A core switch has a port for every group of spines, one group per rail and pod.
    int64_t down = spine_down(spec), pods = divide_up(plan->slots, pod_of(spec));
    if (pods * spec->rails > spec->radix)
        return too_many(spec, plan->nodes,
                        spec->radix / spec->rails * pod_of(spec) - spec->spare_slots, err);
    plan->tiers = 3;
    plan->spine = divide_up(plan->leaf_cables, down);
    plan->spine_cables = up_ports(plan->leaf_cables, spec->pod_over);
    plan->core = divide_up(plan->spine_cables, spec->radix);
    return true;
}

static void use_installed(struct fabric_plan *plan, const struct fabric_spec *spec)
{
    for (int i = 0; i < spec->installed_count; i++) {
        const struct fabric_counts *row = &spec->installed[i];
        if (row->units != plan->units)
            continue;
        plan->installed = true;
        plan->leaf = row->leaf;
        plan->spine = row->spine;
        plan->core = row->core;
    }
}

/* ---- levels ---- */

static void add_level(struct fabric_plan *plan, const char *name, int64_t nodes, double over)
{
    struct fabric_level level = {.nodes = nodes, .oversubscription = over};
    (void)snprintf(level.name, sizeof level.name, "%s", name);
    BUG_ON(!fabric_add_level(plan->levels, &plan->level_count, FABRIC_LEVELS, &level));
}

/* Core and pod consist of whole domains of the level below, so with two tiers the actual size is
 * rounded up to them. */
static bool find_levels(struct fabric_plan *plan, const struct fabric_spec *spec, struct err *err)
{
    memcpy(plan->levels, spec->levels, sizeof spec->levels);
    plan->level_count = spec->level_count;
    if (spec->unit_nodes == 0)
        return true;
    int64_t whole = spec->level_count > 0 ? spec->levels[0].nodes : 1;
    whole = whole > spec->unit_nodes ? whole : spec->unit_nodes;
    int64_t pod = plan->tiers == 3 ? pod_of(spec) : divide_up(plan->slots, whole) * whole;
    whole = whole > pod ? whole : pod;
    add_level(plan, "leaf", spec->leaf_nodes, spec->max_tiers > 1 ? spec->leaf_over : 0);
    add_level(plan, "pod", pod, plan->tiers == 3 ? spec->pod_over : 0);
    add_level(plan, "core", divide_up(plan->slots, whole) * whole, 0);
    return fabric_check_nesting(plan->levels, plan->level_count, err);
}

bool fabric_plan(struct fabric_plan *plan, const struct fabric_spec *spec, int64_t nodes,
                 struct err *err)
{
    struct fabric_plan made = {.nodes = nodes, .rails = spec->rails};
    if (spec->unit_nodes > 0) {
        made.units = divide_up(nodes + spec->spare_slots, spec->unit_nodes);
        made.slots = made.units * spec->unit_nodes;
        made.node_cables = nodes * spec->rails;
        if (!count_tiers(&made, spec, err))
            return false;
        use_installed(&made, spec);
    }
    if (!find_levels(&made, spec, err))
        return false;
    *plan = made;
    return true;
}

/* ---- where a node is ---- */

int fabric_find_level(const struct fabric_plan *plan, const char *name)
{
    for (int i = 0; i < plan->level_count; i++)
        if (strcmp(plan->levels[i].name, name) == 0)
            return i;
    return -1;
}

int64_t fabric_domain(const struct fabric_plan *plan, int level, int64_t node)
{
    return node / plan->levels[level].nodes;
}

const char *fabric_domain_name(const struct fabric_plan *plan, int level, int64_t node,
                               const char *prefix, char *buffer, size_t size)
{
    (void)snprintf(buffer, size, "%s-%s-%" PRId64, prefix, plan->levels[level].name,
                   fabric_domain(plan, level, node));
    return buffer;
}

double fabric_ratio(const struct fabric_plan *plan, int level)
{
    double ratio = 1;
    for (int i = level; i < plan->level_count; i++)
        ratio *= plan->levels[i].oversubscription > 0 ? plan->levels[i].oversubscription : 1;
    return ratio;
}

double fabric_uplinks(const struct fabric_plan *plan, int level, int64_t domain)
{
    const struct fabric_level *here = &plan->levels[level];
    if (here->oversubscription <= 0)
        return 0;
    int64_t nodes = here->nodes, first = domain * here->nodes;
    if (plan->slots > 0 && plan->slots - first < nodes)
        nodes = plan->slots - first;
    return (double)nodes / fabric_ratio(plan, level);
}

/* ---- hops and parts ---- */

int fabric_hops(const struct fabric_plan *plan, int64_t a, int rail_a, int64_t b, int rail_b)
{
    if (a == b)
        return 0;
    int hops = 1;
    for (int i = 0; i < plan->level_count; i++)
        if (plan->levels[i].oversubscription > 0 &&
            fabric_domain(plan, i, a) != fabric_domain(plan, i, b))
            hops += 2;
    // Leaf switches of two rails meet at the spines, or where those serve one rail each, at the
    // cores.
    int meet = 2 * plan->tiers - 1;
    return plan->tiers > 0 && rail_a != rail_b && hops < meet ? meet : hops;
}

int64_t fabric_parts(const struct fabric_plan *plan, enum fabric_part part)
{
    if (plan->tiers == 0)
        return 0;
    int leaf = fabric_find_level(plan, "leaf"), pod = fabric_find_level(plan, "pod");
    int64_t groups = plan->slots / plan->levels[leaf].nodes;
    int64_t pods = divide_up(plan->slots, plan->levels[pod].nodes);
    const int64_t parts[] = {
        [FABRIC_LEAF] = plan->rails,
        [FABRIC_SPINE] = plan->spine / pods,
        [FABRIC_CORE] = plan->core,
        [FABRIC_LEAF_CABLE] = plan->leaf_cables / groups,
        [FABRIC_SPINE_CABLE] = plan->spine_cables / pods,
    };
    return parts[part];
}
