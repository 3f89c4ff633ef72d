/* SPDX-License-Identifier: MIT */
/*
 * Pending jobs by leaf queue, in classes of equivalent ones. Memory for the class of every job is
 * reserved at submission, so joining and leaving cannot fail.
 */
#ifndef POLICY_PENDING_QUEUE_CLASSES_H
#define POLICY_PENDING_QUEUE_CLASSES_H

#include "state/state.h"

/* Reserves memory for one more job of the queue. Returns false if out of memory. */
bool pc_classes_reserve(struct policy *, uint32_t queue);

/* Reserves memory for the class of one more job with details. Returns false if out of memory. */
bool pc_classes_reserve_own(struct policy *);

/*
 * Called after any committed change of the job: it joins, leaves or changes its class, and the
 * lists of evictable jobs and stale gangs are updated. Tentative changes are ignored: rolled back,
 * they leave nothing to do.
 */
void pc_job_settle(struct policy *, uint32_t job);
void pc_job_unlist(struct policy *, uint32_t job);

/* Adds the job to, or removes it from, the count of its queue's jobs with pending tasks but no
 * class. */
void pc_settle_absent(struct pc_cluster *, uint32_t job, bool absent);

/* Changes the priority, and with it key, class and position among evictable jobs. */
void pc_job_reprioritize(struct policy *, uint32_t job, int32_t priority);

/* Recomputes the keys of all pending jobs and restores the order of the classes. */
void pc_rekey_pending(struct policy *);

/* Returns true if every pod set can reach its minimum with tasks that are running, nominated or
 * pending. */
bool pc_is_ready(const struct pc_cluster *, uint32_t job);

/* Returns true if some pod set runs below its minimum, counting tasks being released. */
bool pc_is_stale(const struct pc_cluster *, uint32_t job);

/* The first job of a non-empty class. */
static inline uint32_t pc_class_head(const struct pc_class *k)
{
    return k->single != PC_NONE ? k->single : k->jobs.ids[0];
}

/* Returns true if the last decision's plan of starts held back the job or an equivalent one:
 * act/backfill_planned.h. */
static inline bool pc_is_held_back(const struct pc_cluster *c, uint32_t job)
{
    uint32_t class = c->jobs[job].class;
    return class != PC_NONE && c->decision_number > 0 &&
           c->classes[class].held_back_in == c->decision_number;
}

void pc_class_free(struct policy *, struct pc_class *);

#endif
