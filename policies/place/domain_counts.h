/* SPDX-License-Identifier: MIT */
/*
 * What is free in the domains of a topology, for each pool set: a look at a domain says whether it
 * could hold a gang without a look at its nodes. For the placement `topology`, which tries many
 * domains for each gang.
 *
 *     cells of a domain   [whole devices][thousandths][nodes with 0 free][with 1 free] ... [with
 *                         most_devices free]
 *
 * The counts catch up with the log of changed nodes when they are asked for. They are made anew
 * when nodes came or went, or when there is another pool set. The topology is the known one with
 * the lowest number.
 */
#ifndef POLICY_PLACE_DOMAIN_COUNTS_H
#define POLICY_PLACE_DOMAIN_COUNTS_H

#include "rows.h"
#include "state/state.h"

enum { PC_CELL_WHOLE, PC_CELL_MILLI, PC_CELL_NODES };

/* Of the placement `topology`. */
extern const struct pc_module pc_domain_counts_module;

/* The topology, with domains and counts as things are now; NULL: none is known, or no memory
 * (cluster.out_of_memory). */
const struct pc_topology *pc_counted_topology(struct policy *);

/* The cells of a domain of that topology for a pool set, until something changes. */
const int64_t *pc_domain_cells(const struct policy *, uint32_t set, uint32_t domain);

/* The scratch of near_areas.c, for nodes of the area that is being tried; NULL: no memory
 * (cluster.out_of_memory). */
struct pc_bits *pc_near_nodes(struct policy *);

#endif
