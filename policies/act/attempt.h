/* SPDX-License-Identifier: MIT */
/* One attempt to place some tasks of a job, all or nothing. */
#ifndef POLICY_ACT_ATTEMPT_H
#define POLICY_ACT_ATTEMPT_H

#include "state/queue_limits.h"
#include "state/state.h"

/*
 * Places the tasks in order inside the open transaction. `promise_only`: nominate only, start
 * nothing. If a pod set would run below its minimum because other tasks of it must wait, all of
 * them wait. Returns false after a rollback.
 */
bool pc_attempt(struct policy *, uint32_t job, const struct pc_tasks *, bool promise_only);

/* Returns true if some pod set runs below its minimum because the rest of it waits for its
 * places. */
bool pc_has_to_wait(const struct pc_cluster *, uint32_t job);

/* Returns the place of a started task as a nomination. */
struct pc_place pc_only_nominated(const struct pc_cluster *, uint32_t job, uint32_t task);

/* If a pod set would run below its minimum, turns everything placed since the mark into
 * nominations. Returns false if out of memory. */
bool pc_wait_for_rest(struct policy *, uint32_t job, uint32_t mark);

#endif
