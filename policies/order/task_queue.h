/* SPDX-License-Identifier: MIT */
/*
 * The single queue in which the tasks of all queues are pending when they are scheduled one by one,
 * like pods in the scheduling queue of Kubernetes: by priority, highest first; then by submission
 * time; then by the job's rank and the task's number or, with the option pod_order `turns`, by the
 * task's number and the job's rank. This is kube-scheduler's PrioritySort with the job's submission
 * time instead of the time at which a pod joined the queue: there, an evicted pod, or one that
 * failed and was woken again, goes behind others of its priority.
 *
 * An entry stands for all tasks of a job that have not had a turn yet, represented by the first. A
 * task that was nominated in the previous decision gets its place again before any other task of
 * its priority has a turn: only tasks of higher priority may take it.
 */
#ifndef POLICY_ORDER_TASK_QUEUE_H
#define POLICY_ORDER_TASK_QUEUE_H

#include "state/state.h"

enum pc_stage { PC_POD_KEEPS = 0, PC_POD_WAITS = 1 };

/* Adds an entry; false: out of memory, and cluster.out_of_memory is set. */
bool pc_task_queue_push(struct policy *, const struct pc_queued_task *);

/* Removes and returns the first entry; false: the queue is empty. */
bool pc_task_queue_pop(struct policy *, struct pc_queued_task *);

/* Returns true if a comes before b. Entries of the same job and task are not compared. */
bool pc_queued_task_before(const struct policy *, const struct pc_queued_task *a,
                           const struct pc_queued_task *b);

#endif
