/* SPDX-License-Identifier: MIT */
/*
 * Tasks one by one (kube-default): what kube-scheduler does with pods.
 *
 * Each task has its turn, in the order of order/pods.h, and knows nothing of the rest of its job: one that does not fit is
 * passed over. It is counted nowhere how many of a gang run, so a gang may hold devices in part and wait for the rest. In
 * its turn a task
 *   1. starts on the node that it was promised, or else on the node with the best score (place/allocated.h) where it fits;
 *   2. else is promised a node where it fits once what is being released is free: nobody is evicted for that
 *      (kube-scheduler makes no difference between a pod that runs and one that is ending, and may evict another one);
 *   3. else evicts tasks of lower priority on one node and is promised that (act/pods_evict.c).
 * A promise is of an amount: who has a turn later may take what is idle on that node as long as what is promised fits there once
 * all that is leaving has gone. (kube-scheduler keeps room for a nominated pod beside what is still ending, too.) Tasks of
 * higher priority do not heed it: who was promised the room has to look for another.
 * Queues are no bounds but for their limits (ResourceQuota): who would exceed one waits as if it had not been created.
 */
#ifndef POLICY_ACT_PODS_H
#define POLICY_ACT_PODS_H

#include "cluster/state.h"

/* Gives the task the place, as a decision of this cycle. False: no memory, nothing changed. */
bool pq_pod_settle(struct policy *, uint32_t job, uint32_t task, const struct pq_place *);

/* Evicts tasks of lower priority for the task and promises it their node. False: that would not help, or no memory. */
bool pq_pod_evict(struct policy *, uint32_t job, uint32_t task);

#endif
