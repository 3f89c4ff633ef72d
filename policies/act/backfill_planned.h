/* SPDX-License-Identifier: MIT */
/*
 * Conservative backfill with a queue order (backfill=conservative): every pending job that does not
 * fit gets a planned start, and no job later in the order of queues and jobs may delay it. As in
 * Slurm's backfill, each decision recomputes the plan in its own order, so reservations move when
 * the shares of queues do.
 *     next job of the walk
 *       exceeds limits or quotas of its queues        -> not planned
 *       nothing is planned yet: try to place it       -> starts, or gets the earliest time at
 *                                                        which there is room
 *       else: earliest room beside the plan, by sums  -> now: try to place it; later: planned
 *
 * Room is computed as in timetable.h: devices, within the limits and quotas of queues. The
 * placement attempt decides whether a job starts; a job that fits by sums but finds no place is
 * planned for the next time at which something changes. So:
 *   - An elastic job is planned with its minimum. Tasks above it are never planned and start beside
 *     the plan.
 *   - A job without a limit never ends. A job that would only fit after the end of such jobs is not
 *     planned: it delays no other job, and nothing is reserved for it.
 *   - Jobs that request device memory, MIG instances or no devices are neither planned nor held
 *     back.
 *   - At most backfill_depth jobs are planned per decision (Slurm's bf_max_job_test). Others may
 *     start beside those.
 *   - Reclaim and preempt are bound only as far as they would use free devices: a job that the plan
 *     holds back may still take what these actions' rules give it from others. Consolidate, in
 *     which no job loses, moves no job for it.
 */
#ifndef POLICY_ACT_BACKFILL_PLANNED_H
#define POLICY_ACT_BACKFILL_PLANNED_H

#include "rows.h"
#include "state/state.h"

/* Starts the plan of a decision; allocate then serves the jobs. */
extern const struct pc_action pc_action_backfill_planned;

/* Returns true if the configuration uses planned backfill. */
bool pc_plans(const struct policy *);

/*
 * Gives a pending job its turn: it starts now, by `try`, which places its next tasks
 * (cluster.placing) for good, or is planned. Returns true if it starts.
 */
bool pc_planned_serve(struct policy *, uint32_t job, bool (*try)(struct policy *, uint32_t job));

/* Returns true if a job equivalent to a failed one still gets its turn, so that it is planned,
 * too. */
bool pc_planned_goes_on(const struct policy *);

/* Returns when the last decision planned to start the job; INT64_MAX: it did not. */
policy_time pc_planned_start(const struct policy *, uint32_t job);

#endif
