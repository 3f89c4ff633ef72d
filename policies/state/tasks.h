/* SPDX-License-Identifier: MIT */
/*
 * Tasks change their places; everything else follows. pc_move() is the one operation: it subtracts
 * the task's contribution from its nodes, job and queues, and adds that of its new place. A
 * transaction is a log of former places:
 *     uint32_t mark = pc_txn_mark(c);
 *     ... pc_txn_move(...) as often as needed; false: out of memory ...
 *     good ? pc_txn_commit(p, mark, action, ...) : pc_txn_rollback(c, mark);
 *
 * Marks nest: rolling back to an earlier mark undoes everything after it.
 */
#ifndef POLICY_STATE_TASKS_H
#define POLICY_STATE_TASKS_H

#include "state/places.h"
#include "state/state.h"

/* ---- details of jobs ---- */

/* Creates the job's details if needed. Returns false if out of memory. */
bool pc_detail_make(struct policy *, uint32_t job);

/* Frees them if they say nothing beyond "all tasks are pending". Invalidates pointers to its
 * tasks. */
void pc_detail_drop(struct pc_cluster *, uint32_t job);
void pc_detail_free(struct pc_cluster *, struct pc_job *); /* unconditionally */

/* ---- places ---- */

bool pc_same_place(const struct pc_place *, const struct pc_place *);

/* Returns true if the job counts against its queue's quota. */
static inline bool pc_is_bound_by_quota(const struct policy *p, const struct pc_job *j)
{
    return !j->preemptible && !p->config.pods.on;
}

/* Returns true if the job's tasks may be evicted for others: it is then listed with its queue while
 * some are active. */
static inline bool pc_may_give(const struct policy *p, const struct pc_job *j)
{
    if (p->cluster->pending != NULL)
        return false;
    return j->preemptible || p->cluster->traits.anyone_gives;
}

/* The role of a task: its request and pod set. */
const struct pc_role *pc_role_among(const struct pc_shape *, uint32_t task);

static inline const struct pc_role *pc_role_of(const struct pc_shape *s, uint32_t task)
{
    return s->role_count == 1 ? &s->roles[0] : pc_role_among(s, task);
}

static inline const struct pc_request *pc_request_of(const struct pc_cluster *c, uint32_t job,
                                                     uint32_t task)
{
    return &pc_role_of(&c->shapes[c->jobs[job].shape], task)->request;
}

/* The weight of an active task in its queue, at its place. */
struct pc_amounts pc_weigh_task(const struct pc_cluster *, uint32_t job, uint32_t task);

/* The same for all active tasks of the job. */
struct pc_amounts pc_active_amounts(const struct pc_cluster *, uint32_t job);

void pc_move(struct pc_cluster *, uint32_t job, uint32_t task, const struct pc_place *to);

/* The same for a task that becomes gated, ends, or is alive again (enum pc_end). */
void pc_change(struct pc_cluster *, uint32_t job, uint32_t task, const struct pc_place *to,
               uint8_t end);

/* Adds (1) or subtracts (-1) the task's entire contribution: used around changes of its attributes,
 * not its place. */
void pc_contribute(struct pc_cluster *, uint32_t job, uint32_t task, int sign);

/* Forbids or allows the job to start: while forbidden, the requests of its pending tasks do not
 * count. It must have no nominations. */
void pc_shut(struct pc_cluster *, uint32_t job, bool shut);

/* The same for all tasks of a job that have always been pending. */
void pc_contribute_pending(struct pc_cluster *, uint32_t job, int sign);

/* Subtracts the entire contribution of a live job: it is over. */
void pc_withdraw(struct pc_cluster *, uint32_t job);

/*
 * Starts jobs with equal tasks (pc_shape.alike) and still empty details: pc_start_at() gives each
 * task its place on one node; then pc_start_all() updates the job and its queues, or
 * pc_start_none() releases the first `count` places. Not transactional, which would log an undo
 * record for each step.
 */
void pc_start_at(struct pc_cluster *, uint32_t job, uint32_t task, const struct pc_place *);
void pc_start_all(struct pc_cluster *, uint32_t job);
void pc_start_none(struct pc_cluster *, uint32_t job, uint32_t count);

static inline uint32_t pc_txn_mark(const struct pc_cluster *c)
{
    return c->undo_count;
}

bool pc_txn_move(struct policy *, uint32_t job, uint32_t task, const struct pc_place *to);

/* Releases what the task holds and clears its nomination. Returns false if out of memory. */
bool pc_txn_release(struct policy *, uint32_t job, uint32_t task);

void pc_txn_rollback(struct pc_cluster *, uint32_t mark);

/* Commits the changes since the mark as decisions of this cycle. Returns false if out of memory,
 * with nothing changed. */
bool pc_txn_commit(struct policy *, uint32_t mark, uint32_t for_job, const uint8_t reasons[2]);

#endif
