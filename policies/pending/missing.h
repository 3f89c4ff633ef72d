/* SPDX-License-Identifier: MIT */
/*
 * Nodes that a job would miss even on an empty fleet: for explanations of jobs that nothing but
 * other nodes can help. What is said is certain: each of the job's roles is looked at alone, and
 * all of them only by their whole devices, so a job of mixed roles may fit nowhere although nothing
 * is found missing.
 */
#ifndef POLICY_PENDING_MISSING_H
#define POLICY_PENDING_MISSING_H

#include "state/state.h"

struct pc_missing {
    int32_t reason; /* NEVER_FITS, NODE_MISMATCH or NODES_DOWN; 0: nothing is missing */
    int32_t level;  /* NEVER_FITS: no domain of this level is large enough; 0: the fleet is not */
    int32_t tasks;  /* then: so many tasks of the minimum would fit the largest of them */
};

/* The job's minimum on the nodes of its queue. Cluster.out_of_memory when there was no memory to
 * look. */
struct pc_missing pc_find_missing(struct policy *, uint32_t job);

/* True if for each constraint of the shape some domain of the pool set could hold its minimum; true
 * without memory. */
bool pc_domains_hold(struct policy *, uint32_t shape, uint32_t set);

/* How many of the role's tasks are in the minimum of its pod set. */
int64_t pc_minimum_of(const struct pc_shape *, const struct pc_role *);

/* How many tasks of the request an empty, healthy node would hold, as far as one request shows. */
int64_t pc_node_holds(const struct pc_cluster *, const struct pc_node *, const struct pc_request *);

#endif
