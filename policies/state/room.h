/* SPDX-License-Identifier: MIT */
/*
 * How many tasks that want d whole devices of a node each there would be room for, each node by
 * itself, if all that is smaller and may be evicted were somewhere else:
 *
 *     sum over the nodes of floor((devices free soon + devices of evictable tasks that want fewer
 *     than d) / d)
 *
 * Nobody gets room for more of them by moving tasks about and losing none, as long as evictable
 * tasks that want more than d want multiples of d (as those of powers of two do): on each node,
 * those that want d or more have a multiple of d in the end, and no more than they had together
 * with what is free and what is left by smaller ones. What cannot be evicted stays. The sums are
 * kept, so that a search which cannot end well is not begun.
 *
 * A node that changes is marked, and counted anew when somebody asks.
 */
#ifndef POLICY_STATE_ROOM_H
#define POLICY_STATE_ROOM_H

#include "state/state.h"

/* A task of a job that may be evicted stands on its node now (sign 1), or no more (-1). */
void pc_room_give(struct pc_cluster *, uint32_t job, uint32_t task, const struct pc_request *,
                  int sign);

/* The node leaves, or is counted anew from nothing. */
void pc_room_forget(struct pc_cluster *, struct pc_node *);

/* True if the bound above holds for tasks of so many devices: evictable tasks that want more want
 * multiples of them. */
bool pc_room_is_known(const struct pc_cluster *, int32_t devices);

/* Room for tasks of so many devices (1..POLICY_MAX_DEVICES), or INT64_MAX where nothing can be
 * said. */
int64_t pc_most_room(struct policy *, int32_t devices);

/*
 * The next node, from this rank on, that would have room for more such tasks than now if smaller
 * ones were gone, as pc_most_room() found them; PC_NONE: there is no other. Where something is
 * gained by moving tasks, smaller ones leave one of these.
 */
uint32_t pc_next_roomy(const struct pc_cluster *, int32_t devices, uint32_t rank);

/* The sum of one node, from its numbers: for checks. */
int32_t pc_room_of(const struct pc_node *, int32_t devices);

#endif
