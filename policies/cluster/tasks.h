/* SPDX-License-Identifier: MIT */
/*
 * Tasks change their places; everything else follows. pq_move() is the one operation: it takes what the task
 * contributes to its nodes, job and queues away, and adds what it contributes at its new place. A transaction is a log
 * of former places:
 *
 *     uint32_t mark = pq_txn_mark(c);
 *     ... pq_txn_move(...) as often as needed; false: no memory ...
 *     good ? pq_txn_commit(p, mark, action, ...) : pq_txn_rollback(c, mark);
 *
 * Marks nest: rolling back to an earlier mark undoes all that came after it.
 */
#ifndef POLICY_CLUSTER_TASKS_H
#define POLICY_CLUSTER_TASKS_H

#include "cluster/state.h"

static inline struct pq_place pq_nowhere(void)
{
    struct pq_place place;
    __builtin_memset(&place, 0, sizeof place); /* places compare as bytes */
    place.node = place.promised = PC_NONE;
    return place;
}

static inline bool pq_is_active(const struct pq_place *place)
{
    return place->holding == PQ_RUNS || place->promised != PC_NONE;
}

static inline bool pq_is_pending(const struct pq_task *t)
{
    return t->end == PQ_ALIVE && t->place.holding == PQ_NOTHING && t->place.promised == PC_NONE;
}

/* May be placed by the attempt at hand: pending, or evicted on trial and not placed again yet. */
static inline bool pq_is_candidate(const struct pq_task *t)
{
    return pq_is_pending(t) || (t->trial && t->place.promised == PC_NONE && t->place.holding != PQ_RUNS);
}

/* The node that bears an active task: where it was promised a place, or else where it runs. */
static inline uint32_t pq_stands_on(const struct pq_place *place)
{
    return place->promised != PC_NONE ? place->promised : place->node;
}

/* ---- a job's tasks ---- */

/* What the tasks of jobs without details are. */
extern const struct pq_task pq_pending_task;

/* A task as it is, for reading. */
static inline const struct pq_task *pq_task_of(const struct pq_job *j, uint32_t task)
{
    return j->detail != NULL ? &j->detail->tasks[task] : &pq_pending_task;
}

static inline const struct pq_task *pq_task(const struct cluster *c, uint32_t job, uint32_t task)
{
    return pq_task_of(&c->jobs[job], task);
}

/* A task of a job that has details, to change it. */
static inline struct pq_task *pq_task_at(const struct cluster *c, uint32_t job, uint32_t task)
{
    return &c->jobs[job].detail->tasks[task];
}

/* How many tasks of a pod set are what. */
static inline struct pq_counts pq_counts_of(const struct cluster *c, const struct pq_job *j, uint32_t set)
{
    if (j->detail != NULL)
        return j->detail->counts[set];
    return (struct pq_counts){.pending =
                                  j->state == PQ_LIVE ? (int32_t)c->shapes[j->shape].sets[set].tasks : 0};
}

/* When some task of the job started last, of those since when it holds something without a break; POLICY_NEVER: none. */
static inline policy_time pq_last_start(const struct pq_job *j)
{
    return j->detail != NULL ? j->detail->last_start : POLICY_NEVER;
}

/* With modules: how many of its tasks hold something, and thousandths of devices that they hold. */
static inline int32_t pq_holding(const struct pq_job *j)
{
    return j->detail != NULL ? j->detail->holding : 0;
}

static inline int64_t pq_held_milli(const struct pq_job *j)
{
    return j->detail != NULL ? j->detail->held_milli : 0;
}

/* And how many when modules were told last. */
static inline int32_t pq_told_tasks(const struct pq_job *j)
{
    return j->detail != NULL ? j->detail->told_tasks : 0;
}

/* Makes the job's details, if there are none; false: no memory. */
bool pq_detail_make(struct policy *, uint32_t job);

/* Gives them back when they say nothing beyond "all tasks are pending". Pointers to its tasks are invalid then. */
void pq_detail_drop(struct cluster *, uint32_t job);
void pq_detail_free(struct cluster *, struct pq_job *); /* whatever they say */

/* ---- places ---- */

bool pq_same_place(const struct pq_place *, const struct pq_place *);

/* Whether a queue's quota bounds what the job may have. */
static inline bool pq_is_bound_by_quota(const struct policy *p, const struct pq_job *j)
{
    return !j->preemptible && !p->config.pods.on;
}

/* Whether tasks of the job may be evicted for others: then it is listed with its queue while some are active. */
static inline bool pq_may_give(const struct policy *p, const struct pq_job *j)
{
    if (p->cluster->pending != NULL)
        return false;
    return j->preemptible || p->cluster->traits.anyone_gives;
}

/* The role of a task: what it asks for and which pod set it belongs to. */
const struct pq_role *pq_role_of(const struct pq_shape *, uint32_t task);

static inline const struct pq_request *pq_request_of(const struct cluster *c, uint32_t job, uint32_t task)
{
    return &pq_role_of(&c->shapes[c->jobs[job].shape], task)->request;
}

/* What the task counts for in its queue where it is (active tasks only). */
struct pq_amounts pq_weigh_task(const struct cluster *, uint32_t job, uint32_t task);

/* The same of all active tasks of the job. */
struct pq_amounts pq_active_amounts(const struct cluster *, uint32_t job);

void pq_move(struct cluster *, uint32_t job, uint32_t task, const struct pq_place *to);

/* The same for a task that becomes gated, ends or is alive again (enum pq_end). */
void pq_change(struct cluster *, uint32_t job, uint32_t task, const struct pq_place *to, uint8_t end);

/* Adds (1) or takes away (-1) all that the task contributes: around changes of what it is, not where. */
void pq_contribute(struct cluster *, uint32_t job, uint32_t task, int sign);

/* The same for all tasks of a job none of which ever was anything but pending. */
void pq_contribute_pending(struct cluster *, uint32_t job, int sign);

/* Takes away all that a live job contributes: it is over. */
void pq_withdraw(struct cluster *, uint32_t job);

static inline uint32_t pq_txn_mark(const struct cluster *c)
{
    return c->undo_count;
}

bool pq_txn_move(struct policy *, uint32_t job, uint32_t task, const struct pq_place *to);
void pq_txn_rollback(struct cluster *, uint32_t mark);

/* Makes what was done since the mark the decision of this cycle; false: no memory, nothing changed. */
bool pq_txn_commit(struct policy *, uint32_t mark, uint32_t for_job, const uint8_t reasons[2]);

#endif
