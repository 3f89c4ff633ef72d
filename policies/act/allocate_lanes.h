/* SPDX-License-Identifier: MIT */
/* Allocate where there is no queue order: the lanes of pending/pending.h, from the first job on. */
#ifndef POLICY_ACT_ALLOCATE_LANES_H
#define POLICY_ACT_ALLOCATE_LANES_H

#include "pending/pending.h"

/* Starts what can be started; decisions are appended. Memory may run out: cluster.out_of_memory
 * says so. */
void pc_allocate_lanes(struct policy *);

/*
 * Places what is next of a pending job on what is idle (all of its minimum, or one task above it)
 * and starts it, as decisions of that action. Returns 0 when it did; else the policy_reason why
 * not, and nothing has changed; POLICY_REASON_WAITING: memory ran out (cluster.out_of_memory is
 * set).
 */
int32_t pc_try_start(struct policy *, uint32_t job, int32_t action);

/*
 * Places the same inside the open transaction and leaves it there; the caller commits or rolls
 * back. Returns 0, or the reason as above. `least`: the sums alone do not end the trial, so that
 * *placed counts how many tasks find a place.
 */
int32_t pc_try_place(struct policy *, uint32_t job, bool least, uint32_t *placed);

/* What was placed since the mark starts, as decisions of that action; false: no memory, rolled
 * back. */
bool pc_start_placed(struct policy *, uint32_t job, uint32_t mark, int32_t action);

/* The class that the job is in, or would be in if it were pending. */
const struct pc_job_class *pc_class_of(const struct pc_cluster *, uint32_t job);

/*
 * Why the jobs of a blocked class cannot start as things are now, by the amounts that are idle: as
 * pc_try_start() would say without looking at nodes.
 */
int32_t pc_reason_now(const struct policy *, uint32_t class);

#endif
