/* SPDX-License-Identifier: MIT */
/*
 * Pending jobs by leaf queue, in classes of equal ones. Room for the class of every job is made
 * when it is submitted, so that joining and leaving cannot fail.
 */
#ifndef POLICY_PENDING_QUEUE_CLASSES_H
#define POLICY_PENDING_QUEUE_CLASSES_H

#include "state/state.h"

/* Room for one more job of the queue; false: no memory. */
bool pc_classes_reserve(struct policy *, uint32_t queue);

/* Room for the class of one more job that is to have details; false: no memory. */
bool pc_classes_reserve_own(struct policy *);

/*
 * After anything about the job changed for good: it joins, leaves or changes its class, its place
 * among those that would give, and the list of stale gangs. Changes on trial are not followed:
 * rolled back, they leave nothing to be done.
 */
void pc_job_settle(struct policy *, uint32_t job);
void pc_job_unlist(struct policy *, uint32_t job);

/* Counts the job among those of its queue that have pending tasks and stand in no class, or not. */
void pc_settle_absent(struct pc_cluster *, uint32_t job, bool absent);

/* Another priority, and with it another key, class and place among those that would give. */
void pc_job_reprioritize(struct policy *, uint32_t job, int32_t priority);

/* The keys of all pending jobs are found anew, and the classes put in order. */
void pc_rekey_pending(struct policy *);

/* True if every pod set may reach its minimum with the tasks that run, are nominated to a place or
 * are pending. */
bool pc_is_ready(const struct pc_cluster *, uint32_t job);

/* True if some pod set runs below its minimum, counting what is being released. */
bool pc_is_stale(const struct pc_cluster *, uint32_t job);

/* The job that is first in the class; it has one. */
static inline uint32_t pc_class_head(const struct pc_class *k)
{
    return k->single != PC_NONE ? k->single : k->jobs.ids[0];
}

/* True if the plan of starts held back the job, or one like it, in the last decision:
 * act/backfill_planned.h. */
static inline bool pc_is_held_back(const struct pc_cluster *c, uint32_t job)
{
    uint32_t class = c->jobs[job].class;
    return class != PC_NONE && c->decision_number > 0 &&
           c->classes[class].held_back_in == c->decision_number;
}

void pc_class_free(struct policy *, struct pc_class *);

#endif
