/* SPDX-License-Identifier: MIT */
/*
 * Devices kept for build sessions (fixed quotas of queues): what is free soon in the zone of such a queue has to cover
 * what the sessions of the queues with that zone do not hold yet. Nobody else may have the rest, wherever else he may
 * go. A session that lessens what has to be kept by as much as it takes is what the devices are kept for.
 *
 * A queue above others keeps what it says itself or what those below it keep, whatever is more, not both:
 *
 *     department  fixed 4, its sessions hold 2     itself 4 - 2 = 2, below 3 + 0: 3 are kept
 *       team a    fixed 3, none run                3
 *       team b    fixed 0, its sessions hold 2     0; its next session takes nothing of the 3
 *
 * Free are whole devices and what is left of shared ones. A device that is cut into MIG instances freely counts by the
 * part of its slices that is left, so that no device is counted more than once.
 */
#ifndef POLICY_PLACE_KEPT_H
#define POLICY_PLACE_KEPT_H

#include "cluster/state.h"

/* Finds out how much each zone can spare as things are. False: nothing is kept anywhere. */
bool pq_measure_kept(const struct policy *);

/* Whether a task of the job may have its devices from the node, by the last measure. */
bool pq_spares_kept(const struct policy *, const struct pq_job *, const struct pq_node *,
                    const struct pq_request *);

/* The queue for which a node of the zone is kept, or POLICY_NO_ID; for explanations, by the last measure. */
uint32_t pq_keeper(const struct policy *, uint32_t zone);

#endif
