/* SPDX-License-Identifier: MIT */
/* Allocate without a queue order: serves the lanes of pending/pending.h, each from its first
 * job. */
#ifndef POLICY_ACT_ALLOCATE_LANES_H
#define POLICY_ACT_ALLOCATE_LANES_H

#include "pending/pending.h"

/* Starts what can be started and appends the decisions. Out of memory is reported in
 * cluster.out_of_memory. */
void pc_allocate_lanes(struct policy *);

/*
 * Places the next part of a pending job on idle devices (its whole minimum, or one task above it)
 * and starts it, with decisions of the given action. Returns 0 on success; else the policy_reason,
 * with nothing changed; POLICY_REASON_WAITING: out of memory (cluster.out_of_memory is set).
 */
int32_t pc_try_start(struct policy *, uint32_t job, int32_t action);

/*
 * Places the same inside the open transaction; the caller commits or rolls back. Returns 0, or the
 * reason as above. `least`: continue even if the totals rule the job out, so that *placed counts
 * the tasks that fit.
 */
int32_t pc_try_place(struct policy *, uint32_t job, bool least, uint32_t *placed);

/* Starts what was placed since the mark, with decisions of the given action. Returns false if out
 * of memory, with the placement rolled back. */
bool pc_start_placed(struct policy *, uint32_t job, uint32_t mark, int32_t action);

/* Returns the job's class, or the one it would have if it were pending. */
const struct pc_job_class *pc_class_of(const struct pc_cluster *, uint32_t job);

/*
 * Why the jobs of a blocked class cannot start now, judged by idle amounts: the reason of
 * pc_try_start() without a search of nodes.
 */
int32_t pc_reason_now(const struct policy *, uint32_t class);

#endif
