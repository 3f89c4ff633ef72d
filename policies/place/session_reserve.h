/* SPDX-License-Identifier: MIT */
/*
 * Devices reserved for build sessions (fixed quotas of queues): the capacity free after release in
 * the pool set of such a queue must cover what the sessions of the queues with that pool set do not
 * hold yet. No other job may use it, whatever other nodes it may use. A session may use it if it
 * reduces the reserve by as much as it takes.
 *
 * A parent queue reserves its own amount or the sum of its children's, whichever is larger, not
 * both:
 *     department  fixed 4, its sessions hold 2     own 4 - 2 = 2, children 3 + 0: 3 are reserved
 *       team a    fixed 3, none running            3
 *       team b    fixed 0, its sessions hold 2     0; its next session takes nothing of the 3
 *
 * Whole devices and what is left of shared ones count as free. A device freely split into MIG
 * instances counts by the fraction of its slices that is left, so no device is counted more than
 * once.
 */
#ifndef POLICY_PLACE_SESSION_RESERVE_H
#define POLICY_PLACE_SESSION_RESERVE_H

#include "state/state.h"

/* Computes how much each pool set can spare now. Returns false if nothing is reserved anywhere. */
bool pc_measure_session_reserve(const struct policy *);

/* Returns true if a task of the job may take its devices from the node, by the last measurement. */
bool pc_spares_session_reserve(const struct policy *, const struct pc_job *, const struct pc_node *,
                               const struct pc_request *);

/* The queue for which nodes of the pool set are reserved, or POLICY_NO_ID; for explanations, by the
 * last measurement. */
uint32_t pc_keeper(const struct policy *, uint32_t pool_set);

#endif
