/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fabric as a tree of groups, each with an uplink to the enclosing group. Tiers count from the
 * bottom: tier 0 is the node with its NICs, above it are the levels with switches. Anything above
 * the highest tier is unlimited.
 *
 *                 (unlimited)
 *                 /        \        uplinks of tier 2, "pod"
 *              pod          pod
 *             /   \        /   \    uplinks of tier 1, "leaf"
 *          leaf   leaf  leaf   leaf
 *          n  n   n  n  n  n   n  n uplinks of tier 0, "node": NICs
 *
 * Uplinks are numbered across all tiers: uplink = first of the tier + group. A job crosses the
 * uplink of a group if some of its nodes are inside and some are not.
 *
 * Capacities are GB/s (1e9 bytes) in one direction, summed over parallel links; internally they are
 * whole kB/s (1e3 bytes), so that sums are exact.
 */
#ifndef SIM_FABRIC_TREE_H
#define SIM_FABRIC_TREE_H

#include "sim/fabric/plan.h"
#include "sim/fleet/fleet.h"

#include <stddef.h>

#define FABRIC_TIERS     12             /* the node and FABRIC_LEVELS */
#define FABRIC_UNLIMITED INT64_MAX      /* kB/s */
#define FABRIC_KBPS_MAX  10000000000000 /* of one uplink: 10 PB/s */

struct fabric_tier {
    char name[FABRIC_NAME];
    uint32_t first, groups; /* its uplinks */
    uint32_t *group_of;     /* of each node; NULL for the nodes themselves */
};

struct fabric_tree {
    uint32_t node_count;
    struct fabric_tier tiers[FABRIC_TIERS];
    int tier_count;
    uint32_t uplink_count;
    int64_t *capacity_kbps; /* of each uplink */
    double *ratio; /* of each uplink: NICs of its nodes : uplinks; 1 for nodes and where unknown */
};

/* A tree of nodes alone. `nic_gbps` of each node: the sum of its NICs, 0 unknown (no limit). */
void fabric_tree_init(struct fabric_tree *, uint32_t node_count, const double *nic_gbps);
void fabric_tree_fini(struct fabric_tree *);

/*
 * A tier above the others, from labels: group_of[node] is 0..groups-1. Its uplinks have what those
 * below it have together, divided by `over` (>= 1). False with a message when a group below has
 * nodes in two groups.
 */
bool fabric_tree_add_tier(struct fabric_tree *, const char *name, const uint32_t *group_of,
                          uint32_t groups, double over, struct err *err);

/* Network of a pool, as far as known. */
struct fabric_site {
    const struct fabric_plan *plan; /* NULL: no plan, the fabric is no limit */
    double nic_gbps;                /* NICs of one node together, 0 unknown */
    double ecmp;                    /* share of the uplinks above the node that flows reach */
};

/*
 * The tree of a fleet: a tier for each of its levels where the plan of some pool has switches.
 * sites[pool]. Fails like fabric_tree_add_tier(), and when a plan has switches at a level that the
 * fleet does not have.
 */
bool fabric_tree_of_fleet(struct fabric_tree *, const struct fleet *,
                          const struct fabric_site *sites, struct err *err);

/* The tier of that name, or -1. */
int fabric_tier_find(const struct fabric_tree *, const char *name);
uint32_t fabric_group_of(const struct fabric_tree *, int tier, uint32_t node);
int fabric_tier_of(const struct fabric_tree *, uint32_t uplink);
double fabric_gbps(const struct fabric_tree *, uint32_t uplink); /* INFINITY without limit */

/* An uplink that a job crosses, and how many of its nodes are on the inner side. */
struct fabric_crossing {
    uint32_t uplink, inside;
};

/*
 * Finds the uplinks that a job crosses, tier by tier from the bottom, within a tier in the order of
 * its nodes. `nodes` may repeat a node. The finder keeps its buffers between calls until fini. The
 * result is valid until the next call; *distinct is the number of distinct nodes.
 */
struct fabric_finder {
    const struct fabric_tree *tree;
    uint32_t *inside; /* of each uplink; 0 between calls */
    uint32_t *nodes;
    struct fabric_crossing *crossings;
    int32_t *health_ppm; /* of each uplink, how much of it works, above 0; NULL: all of all. From
                            mem_alloc() */
    size_t node_room, crossing_room;
};
void fabric_finder_init(struct fabric_finder *, const struct fabric_tree *);
void fabric_finder_fini(struct fabric_finder *);
const struct fabric_crossing *fabric_find_crossings(struct fabric_finder *, const uint32_t *nodes,
                                                    size_t count, size_t *crossing_count,
                                                    uint32_t *distinct);

/*
 * Without contention: the oversubscription of a flat ring over these nodes, 1 if it crosses no
 * oversubscribed uplink. One crossing is enough to slow the whole ring to NIC / this value. When
 * part of an uplink has failed, the remaining links carry correspondingly more.
 */
double fabric_ring_ratio(struct fabric_finder *, const uint32_t *nodes, size_t count);

#endif
