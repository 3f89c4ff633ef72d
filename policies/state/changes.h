/* SPDX-License-Identifier: MIT */
/*
 * A log of changed nodes for indexes over nodes, which catch up with it when they are queried.
 *     ring   [ 7][ 3][ 7][12][ 9] ...      ranks, the newest overwrites the oldest
 *                    ^ seen       ^ total  an index that has seen 2 of 5 changes re-examines
 *                                          nodes 7, 12 and 9
 *
 * An index that is further behind than the length of the ring is rebuilt. Everything that may
 * change whether a request fits on a node, or how well, is logged: allocations by tasks and state
 * changes of the node. Undoing a change is logged as another change.
 */
#ifndef POLICY_STATE_CHANGES_H
#define POLICY_STATE_CHANGES_H

#include "base/memory.h"

struct pc_changes {
    bool kept; /* some index reads the log; otherwise it costs nothing */
    uint32_t *ring;
    uint32_t capacity; /* of the ring, a power of two; 0: none yet */
    uint64_t total;    /* changes so far */
    uint32_t *looked;  /* by rank: the last round that examined the node */
    uint32_t looked_capacity;
    uint32_t round;
};

/* Reserves memory for ranks below `ranks`. Returns false if out of memory. Growing drops the log,
 * so indexes that lag must rebuild. */
bool pc_changes_reserve(struct pc_changes *, const struct pc_memory *, uint32_t ranks);
void pc_changes_free(struct pc_changes *, const struct pc_memory *);

static inline void pc_changes_note(struct pc_changes *c, uint32_t rank)
{
    if (c->kept)
        c->ring[c->total++ & (c->capacity - 1)] = rank;
}

/* Returns true if the ring still holds all changes after the first `seen`. */
static inline bool pc_changes_reach(const struct pc_changes *c, uint64_t seen)
{
    return c->total - seen <= c->capacity;
}

/* Starts a new round, in which pc_changes_first_look() is true once for each node. */
void pc_changes_begin(struct pc_changes *);

static inline bool pc_changes_first_look(struct pc_changes *c, uint32_t rank)
{
    bool first = c->looked[rank] != c->round;
    c->looked[rank] = c->round;
    return first;
}

#endif
