/* SPDX-License-Identifier: MIT */
/* Planned changes of jobs: priorities, and suspension of jobs and queues. */
#include "base/memory.h"
#include "pending/queue_classes.h"
#include "state/jobs.h"
#include "state/queues.h"
#include "state/tasks.h"

/* Nominations are recomputed in the next decision. */
static void something_changed(struct policy *p)
{
    p->cluster->displaced.happened = true;
    p->cluster->version++;
}

/* ---- priority ---- */

int policy_set_priority(struct policy *p, policy_time at, policy_job which, int32_t priority)
{
    uint32_t job = pc_job_find(p, which);
    if (job == PC_NONE)
        return POLICY_UNKNOWN;
    policy_time before = p->now;
    int status = pc_at(p, at);
    if (status != POLICY_OK || p->cluster->jobs[job].priority == priority)
        return status;
    if (p->cluster->pending == NULL && !pc_classes_reserve_own(p))
        return pc_no_memory(p, before, "job", job);
    pc_drop_nominations(p);
    pc_job_reprioritize(p, job, priority);
    something_changed(p);
    return POLICY_OK;
}

/* ---- suspension ---- */

/* Each resumed job may need a class; those of suspended jobs were dropped. */
bool pc_jobs_reserve_shut(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    return c->pending != NULL ||
           PC_GROW(&p->memory, c->classes, c->class_capacity, c->class_live + c->job_count + 1);
}

static void settle(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    bool shut = j->suspended || c->queues[j->queue].shut;
    if (shut == j->shut)
        return;
    pc_shut(c, job, shut);
    if (j->state != PC_LIVE)
        return;
    pc_job_settle(p, job);
    if (c->has_modules)
        pc_modules_job_resized(p, job);
}

static bool stands_in_suspended(const struct pc_cluster *c, uint32_t queue)
{
    bool suspended = false;
    for (uint32_t q = queue; q != POLICY_NO_ID && !suspended; q = c->queues[q].parent)
        suspended = c->queues[q].suspended;
    return suspended;
}

void pc_jobs_settle_shut(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    pc_drop_nominations(p);
    for (uint32_t q = 0; q < c->queue_count; q++)
        c->queues[q].shut = c->queues[q].exists && stands_in_suspended(c, q);
    for (uint32_t job = 0; job < c->job_count; job++)
        if (c->jobs[job].state != PC_FREE)
            settle(p, job);
}

int policy_suspend_job(struct policy *p, policy_time at, policy_job which, bool suspended)
{
    uint32_t job = pc_job_find(p, which);
    if (job == PC_NONE)
        return POLICY_UNKNOWN;
    policy_time before = p->now;
    int status = pc_at(p, at);
    if (status != POLICY_OK || p->cluster->jobs[job].suspended == suspended)
        return status;
    if (!pc_jobs_reserve_shut(p))
        return pc_no_memory(p, before, "job", job);
    pc_drop_nominations(p);
    p->cluster->jobs[job].suspended = suspended;
    settle(p, job);
    something_changed(p);
    return POLICY_OK;
}
