/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The switches above the leaf switches, of all pools whose fabric gives their number: the uplinks
 * of the fabric's tree that each one is part of, and the nodes below it.
 *
 *      a spine: one of several equal parts of the uplinks of every leaf group of its pod
 *      a core:  the same for the uplinks of every pod
 *
 * With adaptive routing a failed switch takes only its part of these uplinks away: bandwidth x (1 -
 * 1/S) with S switches. With fixed routes the flows that used it collide on others, and 50 to 75 %
 * of the bandwidth was measured to be missing (arXiv 2410.21680). Trees known only by their
 * oversubscription have no switches here.
 */
#ifndef SIM_SOURCES_SWITCHES_H
#define SIM_SOURCES_SWITCHES_H

#include "sim/fabric/tree.h"
#include "sim/fleet/fleet.h"

struct fault_switch {
    uint32_t first_node, nodes; /* below it; a pool's nodes stand together */
    uint32_t first, uplinks;    /* in fault_switches.uplinks, rising */
    double part;                /* of each of these uplinks, 0 < part <= 1 */
};

struct fault_switches {
    struct fault_switch *of;
    uint32_t count;
    uint32_t *uplinks; /* numbers in the tree */
    size_t room, uplink_count, uplink_room;
};

/* plans[pool], NULL where unknown. The tree is that of the fleet, and is not kept. */
void fault_switches_init(struct fault_switches *, const struct fleet *,
                         const struct fabric_plan *const *plans, const struct fabric_tree *);
void fault_switches_fini(struct fault_switches *);

#endif
