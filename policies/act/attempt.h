/* SPDX-License-Identifier: MIT */
/* One attempt to place some tasks of a job: all of them, or nothing. */
#ifndef POLICY_ACT_ATTEMPT_H
#define POLICY_ACT_ATTEMPT_H

#include "state/queue_limits.h"
#include "state/state.h"

/*
 * Places the tasks (in their order) inside the transaction that is open. `promise_only`: nothing
 * starts at once. When some pod set would run below its minimum because the rest of it has to wait,
 * all waits. False: rolled back.
 */
bool pc_attempt(struct policy *, uint32_t job, const struct pc_tasks *, bool promise_only);

/* True if some pod set runs below its minimum because the rest of it waits for its place. */
bool pc_has_to_wait(const struct pc_cluster *, uint32_t job);

/* The place of a task that was started, as a nomination. */
struct pc_place pc_only_nominated(const struct pc_cluster *, uint32_t job, uint32_t task);

/* When some pod set would run below its minimum, all that was placed since the mark waits. False:
 * no memory. */
bool pc_wait_for_rest(struct policy *, uint32_t job, uint32_t mark);

#endif
