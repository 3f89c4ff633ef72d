/* SPDX-License-Identifier: MIT */
/*
 * Backfill for jobs in lanes (option `backfill`): jobs behind the first one that cannot start may
 * start if they do not delay it, judged by their declared limits. A job without a limit or expected
 * run time is assumed to end after all others; a job that exceeds its limit may end at any time.
 */
#ifndef POLICY_ACT_BACKFILL_LANES_H
#define POLICY_ACT_BACKFILL_LANES_H

#include "rows.h"

/*
 * EASY (see reservation.h): the first job of each lane has a reservation. A job behind it may start
 * now if it ends by the reserved time, or if the reserved places stay free. With `frozen`, the time
 * is computed once, when the job becomes the first, and only jobs that end by then may be
 * backfilled. Tasks of an elastic job above its minimum are backfilled like a job that ends with
 * it.
 */
extern const struct pc_action pc_action_backfill_easy;

/*
 * Conservative (Mu'alem and Feitelson 2001): every job has a reservation, in order, and no
 * reservation may be delayed. Times come from sums of devices per pool set; requests other than
 * whole devices and shares count by their quota weight. If a job's time has come but the free
 * devices are too fragmented, its reservation moves to the next time at which a task ends. An
 * elastic job reserves its minimum; its further tasks start only beside all reservations.
 */
extern const struct pc_action pc_action_backfill_conservative;

#endif
