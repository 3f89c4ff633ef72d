/* SPDX-License-Identifier: MIT */
/*
 * Tasks change their places; everything else follows. pc_move() is the one operation: it takes what
 * the task contributes to its nodes, job and queues away, and adds what it contributes at its new
 * place. A transaction is a log of former places:
 *
 *     uint32_t mark = pc_txn_mark(c);
 *     ... pc_txn_move(...) as often as needed; false: no memory ...
 *     good ? pc_txn_commit(p, mark, action, ...) : pc_txn_rollback(c, mark);
 *
 * Marks nest: rolling back to an earlier mark undoes all that came after it.
 */
#ifndef POLICY_STATE_TASKS_H
#define POLICY_STATE_TASKS_H

#include "state/places.h"
#include "state/state.h"

/* ---- details of jobs ---- */

/* Makes the job's details, if there are none; false: no memory. */
bool pc_detail_make(struct policy *, uint32_t job);

/* Gives them back when they say nothing beyond "all tasks are pending". Pointers to its tasks are
 * invalid then. */
void pc_detail_drop(struct pc_cluster *, uint32_t job);
void pc_detail_free(struct pc_cluster *, struct pc_job *); /* whatever they say */

/* ---- places ---- */

bool pc_same_place(const struct pc_place *, const struct pc_place *);

/* True if a queue's quota bounds what the job may have. */
static inline bool pc_is_bound_by_quota(const struct policy *p, const struct pc_job *j)
{
    return !j->preemptible && !p->config.pods.on;
}

/* True if tasks of the job may be evicted for others: then it is listed with its queue while some
 * are active. */
static inline bool pc_may_give(const struct policy *p, const struct pc_job *j)
{
    if (p->cluster->pending != NULL)
        return false;
    return j->preemptible || p->cluster->traits.anyone_gives;
}

/* The role of a task: what it asks for and which pod set it belongs to. */
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

/* What the task counts for in its queue where it is (active tasks only). */
struct pc_amounts pc_weigh_task(const struct pc_cluster *, uint32_t job, uint32_t task);

/* The same of all active tasks of the job. */
struct pc_amounts pc_active_amounts(const struct pc_cluster *, uint32_t job);

void pc_move(struct pc_cluster *, uint32_t job, uint32_t task, const struct pc_place *to);

/* The same for a task that becomes gated, ends or is alive again (enum pc_end). */
void pc_change(struct pc_cluster *, uint32_t job, uint32_t task, const struct pc_place *to,
               uint8_t end);

/* Adds (1) or takes away (-1) all that the task contributes: around changes of what it is, not
 * where. */
void pc_contribute(struct pc_cluster *, uint32_t job, uint32_t task, int sign);

/* The job may start nothing from now on, or may again: what its pending tasks ask for does not
 * count meanwhile. Nothing of it is nominated. */
void pc_shut(struct pc_cluster *, uint32_t job, bool shut);

/* The same for all tasks of a job none of which ever was anything but pending. */
void pc_contribute_pending(struct pc_cluster *, uint32_t job, int sign);

/* Takes away all that a live job contributes: it is over. */
void pc_withdraw(struct pc_cluster *, uint32_t job);

/*
 * Starts of jobs whose tasks are alike (pc_shape.alike), which have details that say nothing yet:
 * each task gets its place, on one node, and then the job and its queues have all of them; or the
 * first so many places are given back. Without a transaction, for each of these steps would have to
 * be undone on its own.
 */
void pc_start_at(struct pc_cluster *, uint32_t job, uint32_t task, const struct pc_place *);
void pc_start_all(struct pc_cluster *, uint32_t job);
void pc_start_none(struct pc_cluster *, uint32_t job, uint32_t count);

static inline uint32_t pc_txn_mark(const struct pc_cluster *c)
{
    return c->undo_count;
}

bool pc_txn_move(struct policy *, uint32_t job, uint32_t task, const struct pc_place *to);

/* What the task holds is being released, and its nomination is over. False: no memory. */
bool pc_txn_release(struct policy *, uint32_t job, uint32_t task);

void pc_txn_rollback(struct pc_cluster *, uint32_t mark);

/* Makes what was done since the mark the decision of this cycle; false: no memory, nothing changed.
 */
bool pc_txn_commit(struct policy *, uint32_t mark, uint32_t for_job, const uint8_t reasons[2]);

#endif
