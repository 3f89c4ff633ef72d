/* SPDX-License-Identifier: MIT */
/*
 * A leaf's jobs with active tasks that may be evicted, in the order in which they give: the one
 * that would be served last comes first (pc_compare_jobs_as() by the job's `gives_as`). The list
 * stands in blocks; looking through it in order touches little memory, a job is found by its key,
 * and adding or removing one moves at most a block.
 *
 *     blocks  [ 7 3 12 . ]  [ 5 9 . . ]  [ 1 8 4 2 ]
 *
 * Two neighbours have at least as many members as fit one block. Room is made beforehand: adding
 * cannot fail.
 */
#ifndef POLICY_STATE_EVICTABLE_H
#define POLICY_STATE_EVICTABLE_H

#include "state/state.h"

/* Room for so many jobs; false: no memory. */
bool pc_evictable_reserve(struct policy *, struct pc_evictable *, uint32_t jobs);
void pc_evictable_free(struct policy *, struct pc_evictable *);

/* The job's key, its gives_as and its active_amounts may not change while it is listed. */
void pc_evictable_add(const struct policy *, struct pc_evictable *, uint32_t job);
void pc_evictable_remove(const struct policy *, struct pc_evictable *, uint32_t job);
bool pc_evictable_has(const struct policy *, const struct pc_evictable *, uint32_t job);

/* Where a job stands that is listed. */
struct pc_evictable_place pc_evictable_find(const struct policy *, const struct pc_evictable *,
                                            uint32_t job);

/* What the jobs up to this place, and the one that stands there, amount to: from the sums of blocks
 * before it. */
struct pc_amounts pc_evictable_sum(const struct policy *, const struct pc_evictable *,
                                   struct pc_evictable_place);

/* A place in the list, from {0, 0} on, as long as nothing is added or removed. */
static inline uint32_t pc_evictable_at(const struct pc_evictable *list,
                                       struct pc_evictable_place at) /* or PC_NONE */
{
    return at.block < list->block_count ? list->blocks[list->order[at.block]].ids[at.place]
                                        : PC_NONE;
}

static inline void pc_evictable_next(const struct pc_evictable *list, struct pc_evictable_place *at)
{
    if (++at->place < list->blocks[list->order[at->block]].count)
        return;
    at->block++;
    at->place = 0;
}

static inline uint32_t pc_evictable_first(const struct pc_evictable *list)
{
    return pc_evictable_at(list, (struct pc_evictable_place){0, 0});
}

#endif
