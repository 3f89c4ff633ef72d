/* SPDX-License-Identifier: MIT */
/*
 * Reservation and backfill where there is a queue order (option `backfill`). The first job in order
 * that does not fit gets a reservation: places, and the earliest time at which it could start there
 * if all running jobs ended at their declared limits. It keeps the reservation across decisions
 * until it starts or leaves, or would not fit even if all running jobs had ended. Other jobs may
 * start if they end before that time by their limits, or if the reserved job still fits beside
 * them.
 *
 * Jobs without a limit are assumed to end after all others: then the reservation has no time, what
 * declares an end may use its places in the meantime, and what declares none may not. So the job
 * waits at most for what runs on its places when no other is nearer to being free, and for one job
 * that was let in last.
 *
 * There is one reservation at a time, and it holds for all actions. It does not bind a job that
 * could take the places back as soon as the job ran: by the rules of reclaim, or a higher priority
 * in the same queue, while these actions are switched on and no minimum run time protects it. So a
 * gang that is more than the fair share of its queue may still wait for ever, for jobs that have a
 * better right. Room below limits and quotas of queues is left free as well.
 *
 * Without a reservation small jobs can keep a big gang from starting for ever. This is ours: a
 * Run:ai-class scheduler has nothing like it.
 */
#ifndef POLICY_ACT_BACKFILL_SINGLE_H
#define POLICY_ACT_BACKFILL_SINGLE_H

#include "rows.h"
#include "state/state.h"

/*
 * Finds places and a time for a job that is below its minimum and activates the reservation; places
 * no task. Returns false if there is none, or no memory. The bounds of its queues have to be open
 * at that time.
 */
bool pc_reserve(struct policy *, uint32_t job);

/* The job that has the reservation, if it still waits for it; else PC_NONE, and it is given up. */
uint32_t pc_reserved_job(struct policy *);

/*
 * Run before pending jobs are placed (act/place_pending.c). Backfill by the name `single` renews
 * the reservation that a job has. By the name `easy`, with a queue order, nobody has one yet: the
 * order of queues changes with what they have, so the first job is another one in each decision,
 * and that one gets it.
 */
extern const struct pc_action pc_action_backfill_single, pc_action_backfill_first;

#endif
