/* SPDX-License-Identifier: MIT */
/*
 * Finds the node on which evicting costs least, for tasks placed one by one
 * (act/preempt_on_node.c), without a scan of all nodes. Each request, pool set and priority in use
 * has a table with the cost on each node, by rank, and above it a tree with the rank of the
 * cheapest. A table catches up with the log of changed nodes (state/changes.h) when it is queried,
 * so a query costs one trial per node changed since the last one.
 *
 * Tables leave out what depends on the job itself: limits that bind device memory, and
 * reservations.
 */
#ifndef POLICY_ACT_EVICTION_COSTS_H
#define POLICY_ACT_EVICTION_COSTS_H

#include "rows.h"
#include "state/state.h"

/* Cost of evicting on a node; victims == 0: evicting does not help there. */
struct pc_cost {
    int32_t highest; /* highest priority of a victim */
    uint32_t victims;
    int64_t sum;       /* of the victims' priorities, each plus 2^31 */
    policy_time since; /* earliest start among victims of the highest priority */
};

/* Returns true if evicting at a costs less than at b; ties are broken by node rank. */
bool pc_is_cheaper(const struct pc_cost *a, const struct pc_cost *b);

/* Returns the cost of making room for the task on the node, found by trial. Sets
 * cluster.out_of_memory if out of memory. */
struct pc_cost pc_cost_on(struct policy *, uint32_t job, uint32_t task, uint32_t node);

/* Finds the node where making room for the task costs least; PC_NONE: nowhere. Returns false if the
 * index does not cover the task. */
bool pc_cheapest_node(struct policy *, uint32_t job, uint32_t task, uint32_t *node);

/* Used by policies that evict task by task. */
extern const struct pc_module pc_costs_module;

#endif
