/* SPDX-License-Identifier: MIT */
/* History of backfill in lanes (state/history.h): the times reserved for pending jobs. */
#include "pending/ahead.h"
#include "state/history.h"
#include "state/jobs.h"

static const struct pc_ahead *ahead_of(const struct policy *p)
{
    return p->cluster->pending != NULL ? p->cluster->pending->ahead : NULL;
}

/* Returns true if the job is pending or not yet eligible. */
static bool waits(const struct pc_job *j)
{
    return j->state == PC_HELD || (j->state == PC_LIVE && j->running + j->releasing == 0);
}

/* ---- reserved times of conservative backfill ---- */

static bool promises_all(const struct policy *p)
{
    return ahead_of(p) != NULL && p->config.backfill == POLICY_CONSERVATIVE;
}

/* A running job keeps its reserved time in case it has to wait again. */
static bool get_promise(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    const struct pc_ahead *a = ahead_of(p);
    for (; *i < a->job_count; (*i)++) {
        if (a->reserved_at[*i] == INT64_MAX)
            continue;
        h->job = pc_job_id(p->cluster, *i);
        h->at = a->reserved_at[*i];
        return true;
    }
    return false;
}

static int set_promise(struct policy *p, policy_time at, const struct policy_history *h)
{
    uint32_t job = pc_job_find(p, h->job);
    if (job == PC_NONE)
        return POLICY_UNKNOWN;
    int status = pc_at(p, at);
    if (status == POLICY_OK)
        pc_ahead_reserve_time(
            p, job,
            h->at <= PC_SOME_DAY / 2 ? h->at : INT64_MAX); /* other schedulers may use "some day" */
    return status;
}

static const struct pc_history_row promise_history = {
    POLICY_HISTORY_PROMISE, promises_all, get_promise, set_promise,
    "the times reserved for pending jobs: they are planned again"};

/* ---- the frozen time of the first job of each lane ---- */

static bool is_frozen(const struct policy *p)
{
    return ahead_of(p) != NULL && p->config.backfill == POLICY_EASY &&
           p->config.easy_variant == POLICY_EASY_FROZEN;
}

static bool get_frozen(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    const struct pc_cluster *c = p->cluster;
    for (; *i < ahead_of(p)->frozen_count; (*i)++) {
        const struct pc_frozen *f = &ahead_of(p)->frozen[*i];
        if (f->job.i >= c->job_count || c->jobs[f->job.i].gen != f->job.gen ||
            !waits(&c->jobs[f->job.i]))
            continue;
        h->job = f->job;
        h->at = f->at;
        return true;
    }
    return false;
}

static int set_frozen(struct policy *p, policy_time at, const struct policy_history *h)
{
    struct pc_cluster *c = p->cluster;
    uint32_t job = pc_job_find(p, h->job);
    if (job == PC_NONE)
        return POLICY_UNKNOWN;
    if (!waits(&c->jobs[job]))
        return pc_refuse(p, POLICY_CONFLICT, "job", job,
                         "runs already, so no start is promised to it");
    int status = pc_at(p, at);
    if (status != POLICY_OK || h->due)
        return status; /* a reservation without a time: the next decision computes one for the first
                          job of the lane */
    c->pending->ahead->frozen[c->pending->classes[c->jobs[job].home].lane] =
        (struct pc_frozen){h->job, h->at};
    return POLICY_OK;
}

static const struct pc_history_row frozen_history = {
    POLICY_HISTORY_PROMISE, is_frozen, get_frozen, set_frozen,
    "the time reserved for the first job of a lane: it is computed again"};

const struct pc_history_row *const pc_ahead_records[] = {&promise_history, &frozen_history, NULL};
