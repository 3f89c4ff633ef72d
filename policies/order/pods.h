/* SPDX-License-Identifier: MIT */
/*
 * The one line in which the tasks of all queues wait where they are taken one by one, as pods do in the scheduling queue of
 * Kubernetes: by priority, larger first; then by the time of submission; then by the job's rank and the task's number, or
 * (option pod_order `turns`) by the task's number and the job's rank. That is PrioritySort of kube-scheduler with the time
 * of the job's submission for the time at which a pod joined the queue: there a pod that was evicted, or tried in vain and
 * woken again, stands behind others of its priority.
 *
 * An entry stands for all tasks of a job that had no turn yet, by the first of them. A task that was promised a place in the
 * decision before gets it again before anybody of its priority has a turn: nobody but tasks of higher priority may have it.
 */
#ifndef POLICY_ORDER_PODS_H
#define POLICY_ORDER_PODS_H

#include "cluster/state.h"

enum pq_stage { PQ_POD_KEEPS = 0, PQ_POD_WAITS = 1 };

/* Adds an entry; false: no memory, cluster.out_of_memory is set. */
bool pq_pods_push(struct policy *, const struct pq_pod *);

/* Takes the first entry out; false: there is none. */
bool pq_pods_pop(struct policy *, struct pq_pod *);

/* Whether a comes before b, by what is known of the jobs. Entries of one job and task are not compared. */
bool pq_pod_before(const struct policy *, const struct pq_pod *a, const struct pq_pod *b);

#endif
