/* SPDX-License-Identifier: MIT */
/*
 * Barren nodes. For a queue whose tasks request d whole devices each, a node is barren if evicting
 * all evictable tasks of other queues would make no room for one more such task. A node with a task
 * of a gang is never barren: evicting that gang also makes room elsewhere. A search for victims in
 * other queues (victims.h) skips barren nodes if it needs room on the node of a trial. On a full
 * fleet most nodes are barren: the tasks on them may not be evicted, or belong to the queue itself.
 *
 * What other queues leave is remembered for the first queues, until anything changes on the node.
 * Other queues never find a node barren.
 */
#ifndef POLICY_ACT_VICTIMS_BARREN_H
#define POLICY_ACT_VICTIMS_BARREN_H

#include "state/state.h"

bool pc_is_barren(const struct pc_cluster *, uint32_t node, uint32_t queue, int32_t devices);

/* Returns true if no gang has evictable tasks on the node, */
bool pc_all_are_single(const struct pc_cluster *, uint32_t node);

/* or no gang of another queue. */
bool pc_others_are_single(const struct pc_cluster *, uint32_t node, uint32_t queue);

/* Finds the answer anew; for checks, too. */
bool pc_barren_now(const struct pc_cluster *, uint32_t node, uint32_t queue, int32_t devices);

#endif
