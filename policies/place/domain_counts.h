/* SPDX-License-Identifier: MIT */
/*
 * Free capacity of a topology's domains, per pool set: tells whether a domain could hold a gang
 * without looking at its nodes. For the placement `topology`, which tries many domains for each
 * gang.
 *     cells of a domain   [whole devices][thousandths][nodes with 0 free][with 1 free] ...
 *                         [with most_devices free]
 *
 * The counts catch up with the log of changed nodes on each query. They are rebuilt when nodes come
 * or go, or when a pool set is added. The topology is the known one with the lowest number.
 */
#ifndef POLICY_PLACE_DOMAIN_COUNTS_H
#define POLICY_PLACE_DOMAIN_COUNTS_H

#include "rows.h"
#include "state/state.h"

enum { PC_CELL_WHOLE, PC_CELL_MILLI, PC_CELL_NODES };

/* Used by the placement `topology`. */
extern const struct pc_module pc_domain_counts_module;

/* The topology with up-to-date domains and counts; NULL: none is known, or out of memory
 * (cluster.out_of_memory). */
const struct pc_topology *pc_counted_topology(struct policy *);

/* The cells of a domain of that topology for a pool set, valid until the next change. */
const int64_t *pc_domain_cells(const struct policy *, uint32_t set, uint32_t domain);

/* Scratch memory of near_areas.c for the nodes of the current area; NULL: out of memory
 * (cluster.out_of_memory). */
struct pc_bits *pc_near_nodes(struct policy *);

#endif
