/* SPDX-License-Identifier: MIT */
/*
 * Scores nodes by how much is allocated, like NodeResourcesFit of kube-scheduler
 * (leastResourceScorer, mostResourceScorer, with equal weights): for each resource that the task
 * requests and the node has,
 *     least-allocated   (capacity - requested) * 100 / capacity     0 if requested > capacity
 *     most-allocated    requested * 100 / capacity                  at most 100
 *
 * in integers, rounded down. `requested` is the task's request plus existing requests, including
 * tasks being released but not nominations. The score is the mean over these resources, rounded
 * down again. Devices, CPU and memory are resources here. A task that requests none of them scores
 * 0 everywhere.
 *
 * Other scores of kube-scheduler are not modelled: balanced allocation, topology spread, preferred
 * taints, pod affinity, image locality; nor the default 100 millicores and 200 MB of a container
 * without requests, nor ports and volumes. Among the nodes with the highest score it chooses at
 * random; here the smallest rank wins.
 */
#ifndef POLICY_PLACE_ALLOCATED_H
#define POLICY_PLACE_ALLOCATED_H

#include "state/state.h"

/* One resource: `requested` is the task's request plus what is already taken. 0..100. */
int64_t pc_allocated_score(int32_t score /* enum policy_score */, int64_t capacity,
                           int64_t requested);

/* The mean over the resources that `wants` requests; capacities of PC_PLENTY or more are not
 * modelled. 0..100. */
int64_t pc_allocated_mean(int32_t score, const struct pc_amounts *capacity,
                          const struct pc_amounts *taken, const struct pc_amounts *wants);

/* The same for a node of the cluster state. */
int64_t pc_fit_score(const struct pc_cluster *, const struct pc_node *, const struct pc_request *,
                     int32_t score);

#endif
