/* SPDX-License-Identifier: MIT */
/* Reading where tasks are. Jobs all of whose tasks are pending have no array of them: these answer
 * for both kinds. */
#ifndef POLICY_STATE_PLACES_H
#define POLICY_STATE_PLACES_H

#include "state/state.h"

static inline struct pc_place pc_nowhere(void)
{
    struct pc_place place;
    __builtin_memset(&place, 0, sizeof place); /* places compare as bytes */
    place.node = place.nominated = PC_NONE;
    return place;
}

static inline bool pc_is_active(const struct pc_place *place)
{
    return place->holding == PC_RUNS || place->nominated != PC_NONE;
}

static inline bool pc_is_pending(const struct pc_task *t)
{
    return t->end == PC_ALIVE && t->place.holding == PC_NOTHING && t->place.nominated == PC_NONE;
}

/* May be placed by the attempt at hand: pending, or evicted on trial and not placed again yet. */
static inline bool pc_is_candidate(const struct pc_task *t)
{
    return pc_is_pending(t) ||
           (t->trial && t->place.nominated == PC_NONE && t->place.holding != PC_RUNS);
}

/* The node that bears an active task: where it was nominated to a place, or else where it runs. */
static inline uint32_t pc_stands_on(const struct pc_place *place)
{
    return place->nominated != PC_NONE ? place->nominated : place->node;
}

/* Where the task is, without its nomination. */
static inline struct pc_place pc_not_nominated(const struct pc_task *t)
{
    struct pc_place place = t->place;
    place.nominated = PC_NONE;
    place.nominated_devices = 0;
    place.nominated_slice = 0;
    return place;
}

/* ---- a job's tasks ---- */

/* What the tasks of jobs without details are. */
extern const struct pc_task pc_pending_task;

/* A task as it is, for reading. */
static inline const struct pc_task *pc_task_of(const struct pc_job *j, uint32_t task)
{
    return j->detail != NULL ? &j->detail->tasks[task] : &pc_pending_task;
}

static inline const struct pc_task *pc_task(const struct pc_cluster *c, uint32_t job, uint32_t task)
{
    return pc_task_of(&c->jobs[job], task);
}

/* A task of a job that has details, to change it. */
static inline struct pc_task *pc_task_at(const struct pc_cluster *c, uint32_t job, uint32_t task)
{
    return &c->jobs[job].detail->tasks[task];
}

/* How many tasks of a pod set are in each state. */
static inline struct pc_counts pc_counts_of(const struct pc_cluster *c, const struct pc_job *j,
                                            uint32_t set)
{
    if (j->detail != NULL)
        return j->detail->counts[set];
    return (struct pc_counts){
        .pending = j->state == PC_LIVE ? (int32_t)c->shapes[j->shape].sets[set].tasks : 0};
}

/* When some task of the job started last, of those since when it holds something without a break;
 * POLICY_NEVER: none. */
static inline policy_time pc_last_start(const struct pc_job *j)
{
    return j->detail != NULL ? j->detail->last_start : POLICY_NEVER;
}

/* With modules: how many of its tasks hold something, and thousandths of devices that they hold. */
static inline int32_t pc_holding(const struct pc_job *j)
{
    return j->detail != NULL ? j->detail->holding : 0;
}

static inline int64_t pc_held_milli(const struct pc_job *j)
{
    return j->detail != NULL ? j->detail->held_milli : 0;
}

/* And how many when modules were called last. */
static inline int32_t pc_reported_tasks(const struct pc_job *j)
{
    return j->detail != NULL ? j->detail->reported_tasks : 0;
}

#endif
