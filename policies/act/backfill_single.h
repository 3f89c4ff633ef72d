/* SPDX-License-Identifier: MIT */
/*
 * Reservation and backfill with a queue order (option `backfill`). The first job in order that does
 * not fit gets a reservation: places, and the earliest time at which it could start there if all
 * running jobs ended at their declared limits. It keeps the reservation across decisions until it
 * starts, leaves, or would not fit even if all running jobs had ended. Other jobs may start if they
 * end by that time, or if the reserved job still fits beside them.
 *
 * Jobs without a limit are assumed to end after all others. If the reservation depends on them, it
 * has no time: jobs that declare a limit may use its places in the meantime, others may not. So the
 * job waits at most for the jobs on its places, which were the nearest to being free, and for one
 * job admitted last.
 *
 * There is one reservation at a time, and it holds for all actions. It does not bind a job that
 * could take the places back as soon as the reserved job ran: by the rules of reclaim, or by a
 * higher priority in the same queue, while these actions are enabled and no minimum run time
 * protects it. So a gang larger than the fair share of its queue may still starve behind jobs with
 * a stronger claim. Room below the limits and quotas of queues is reserved as well.
 *
 * Without a reservation, small jobs can keep a big gang from ever starting. This is our extension:
 * Run:ai-class schedulers have no equivalent.
 */
#ifndef POLICY_ACT_BACKFILL_SINGLE_H
#define POLICY_ACT_BACKFILL_SINGLE_H

#include "rows.h"
#include "state/state.h"

/*
 * Finds places and a time for a job below its minimum and activates the reservation; places no
 * task. Returns false if there is none, or if out of memory. The job must be within the bounds of
 * its queues at that time.
 */
bool pc_reserve(struct policy *, uint32_t job);

/* Returns the job with the reservation if it is still waiting; else PC_NONE, and the reservation is
 * dropped. */
uint32_t pc_reserved_job(struct policy *);

/*
 * Run before pending jobs are placed (act/place_pending.c). `single` recomputes the existing
 * reservation. `easy` with a queue order drops it: the order of queues changes with their
 * allocations, so each decision may have another first job, and that one gets the reservation.
 */
extern const struct pc_action pc_action_backfill_single, pc_action_backfill_first;

#endif
