/* SPDX-License-Identifier: MIT */
/*
 * Which tasks of a job are placed or evicted next. A gang is placed as one unit up to its minimum,
 * and an elastic job's further tasks one at a time; eviction goes the opposite way.
 */
#ifndef POLICY_STATE_GANGS_H
#define POLICY_STATE_GANGS_H

#include "state/state.h"

/*
 * Lists the tasks to place next, in placement order: what each pod set lacks of its minimum, or one
 * task above the minimum (of the pod set that has the fewest relative to it). Returns false if out
 * of memory.
 */
bool pc_next_tasks(struct policy *, uint32_t job, struct pc_tasks *);

/* Their request as queues count it; with `gate`, for limit checks, device memory counts 0. */
struct pc_amounts pc_amounts_of(const struct pc_cluster *, uint32_t job, const struct pc_tasks *,
                                bool gate);

/* The same for the job's next tasks, without listing them if it is known in advance. */
struct pc_amounts pc_next_amounts(struct policy *, uint32_t job);

/*
 * Lists the tasks to evict next, among active tasks that are not candidates yet: one task of a pod
 * set above its minimum, else all. *more tells whether active tasks remain. Returns false if out of
 * memory.
 */
bool pc_next_victims(struct policy *, uint32_t job, struct pc_tasks *, bool *more);

/* Returns -1 below the minimum, 0 exactly at it, 1 above, counting active tasks; as a victim,
 * without tasks that are already candidates. */
int pc_elastic_state(const struct pc_cluster *, uint32_t job, bool as_victim);

/* Returns true if every pod set has its minimum, counting tasks being released. */
bool pc_is_whole(const struct pc_cluster *, uint32_t job);

/* Returns true if some pod set is below its minimum, not counting tasks being released. */
bool pc_is_below_minimum(const struct pc_cluster *, uint32_t job);

void pc_tasks_free(struct policy *, struct pc_tasks *);

#endif
