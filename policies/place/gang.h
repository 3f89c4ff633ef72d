/* SPDX-License-Identifier: MIT */
/*
 * Placing tasks of one job: all of them, or none. Groups are placed before the pod sets beside
 * them, each inside an area of its parent (place/topology.h); when an area fails, its placements
 * are rolled back and the next one is tried.
 */
#ifndef POLICY_PLACE_GANG_H
#define POLICY_PLACE_GANG_H

#include "place/place.h"

/*
 * Places the tasks (in their order) inside the open transaction. Limits, quotas and gates are the
 * caller's business. False: there is no room for all of them, or no memory (cluster.out_of_memory).
 * What has a place by then, task ids[*placed] being the first that found none, is still there for
 * the caller to look at, and to roll back. *placed is the number of tasks that have a place, each
 * of which used a draw: the caller adds it to policy.draws when it is done.
 */
bool pc_place_gang(struct policy *, uint32_t job, const struct pc_tasks *, enum pc_when,
                   uint32_t *placed);

/*
 * The same of a job whose tasks are alike and nothing of which was ever decided, for now and
 * without a transaction: what has a place by then holds its nodes (pc_start_at() in state/tasks.h),
 * and waits for pc_start_all() or pc_start_none().
 */
bool pc_place_alike(struct policy *, uint32_t job, uint32_t *placed);

#endif
