/* SPDX-License-Identifier: MIT */
/*
 * Placing tasks of one job: all of them, or none. Groups are placed before the pod sets beside them, each inside an area
 * of its parent (place/topology.h); when an area fails, its placements are rolled back and the next one is tried.
 */
#ifndef POLICY_PLACE_GANG_H
#define POLICY_PLACE_GANG_H

#include "place/place.h"

/*
 * Places the tasks (in their order) inside the open transaction. Limits, quotas and gates are the caller's business.
 * False: rolled back; or out of memory, cluster.out_of_memory tells. *placed is the number of tasks that found a place
 * before the first that did not, each of which used a draw: unless memory ran out, the caller adds it to policy.draws.
 */
bool pq_place_gang(struct policy *, uint32_t job, const struct pq_tasks *, enum pq_when, uint32_t *placed);

#endif
