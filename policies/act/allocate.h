/* SPDX-License-Identifier: MIT */
/* Allocate: give pending jobs what is free, in order. */
#ifndef POLICY_ACT_ALLOCATE_H
#define POLICY_ACT_ALLOCATE_H

#include "core/state.h"

/*
 * Starts what can be started; decisions are appended. With conservative backfill nothing starts here, and jobs that come
 * first learn why they wait. False when it stopped early for want of memory (error set).
 */
bool pc_allocate(struct policy *);

/* The same for ranked lines: evicts who has to make way, starts who is chosen; see core/ranked.h. */
bool pc_ranked_decide(struct policy *);

/*
 * Tries to place the tasks of one job of the group in a transaction that is left open. Returns 0 when all were
 * placed (the undo log tells where), else the policy_reason, POLICY_REASON_WAITING meaning that memory ran out.
 * `placed` receives the number of tasks in the open transaction: those before the first that found no place, none
 * when the sums alone tell that the gang does not fit.
 */
int32_t pc_place_gang(struct policy *, const struct pc_group *, uint64_t draw, uint32_t *placed);

/*
 * Places a pending job and starts it, as a decision of that action. Returns 0 when it was, else the policy_reason, and
 * nothing has changed; POLICY_REASON_WAITING means that memory ran out.
 */
int32_t pc_try_start(struct policy *, uint32_t job, int32_t action);

/* The open transaction holds the places of all tasks of a pending job, in order: starts it. False: no memory, rolled back. */
bool pc_start_placed(struct policy *, uint32_t job, int32_t action);

/* pc_place_gang() without a look at the sums: places what fits, even when the whole gang cannot. */
int32_t pc_place_most(struct policy *, const struct pc_group *, uint64_t draw, uint32_t *placed);

/*
 * Why a blocked group of jobs cannot start as things are now, by the amounts that are free: what reason_for() would say
 * without looking at nodes.
 */
int32_t pc_reason_now(const struct policy *, const struct pc_group *);

#endif
