/* SPDX-License-Identifier: MIT */
/*
 * Who waits: classes of equal pending jobs, by leaf queue. Room for the class of every job is made when it is
 * submitted, so that joining and leaving cannot fail.
 */
#ifndef POLICY_CLUSTER_CLASSES_H
#define POLICY_CLUSTER_CLASSES_H

#include "cluster/state.h"

/* Room for one more job of the queue; false: no memory. */
bool pq_classes_reserve(struct policy *, uint32_t queue);

/* Room for the class of one more job that is to have details; false: no memory. */
bool pq_classes_reserve_own(struct policy *);

/*
 * After anything about the job changed for good: it joins, leaves or changes its class, its place among those that would
 * give, and the list of stale gangs. Changes on trial are not followed: rolled back, they leave nothing to be done.
 */
void pq_job_settle(struct policy *, uint32_t job);
void pq_job_unlist(struct policy *, uint32_t job);

/* The keys of all pending jobs are found anew, and the classes put in order. */
void pq_rekey_pending(struct policy *);

/* Whether every pod set may reach its minimum with the tasks that run, are promised a place or are pending. */
bool pq_is_ready(const struct cluster *, uint32_t job);

/* Whether some pod set runs below its minimum, counting what is being released. */
bool pq_is_stale(const struct cluster *, uint32_t job);

/* The job that is first in the class; it has one. */
static inline uint32_t pq_class_head(const struct pq_class *k)
{
    return k->single != PC_NONE ? k->single : k->jobs.ids[0];
}

void pq_class_free(struct policy *, struct pq_class *);

#endif
