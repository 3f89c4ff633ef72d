/* SPDX-License-Identifier: MIT */
/*
 * Steps of reclaim and consolidate that failed in this action and would fail again. A search places
 * one task more in each step (victims.h), and a step depends on the job only through its queue, its
 * rights and the request of its tasks. So gangs of 1, 2 and 8 equal tasks take the same first step,
 * gangs of 2 and 8 the same second one: if that fails for one of them, it fails for all that need
 * it.
 *
 * A failed search leaves the state as it was, so failures hold until a search of the action
 * succeeds. The job's own priority and age do not count: its victims are in other queues, so it is
 * alone in its leaf. In consolidate, where all jobs may be victims, a first step that fails without
 * any trial fails for the jobs of all queues, except those with a chain to try (pool_chain.h).
 */
#ifndef POLICY_ACT_VICTIMS_FAILURES_H
#define POLICY_ACT_VICTIMS_FAILURES_H

#include "act/victims/victims.h"

/* Returns true if a step that this search would reach is known to fail. */
bool pc_is_known_to_fail(const struct pc_search *, const struct pc_tasks *all);

/* Remembers that the step that places the first `tasks` tasks, or an earlier step, failed or would
 * fail. */
void pc_remember_failure(const struct pc_search *, uint32_t tasks);

/* Forgets all failures: a search has changed the state. */
void pc_forget_failures(struct pc_cluster *);

#endif
