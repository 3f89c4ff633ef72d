/* SPDX-License-Identifier: MIT */
/*
 * Job classes that queue limits hold back (state/queue_limits.h). Where jobs of all queues are
 * compared directly, a job that would take a queue on its path over a limit is skipped and holds
 * back no other. Its class stays outside its lane until something of a queue with a limit ends.
 */
#ifndef POLICY_PENDING_LIMITS_H
#define POLICY_PENDING_LIMITS_H

#include "pending/pending.h"

/* Returns true if the next start of the pending job would exceed a limit. */
bool pc_is_over_limit(struct policy *, uint32_t job);

/* Before a decision: returns classes to their lanes that no longer need to be held back. */
void pc_limits_refresh(struct policy *);

/*
 * Holds back classes that are first in their lanes and blocked, but exceed a limit by now; returns
 * true if there was one.
 */
bool pc_limits_pass(struct policy *);

#endif
