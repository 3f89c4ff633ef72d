/* SPDX-License-Identifier: MIT */
/*
 * Barren nodes: for tasks of d whole devices of a queue, a node is barren if there would be no more
 * room for them without the evictable tasks of all other queues, each the only one of its job. A
 * search for victims in other queues (victims.h) skips such nodes if it needs room on
 * the node of a trial. On a full fleet these are most: what fills them may not be evicted, or
 * belongs to the queue itself.
 *
 * Each node remembers the answers for one number of devices and the first 64 queues until anything
 * changes on it.
 */
#ifndef POLICY_ACT_VICTIMS_BARREN_H
#define POLICY_ACT_VICTIMS_BARREN_H

#include "state/state.h"

bool pc_is_barren(const struct pc_cluster *, struct pc_node *, uint32_t queue, int32_t devices);

/* The same, not remembered: also for checks. */
bool pc_barren_now(const struct pc_cluster *, const struct pc_node *, uint32_t queue,
                   int32_t devices);

#endif
