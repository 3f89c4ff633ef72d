/* SPDX-License-Identifier: MIT */
/*
 * Upper bound on the number of tasks of d whole devices that each node could hold if every smaller
 * evictable task were moved elsewhere:
 *     sum over the nodes of floor((devices free after release + devices of evictable tasks that
 *                                  request fewer than d) / d)
 *
 * No sequence of moves without losses makes room for more, provided that evictable tasks larger
 * than d request multiples of d (as with powers of two): on each node the tasks of d or more
 * devices end up with a multiple of d, and with no more than they had plus what is free and what
 * smaller tasks leave. Non-evictable tasks stay. The sums are maintained incrementally, so a search
 * that cannot succeed is not begun.
 *
 * A changed node is marked and recounted on the next query.
 */
#ifndef POLICY_STATE_ROOM_H
#define POLICY_STATE_ROOM_H

#include "state/state.h"

/* An evictable task is now on its node (sign 1), or no longer (-1). */
void pc_room_give(struct pc_cluster *, uint32_t job, uint32_t task, const struct pc_request *,
                  int sign);

/* The node is removed, or will be recounted from zero. */
void pc_room_forget(struct pc_cluster *, struct pc_node *);

/* Counts again what changed since the last call. */
void pc_room_settle(struct policy *);

/* Returns true if the bound holds for tasks of that many devices: larger evictable tasks request
 * multiples of it. */
bool pc_room_is_known(const struct pc_cluster *, int32_t devices);

/* Index into cluster.giving_in_gangs: 0 for parts of devices, n from 2^(n - 1) whole devices on. */
static inline uint32_t pc_gang_size(int32_t devices)
{
    uint32_t size = 0;
    while (devices >> size > 0)
        size++;
    return size;
}

/* The bound for tasks of that many devices (1..POLICY_MAX_DEVICES), or INT64_MAX if unknown. */
int64_t pc_most_room(struct policy *, int32_t devices);

/*
 * Returns the next node, from this rank on, that could hold more such tasks than now if smaller
 * ones were gone, as counted by pc_most_room(); PC_NONE: none. If moves gain anything, smaller
 * tasks leave one of these.
 */
uint32_t pc_next_roomy(const struct pc_cluster *, int32_t devices, uint32_t rank);

/* The term of one node, for checks. */
int32_t pc_room_of(const struct pc_node *, int32_t devices);

#endif
