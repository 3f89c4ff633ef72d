/* SPDX-License-Identifier: MIT */
/*
 * Which jobs have to spare the reservation of act/backfill_single.h, and how: its places and time
 * are known (cluster.reservation); whether a task would delay the job that has it is seen on trial,
 * on the node that the task would get.
 */
#ifndef POLICY_ACT_SPARE_RESERVATION_H
#define POLICY_ACT_SPARE_RESERVATION_H

#include "state/state.h"

#define PC_NEVER_ENDS INT64_MAX
#define PC_SOME_DAY   (INT64_MAX / 2) /* after all times that are declared */

/* When the job ends as declared, from its last start or from now; PC_NEVER_ENDS: it declared
 * nothing. */
policy_time pc_expected_end(const struct policy *, const struct pc_job *);

/* Ignores places and times until the end of the decision; the job keeps the reservation. */
void pc_suspend_reservation(struct pc_cluster *);

/* The job does not need it any more, or cannot have it. */
void pc_give_up_reservation(struct pc_cluster *);

/*
 * Called before tasks of a job with this request are placed. Returns true if the bounds of queues
 * stay open for the reserved job. Records whether its places must be kept free, for
 * pc_spares_reservation().
 */
bool pc_heed_reservation(struct policy *, uint32_t job, const struct pc_tasks *,
                         const struct pc_amounts *);

/*
 * True if the task may be placed on the node, which it fits soon, without delaying the job that has
 * the reservation: the question that place/choose.h asks of each node, as
 * cluster.reservation.spares. Leaves everything as it was.
 */
bool pc_spares_reservation(struct policy *, uint32_t job, uint32_t task, uint32_t node);

#endif
