/* SPDX-License-Identifier: MIT */
/*
 * What of a job is taken next, to be placed or to be evicted. A gang is attempted as one unit up to
 * its minimum, and what an elastic job has above it one task at a time; evicting goes the opposite
 * way.
 */
#ifndef POLICY_STATE_GANGS_H
#define POLICY_STATE_GANGS_H

#include "state/state.h"

/*
 * The tasks to be placed next: of each pod set below its minimum what it lacks, or one task above
 * the minimum (of the pod set that has least in proportion). In the order in which they are to be
 * placed. False: no memory.
 */
bool pc_next_tasks(struct policy *, uint32_t job, struct pc_tasks *);

/* What these ask for, as queues count it; devices by memory count 0 with `gate` set, for the check
 * of limits. */
struct pc_amounts pc_amounts_of(const struct pc_cluster *, uint32_t job, const struct pc_tasks *,
                                bool gate);

/* The same for the job's next tasks, without listing them when that is known beforehand. */
struct pc_amounts pc_next_amounts(struct policy *, uint32_t job);

/*
 * The tasks to be evicted next, of those that are active and no candidates yet: one task of a pod
 * set above its minimum, else all. *more says whether active tasks are left after that. False: no
 * memory.
 */
bool pc_next_victims(struct policy *, uint32_t job, struct pc_tasks *, bool *more);

/* -1 below its minimum, 0 exactly at it, 1 above, counting active tasks; as a victim, without those
 * that are candidates already. */
int pc_elastic_state(const struct pc_cluster *, uint32_t job, bool as_victim);

/* True if every pod set has its minimum, counting what is being released. */
bool pc_is_whole(const struct pc_cluster *, uint32_t job);

/* True if some pod set has less than its minimum. What is being released of it does not come back
 * by itself. */
bool pc_is_below_minimum(const struct pc_cluster *, uint32_t job);

void pc_tasks_free(struct policy *, struct pc_tasks *);

#endif
