/* SPDX-License-Identifier: MIT */
/*
 * Places tasks one by one (kube-default), as kube-scheduler does with pods.
 *
 * Each task has its turn in the order of order/task_queue.h, independently of the rest of its job;
 * a task that does not fit is skipped. The running tasks of a gang are not counted, so an
 * incomplete gang may hold devices while it waits for the rest. In its turn a task
 *   1. starts on its nominated node, or else on the feasible node with the best score
 *      (place/allocated.h);
 *   2. else is nominated to a node where it fits once everything being released is free; nothing is
 *      evicted in that case (kube-scheduler does not distinguish a running pod from a terminating
 *      one and may evict another);
 *   3. else evicts tasks of lower priority on one node and is nominated to it
 *      (act/preempt_on_node.c).
 *
 * A nomination covers an amount, not particular devices: a later task may take idle devices of that
 * node as long as the nominated task still fits once everything being released is gone.
 * (kube-scheduler keeps room for a nominated pod next to what is still terminating, too.) Tasks of
 * higher priority ignore the nomination; the nominated task must then find another place. Quotas
 * are ignored, but limits hold (ResourceQuota): a task that would exceed one waits as if it had not
 * been created.
 */
#ifndef POLICY_ACT_ALLOCATE_TASKS_H
#define POLICY_ACT_ALLOCATE_TASKS_H

#include "state/state.h"

/* Places the task, as a decision of this cycle. Returns false if out of memory, with nothing
 * changed. */
bool pc_queued_task_settle(struct policy *, uint32_t job, uint32_t task, const struct pc_place *);

/* Evicts tasks of lower priority in favour of the task and nominates it to their node. Returns
 * false if that would not help, or if out of memory. */
bool pc_evict_for_task(struct policy *, uint32_t job, uint32_t task);

#endif
