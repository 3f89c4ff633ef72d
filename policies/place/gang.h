/* SPDX-License-Identifier: MIT */
/*
 * Places the tasks of one job, all or none. Groups are placed before the pod sets next to them,
 * each inside an area of its parent (place/topology.h); if an area fails, its placements are rolled
 * back and the next one is tried.
 */
#ifndef POLICY_PLACE_GANG_H
#define POLICY_PLACE_GANG_H

#include "place/place.h"

/*
 * Places the tasks in order inside the open transaction. Limits, quotas and gates are up to the
 * caller. Returns false if not all fit, or if out of memory (cluster.out_of_memory); then the tasks
 * before ids[*placed], the first that did not fit, still have places for the caller to inspect and
 * roll back. *placed is the number of tasks placed, each of which used a random draw: the caller
 * adds it to policy.draws when done.
 */
bool pc_place_gang(struct policy *, uint32_t job, const struct pc_tasks *, enum pc_when,
                   uint32_t *placed);

/*
 * The same for a job with equal tasks and no decisions so far, at once and without a transaction:
 * tasks placed so far hold their nodes (pc_start_at() in state/tasks.h), and the caller must call
 * pc_start_all() or pc_start_none().
 */
bool pc_place_alike(struct policy *, uint32_t job, uint32_t *placed);

#endif
