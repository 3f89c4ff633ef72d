/* SPDX-License-Identifier: MIT */
/*
 * Which jobs must respect the reservation of act/backfill_single.h, and how: its places and time
 * are known (cluster.reservation); whether a task would delay the reserved job is tested by trial,
 * on the node where the task would be placed.
 */
#ifndef POLICY_ACT_SPARE_RESERVATION_H
#define POLICY_ACT_SPARE_RESERVATION_H

#include "state/state.h"

#define PC_NEVER_ENDS INT64_MAX
#define PC_SOME_DAY   (INT64_MAX / 2) /* later than any declared time */

/* The declared end of the job, from its last start or from now; PC_NEVER_ENDS: it declares none. */
policy_time pc_expected_end(const struct policy *, const struct pc_job *);

/* Ignores the reservation's places and time until the end of the decision; the job keeps it. */
void pc_suspend_reservation(struct pc_cluster *);

/* Drops the reservation: the job no longer needs it or cannot have it. */
void pc_give_up_reservation(struct pc_cluster *);

/*
 * Called before tasks of a job with this request are placed. Returns true if the bounds of queues
 * stay open for the reserved job. Records whether its places must be kept free, for
 * pc_spares_reservation().
 */
bool pc_heed_reservation(struct policy *, uint32_t job, const struct pc_tasks *,
                         const struct pc_amounts *);

/*
 * Returns true if the task may be placed on the node, which it fits after release, without delaying
 * the reserved job. place/choose.h asks this of each node through cluster.reservation.spares.
 * Leaves the state unchanged.
 */
bool pc_spares_reservation(struct policy *, uint32_t job, uint32_t task, uint32_t node);

#endif
