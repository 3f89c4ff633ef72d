/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A fabric for a number of nodes: how many switches and cables of each tier it takes, which levels
 * it has, in which domain of each level a node is. Nodes are numbered 0, 1, ... as they fill
 * domains from the left.
 *
 * The rule behind the counts reproduces NVIDIA's SuperPOD reference architectures (docs.nvidia.com,
 * H100 network-fabrics and B200 architecture), which are 1:1 throughout:
 *
 *     leaf  = units * rails (times leaf groups of a unit), each with `leaf_nodes` ports down and as
 *           many / o up
 *     spine = leaf * up / radix while that is at most `up`: every leaf still reaches every spine,
 *     two tiers
 *     else three tiers: half of a spine's ports go up (o:1 likewise), spine = leaf * up / down,
 *     core = what they need.
 *
 * In three tiers a group of spines serves one rail, as many leaf groups of it as a spine has ports
 * down: that is a pod. So in three tiers a change of rail goes over the core. What was installed
 * otherwise is a row of `installed`.
 */
#ifndef SIM_FABRIC_PLAN_H
#define SIM_FABRIC_PLAN_H

#include "sim/fabric/spec.h"

#include <stddef.h>

struct fabric_plan {
    int64_t nodes, units;
    int64_t slots; /* places of nodes below the switches that are installed; 0: a tree, where
                      domains are as given */
    int tiers;     /* of switches: 1..3, 0 a tree */
    int rails;
    int64_t leaf, spine, core;                      /* switches; 0 each for a tree */
    int64_t node_cables, leaf_cables, spine_cables; /* node to leaf, leaf to spine, spine to core */
    bool installed;                                 /* the counts come from a row of `installed` */
    struct fabric_level levels[FABRIC_LEVELS];      /* from the top */
    int level_count;
};

/* Returns false with err set if this many tiers of such switches cannot connect that many nodes.
 * `nodes` 1..FABRIC_NODES_MAX. */
bool fabric_plan(struct fabric_plan *, const struct fabric_spec *, int64_t nodes, struct err *err);

/* The number of a level, -1 when the fabric has none of that name. */
int fabric_find_level(const struct fabric_plan *, const char *name);

/* The domain of a node on a level, 0-based, and its name: "train-leaf-2" with the prefix "train".
 * Returns buffer. */
int64_t fabric_domain(const struct fabric_plan *, int level, int64_t node);
const char *fabric_domain_name(const struct fabric_plan *, int level, int64_t node,
                               const char *prefix, char *buffer, size_t size);

/*
 * Bandwidth of one domain's uplinks in units of a node's own, before ecmp: 32 nodes at 2:1 have 16.
 * Oversubscription multiplies from tier to tier. 0 where there are no switches or no level above.
 */
double fabric_uplinks(const struct fabric_plan *, int level, int64_t domain);

/* The product of the oversubscription of this level and all below it, 1 none. */
double fabric_ratio(const struct fabric_plan *, int level);

/*
 * Switches that a packet crosses between rail `rail_a` of node a and rail `rail_b` of node b: 1
 * below the same leaf switch, 3 by way of a spine, 5 by way of a core; 0 within a node. In a tree 2
 * more for each tier that is crossed, and rails do not count.
 */
int fabric_hops(const struct fabric_plan *, int64_t a, int rail_a, int64_t b, int rail_b);

/*
 * What the failure of one part removes: one of `per` equal parts. A leaf switch removes one port of
 * all nodes below it; a spine a part of the uplinks of every leaf group of its pod (in three tiers:
 * of one rail); a core a part of those of every pod; a cable of a tier one of the uplinks of its
 * domain. 0: there are no such parts.
 */
enum fabric_part { FABRIC_LEAF, FABRIC_SPINE, FABRIC_CORE, FABRIC_LEAF_CABLE, FABRIC_SPINE_CABLE };
int64_t fabric_parts(const struct fabric_plan *, enum fabric_part);

#endif
