/* SPDX-License-Identifier: MIT */
/*
 * The one queue in which the tasks of all queues wait where they are taken one by one, as pods do
 * in the scheduling queue of Kubernetes: by priority, larger first; then by the time of submission;
 * then by the job's rank and the task's number, or (option pod_order `turns`) by the task's number
 * and the job's rank. That is PrioritySort of kube-scheduler with the time of the job's submission
 * for the time at which a pod joined the queue: there a pod that was evicted, or tried in vain and
 * woken again, stands behind others of its priority.
 *
 * An entry stands for all tasks of a job that had no turn yet, by the first of them. A task that
 * was nominated to a place in the decision before gets it again before any other task of its
 * priority has a turn: only tasks of higher priority may have it.
 */
#ifndef POLICY_ORDER_TASK_QUEUE_H
#define POLICY_ORDER_TASK_QUEUE_H

#include "state/state.h"

enum pc_stage { PC_POD_KEEPS = 0, PC_POD_WAITS = 1 };

/* Adds an entry; false: no memory, cluster.out_of_memory is set. */
bool pc_task_queue_push(struct policy *, const struct pc_queued_task *);

/* Takes the first entry out; false: there is none. */
bool pc_task_queue_pop(struct policy *, struct pc_queued_task *);

/* True if a comes before b, by what is known of the jobs. Entries of one job and task are not
 * compared. */
bool pc_queued_task_before(const struct policy *, const struct pc_queued_task *a,
                           const struct pc_queued_task *b);

#endif
