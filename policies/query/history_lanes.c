/* SPDX-License-Identifier: MIT */
/*
 * History of lanes (state/history.h): classes that are blocked until something is released, partly
 * evicted gangs, and the fact that nothing has happened since the last decision.
 */
#include "order/ranking.h"
#include "pending/ahead.h"
#include "pending/blocked.h"
#include "pending/queue_classes.h"
#include "state/history.h"
#include "state/jobs.h"
#include "state/tasks.h"

static bool has_lanes(const struct policy *p)
{
    return p->cluster->pending != NULL;
}

/* ---- blocked classes ---- */

/* Capacity released since the last decision is not recorded, so classes that may use it are omitted
 * and will be retried. */
static bool get_blocked(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    const struct pc_pending *w = p->cluster->pending;
    for (; *i < w->class_count; (*i)++) {
        const struct pc_job_class *k = &w->classes[*i];
        if (!k->exists || k->pending == 0 || k->blocked == 0 || pc_blocked_may_wake(p, *i))
            continue;
        h->job = pc_job_id(p->cluster, pc_first_job(k));
        h->level = k->blocked;
        return true;
    }
    return false;
}

static bool holds_nothing(const struct pc_job *j)
{
    return j->state == PC_HELD || j->running + j->releasing == 0;
}

static int set_blocked(struct policy *p, policy_time at, const struct policy_history *h)
{
    uint32_t job = pc_job_find(p, h->job);
    if (job == PC_NONE)
        return POLICY_UNKNOWN;
    const struct pc_job *j = &p->cluster->jobs[job];
    int status = POLICY_OK;
    if (j->class == PC_NONE && !holds_nothing(j))
        status = pc_refuse(p, POLICY_CONFLICT, "job", job,
                           "runs already, so no start is nominated to it");
    else if (h->level <= POLICY_REASON_WAITING || h->level >= POLICY_REASONS)
        status =
            pc_refuse(p, POLICY_INVALID, "reason", h->level, "one for which a job may be pending");
    if (status != POLICY_OK || (status = pc_at(p, at)) != POLICY_OK || j->class == PC_NONE)
        return status;
    const struct pc_job_class *k = &p->cluster->pending->classes[j->class];
    if (k->blocked != 0 || k->never_fits || k->over_limit)
        return POLICY_OK; /* it is not tried anyway */
    pc_pending_block(p, j->class, h->level);
    pc_pending_close(p, false);
    return POLICY_OK;
}

const struct pc_history_row pc_blocked_history = {POLICY_HISTORY_BLOCKED, has_lanes, get_blocked,
                                                  set_blocked, NULL};

/* ---- partly evicted gangs, and jobs told to stop ---- */

/* A job at its time limit is told to stop once, and holds its devices until it has stopped. */
static bool is_stopping(const struct policy *p, const struct pc_job *j)
{
    return p->config.time_limits && j->releasing > 0 && j->running == 0;
}

static bool get_evicted(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    const struct pc_cluster *c = p->cluster;
    for (; *i < c->job_count; (*i)++) {
        const struct pc_job *j = &c->jobs[*i];
        if (j->state != PC_LIVE || !(j->evicted || is_stopping(p, j)))
            continue;
        h->job = pc_job_id(c, *i);
        h->leaving = is_stopping(p, j);
        h->settled = h->leaving && !j->evicted;
        return true;
    }
    return false;
}

/* Tasks of an evicted gang that hold nothing have ended: they become pending with the last one. */
static void forget_gone(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_place nowhere = pc_nowhere();
    for (uint32_t i = 0; i < c->shapes[c->jobs[job].shape].tasks; i++)
        if (pc_is_pending(pc_task(c, job, i)))
            pc_change(c, job, i, &nowhere, PC_GONE);
    pc_job_settle(p, job);
}

static int set_evicted(struct policy *p, policy_time at, const struct policy_history *h)
{
    uint32_t job = pc_job_find(p, h->job);
    if (job == PC_NONE)
        return POLICY_UNKNOWN;
    struct pc_job *j = &p->cluster->jobs[job];
    if (holds_nothing(j))
        return pc_refuse(p, POLICY_CONFLICT, "job", job,
                         "does not run, so it has nothing to evict");
    int status = pc_at(p, at);
    if (status == POLICY_OK && h->leaving && p->config.time_limits)
        status = policy_task_releasing(p, at, h->job, POLICY_ALL_TASKS);
    if (status != POLICY_OK)
        return status;
    j->evicted = !h->settled;
    if (j->evicted)
        forget_gone(p, job);
    return POLICY_OK;
}

const struct pc_history_row pc_evicted_history = {POLICY_HISTORY_EVICTED, has_lanes, get_evicted,
                                                  set_evicted, NULL};

/* ---- nothing has happened since the last decision ---- */

/* Preemptive orders record it per lane: order/ranking_history.c. */
static bool decides_all_at_once(const struct policy *p)
{
    return has_lanes(p) && pc_ranking_of(p) == NULL;
}

/* Returns false as well if a time that it waited for has come. */
static bool get_settled(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    h->until = policy_next_wakeup(p);
    return *i == 0 && p->now != INT64_MIN && !policy_has_work(p) && h->until > p->now;
}

static int set_settled(struct policy *p, policy_time at, const struct policy_history *h)
{
    (void)h;
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    pc_pending_wake(p);
    pc_pending_close(p, true);
    if (p->cluster->pending->ahead != NULL)
        p->cluster->pending->ahead->due = false;
    return POLICY_OK;
}

const struct pc_history_row pc_lanes_settled = {POLICY_HISTORY_DECIDED, decides_all_at_once,
                                                get_settled, set_settled, NULL};
