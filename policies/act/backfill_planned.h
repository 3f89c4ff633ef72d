/* SPDX-License-Identifier: MIT */
/*
 * Conservative backfill under queue orders (backfill=conservative): every pending job that does not
 * fit gets a planned start, and no job later in the order of queues and jobs may delay it. As in
 * Slurm's backfill, each decision recomputes the plan in its own order, so reservations move when
 * the shares of queues do.
 *
 *     take the next job of the walk           -> limits or quotas of its queues are reached: it is
 *                                             not planned
 *         nothing is planned yet: try it      -> it starts, or gets the earliest time at which
 *                                             there is room
 *         else when is there room, by sums,
 *         beside all that is planned?         now: try it; later: it is planned for then
 *
 * Room is counted as in timetable.h: devices, below the limits and quotas of queues. The trial
 * decides whether a job starts; one that has room by sums and finds no place is planned for the
 * next time at which something changes. So:
 *
 *   - An elastic job is planned with its minimum. What it wants above that is never planned, and
 *     starts beside the plan.
 *   - What declares no limit never ends. A job for which there is no time before the end of such
 *     jobs is not planned: it delays nobody, and nothing is kept for it.
 *   - Jobs that want memory of devices, MIG instances or no devices are neither planned nor held
 *     back.
 *   - At most backfill_depth jobs are planned in a decision (Slurm's bf_max_job_test). Others may
 *     go ahead beside those.
 *   - Reclaim and preempt are bound as far as they would use what is free: a job that the plan
 *     holds back may have what others lose to it by the rules of these actions. Consolidate, by
 *     which nobody loses, moves nobody for such a job.
 */
#ifndef POLICY_ACT_BACKFILL_PLANNED_H
#define POLICY_ACT_BACKFILL_PLANNED_H

#include "rows.h"
#include "state/state.h"

/* Begins the plan of a decision; the jobs are served by allocate. */
extern const struct pc_action pc_action_backfill_planned;

/* True if the configuration plans. */
bool pc_plans(const struct policy *);

/*
 * The turn of a pending job: with `try`, which places its next tasks (cluster.placing) for good, it
 * starts now, or it is planned. Returns true if it starts.
 */
bool pc_planned_serve(struct policy *, uint32_t job, bool (*try)(struct policy *, uint32_t job));

/* True if a job that is just like one that failed is still to have its turn: to be planned, too. */
bool pc_planned_goes_on(const struct policy *);

/* When the last decision planned to start the job; INT64_MAX: it did not. */
policy_time pc_planned_start(const struct policy *, uint32_t job);

#endif
