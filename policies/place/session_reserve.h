/* SPDX-License-Identifier: MIT */
/*
 * Devices kept for build sessions (fixed quotas of queues): what is free soon in the pool_set of
 * such a queue has to cover what the sessions of the queues with that pool_set do not hold yet. No
 * other job may have the rest, wherever else it may go. A session that lessens what has to be kept
 * by as much as it takes is what the devices are kept for.
 *
 * A queue above others keeps what it says itself or what those below it keep, whatever is more, not
 * both:
 *
 *     department  fixed 4, its sessions hold 2     itself 4 - 2 = 2, below 3 + 0: 3 are kept
 *       team a    fixed 3, none run                3
 *       team b    fixed 0, its sessions hold 2     0; its next session takes nothing of the 3
 *
 * Free are whole devices and what is left of shared ones. A device that is cut into MIG instances
 * freely counts by the part of its slices that is left, so that no device is counted more than
 * once.
 */
#ifndef POLICY_PLACE_SESSION_RESERVE_H
#define POLICY_PLACE_SESSION_RESERVE_H

#include "state/state.h"

/* Finds out how much each pool_set can spare as things are. False: nothing is kept anywhere. */
bool pc_measure_session_reserve(const struct policy *);

/* True if a task of the job may have its devices from the node, by the last measure. */
bool pc_spares_session_reserve(const struct policy *, const struct pc_job *, const struct pc_node *,
                               const struct pc_request *);

/* The queue for which a node of the pool_set is kept, or POLICY_NO_ID; for explanations, by the
 * last measure. */
uint32_t pc_keeper(const struct policy *, uint32_t pool_set);

#endif
