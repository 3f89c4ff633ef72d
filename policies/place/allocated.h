/* SPDX-License-Identifier: MIT */
/*
 * How well a task suits a node by how much of it is allocated, as NodeResourcesFit of
 * kube-scheduler scores it (leastResourceScorer, mostResourceScorer, with equal weights): for each
 * resource that the task asks for and the node has,
 *
 *     least-allocated   (capacity - requested) * 100 / capacity     0 when more is requested than
 *                       there is
 *     most-allocated    requested * 100 / capacity                  at most 100
 *
 * in whole numbers, rounded down, with the task's own request added to what is requested already,
 * tasks that are being released included, nominations not; then the mean over these resources,
 * rounded down again. Devices, CPU and memory are resources here. A task that asks for nothing of
 * all that scores 0 everywhere.
 *
 * What kube-scheduler does beside it is not modelled: balanced allocation, spreading over zones,
 * taints that are preferred not to be used, affinity between pods, images that are there already;
 * nor the 100 millicores and 200 MB that it takes a container to want which asks for none, nor the
 * ports and volumes. Among nodes of the highest score it draws lots: here the smallest rank is
 * taken.
 */
#ifndef POLICY_PLACE_ALLOCATED_H
#define POLICY_PLACE_ALLOCATED_H

#include "state/state.h"

/* One resource: `requested` is the task's request and what is taken already. 0..100. */
int64_t pc_allocated_score(int32_t score /* enum policy_score */, int64_t capacity,
                           int64_t requested);

/* The mean over the resources of which `wants` has something; capacities above PC_PLENTY - 1 are
 * not modelled. 0..100. */
int64_t pc_allocated_mean(int32_t score, const struct pc_amounts *capacity,
                          const struct pc_amounts *taken, const struct pc_amounts *wants);

/* The same of a node as the quota policy knows it. */
int64_t pc_fit_score(const struct pc_cluster *, const struct pc_node *, const struct pc_request *,
                     int32_t score);

#endif
