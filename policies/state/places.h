/* SPDX-License-Identifier: MIT */
/* Accessors for where tasks are. Jobs whose tasks are all pending have no task array: these
 * functions work for both. */
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

/* Returns true if the current attempt may place the task: it is pending, or evicted tentatively and
 * not placed again. */
static inline bool pc_is_candidate(const struct pc_task *t)
{
    return pc_is_pending(t) ||
           (t->trial && t->place.nominated == PC_NONE && t->place.holding != PC_RUNS);
}

/* The node of an active task: the nominated one, or else the one where it runs. */
static inline uint32_t pc_stands_on(const struct pc_place *place)
{
    return place->nominated != PC_NONE ? place->nominated : place->node;
}

/* The task's place without its nomination. */
static inline struct pc_place pc_not_nominated(const struct pc_task *t)
{
    struct pc_place place = t->place;
    place.nominated = PC_NONE;
    place.nominated_devices = 0;
    place.nominated_slice = 0;
    return place;
}

/* ---- a job's tasks ---- */

/* The task of jobs without details. */
extern const struct pc_task pc_pending_task;

/* Read access to a task. */
static inline const struct pc_task *pc_task_of(const struct pc_job *j, uint32_t task)
{
    return j->detail != NULL ? &j->detail->tasks[task] : &pc_pending_task;
}

static inline const struct pc_task *pc_task(const struct pc_cluster *c, uint32_t job, uint32_t task)
{
    return pc_task_of(&c->jobs[job], task);
}

/* Write access to a task of a job with details. */
static inline struct pc_task *pc_task_at(const struct pc_cluster *c, uint32_t job, uint32_t task)
{
    return &c->jobs[job].detail->tasks[task];
}

/* Number of tasks of a pod set in each state. */
static inline struct pc_counts pc_counts_of(const struct pc_cluster *c, const struct pc_job *j,
                                            uint32_t set)
{
    if (j->detail != NULL)
        return j->detail->counts[set];
    return (struct pc_counts){
        .pending = j->state == PC_LIVE ? (int32_t)c->shapes[j->shape].sets[set].tasks : 0};
}

/* The last start of a task of the job since the job last held nothing; POLICY_NEVER: it holds
 * nothing. */
static inline policy_time pc_last_start(const struct pc_job *j)
{
    return j->detail != NULL ? j->detail->last_start : POLICY_NEVER;
}

/* With modules: number of tasks that hold something, and the thousandths of devices they hold. */
static inline int32_t pc_holding(const struct pc_job *j)
{
    return j->detail != NULL ? j->detail->holding : 0;
}

static inline int64_t pc_held_milli(const struct pc_job *j)
{
    return j->detail != NULL ? j->detail->held_milli : 0;
}

/* That number as last reported to modules. */
static inline int32_t pc_reported_tasks(const struct pc_job *j)
{
    return j->detail != NULL ? j->detail->reported_tasks : 0;
}

#endif
