/* SPDX-License-Identifier: MIT */
/*
 * Places tasks one by one (kube-default), as kube-scheduler does with pods.
 *
 * Each task has its turn in the order of order/task_queue.h, independently of the rest of its job;
 * a task that does not fit is skipped. The running tasks of a gang are not counted, so an
 * incomplete gang may hold devices while it waits for the rest. In its turn a task
 *   1. starts on the node that it was nominated, or else on the node with the best score
 *      (place/allocated.h) where it fits;
 *   2. else is nominated a node where it fits once what is being released is free: nothing is
 *      evicted for that (kube-scheduler makes no difference between a pod that runs and one that is
 *      ending, and may evict another one);
 *   3. else evicts tasks of lower priority on one node and is nominated that
 *      (act/preempt_on_node.c).
 * A nomination is of an amount: a task that has a turn later may take what is idle on that node as
 * long as what is nominated fits there once all that is leaving has gone. (kube-scheduler keeps
 * room for a nominated pod beside what is still ending, too.) Tasks of higher priority do not heed
 * it: the task that was nominated has to look for another place. Queues are no bounds but for their
 * limits (ResourceQuota): a task that would exceed one waits as if it had not been created.
 */
#ifndef POLICY_ACT_ALLOCATE_TASKS_H
#define POLICY_ACT_ALLOCATE_TASKS_H

#include "state/state.h"

/* Gives the task the place, as a decision of this cycle. False: no memory, nothing changed. */
bool pc_queued_task_settle(struct policy *, uint32_t job, uint32_t task, const struct pc_place *);

/* Evicts tasks of lower priority for the task and nominations it their node. False: that would not
 * help, or no memory. */
bool pc_evict_for_task(struct policy *, uint32_t job, uint32_t task);

#endif
