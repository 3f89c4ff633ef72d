/* SPDX-License-Identifier: MIT */
/*
 * Job classes that limits of queues hold back (state/queue_limits.h): where jobs of all queues are
 * compared directly, a job that would take its queue, or one above it, over a limit is passed over,
 * and holds back no other. Its class stands outside its lane until something of a queue with a
 * limit ends.
 */
#ifndef POLICY_PENDING_LIMITS_H
#define POLICY_PENDING_LIMITS_H

#include "pending/pending.h"

/* True if what the pending job would start with next is more than some limit allows. */
bool pc_is_over_limit(struct policy *, uint32_t job);

/* Before a decision: classes that were held back and need not be any more stand in their lanes
 * again. */
void pc_limits_refresh(struct policy *);

/* Holds back those that are the first of their lanes and wait for room, but are over a limit by
 * now; whether one was. */
bool pc_limits_pass(struct policy *);

#endif
