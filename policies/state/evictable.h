/* SPDX-License-Identifier: MIT */
/*
 * A leaf's evictable jobs with active tasks, in victim order: the job that would be served last
 * comes first (pc_compare_jobs_as() by the job's `gives_as`). The list consists of blocks: a scan
 * in order touches little memory, jobs are found by key, and adding or removing a job moves at most
 * one block.
 *     blocks  [ 7 3 12 . ]  [ 5 9 . . ]  [ 1 8 4 2 ]
 *
 * Any two neighbours hold at least one block's worth of members. Memory is reserved in advance, so
 * adding cannot fail.
 */
#ifndef POLICY_STATE_EVICTABLE_H
#define POLICY_STATE_EVICTABLE_H

#include "state/state.h"

/* Reserves memory for that many jobs. Returns false if out of memory. */
bool pc_evictable_reserve(struct policy *, struct pc_evictable *, uint32_t jobs);
void pc_evictable_free(struct policy *, struct pc_evictable *);

/* The job's key, priority, gives_as, active_amounts and active_on must not change while it is
 * listed. */
void pc_evictable_add(const struct policy *, struct pc_evictable *, uint32_t job);
void pc_evictable_remove(const struct policy *, struct pc_evictable *, uint32_t job);

/* Changes the job's active_on. */
void pc_evictable_move(const struct policy *, struct pc_evictable *, uint32_t job, uint32_t node);

bool pc_evictable_has(const struct policy *, const struct pc_evictable *, uint32_t job);

/* Returns the position of a listed job. */
struct pc_evictable_place pc_evictable_find(const struct policy *, const struct pc_evictable *,
                                            uint32_t job);

/* Prefix sum of the jobs up to and including this position, using the sums of earlier blocks. */
struct pc_amounts pc_evictable_sum(const struct policy *, const struct pc_evictable *,
                                   struct pc_evictable_place);

/* The sum over the jobs that precede another one of the leaf, listed or not, if its elastic state
 * is `as`. */
struct pc_amounts pc_evictable_sum_before(const struct policy *, const struct pc_evictable *,
                                          uint32_t job, int as);

/* Iterates over the list from {0, 0}; valid until a job is added or removed. */
static inline uint32_t
pc_evictable_at(const struct pc_evictable *list,
                struct pc_evictable_place at) /* a job, or PC_NONE past the end */
{
    return at.block < list->block_count ? list->blocks[list->order[at.block]].of[at.place].job
                                        : PC_NONE;
}

/* The entry at a position that is not past the end. */
static inline const struct pc_giver *pc_evictable_entry(const struct pc_evictable *list,
                                                        struct pc_evictable_place at)
{
    return &list->blocks[list->order[at.block]].of[at.place];
}

/* What the job gives: its active_amounts. */
static inline const struct pc_amounts *pc_evictable_amounts(const struct pc_cluster *c,
                                                            const struct pc_giver *giver)
{
    return giver->shape != PC_NONE ? &c->shapes[giver->shape].total
                                   : &c->jobs[giver->job].detail->active_amounts;
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
