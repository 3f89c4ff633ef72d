/* SPDX-License-Identifier: MIT */
/*
 * Nodes that a job lacks even on an empty fleet, for explanations of jobs that only other nodes can
 * help. The result is conservative: each role is checked by itself, and all roles together only by
 * whole devices, so a job with mixed roles may fit nowhere although nothing is reported as missing.
 */
#ifndef POLICY_PENDING_MISSING_H
#define POLICY_PENDING_MISSING_H

#include "state/state.h"

struct pc_missing {
    int32_t reason; /* NEVER_FITS, NODE_MISMATCH or NODES_DOWN; 0: nothing is missing */
    int32_t level;  /* NEVER_FITS: no domain of this level is large enough; 0: nor is the fleet */
    int32_t tasks;  /* NEVER_FITS: number of tasks of the minimum that fit the largest of them */
};

/*
 * Checks the job's minimum on its queue's nodes. Sets cluster.out_of_memory if there was no memory
 * to check.
 */
struct pc_missing pc_find_missing(struct policy *, uint32_t job);

/*
 * Returns true if, for each constraint of the shape, some domain of the pool set could hold its
 * minimum; also true if out of memory.
 */
bool pc_domains_hold(struct policy *, uint32_t shape, uint32_t set);

/* Returns how many of the role's tasks belong to the minimum of its pod set. */
int64_t pc_minimum_of(const struct pc_shape *, const struct pc_role *);

/*
 * Returns how many tasks of the request an empty, healthy node would hold, judging by this request
 * alone.
 */
int64_t pc_node_holds(const struct pc_cluster *, const struct pc_node *, const struct pc_request *);

#endif
