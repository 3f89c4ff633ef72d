/* SPDX-License-Identifier: MIT */
/* Reports job events to modules; see job_life.h. */
#include "state/job_life.h"

#include "state/tasks.h"

static void start(struct policy *p, uint32_t job)
{
    struct pc_job *j = &p->cluster->jobs[job];
    j->life = PC_STARTED;
    pc_modules_job_started(p, job, p->cluster->trying ? p->now : pc_last_start(j));
}

static void stop(struct policy *p, uint32_t job)
{
    struct pc_job *j = &p->cluster->jobs[job];
    pc_modules_job_stopped(p, job, !p->cluster->start_failed);
    j->life = PC_UNREPORTED;
    j->detail->reported_tasks = 0;
    j->detail->reported_milli = 0;
}

/* Reports that the job holds something: it started, grew or shrank, or holds nothing that will
 * stay. */
static void tell_held(struct policy *p, uint32_t job)
{
    struct pc_job *j = &p->cluster->jobs[job];
    struct pc_detail *d = j->detail;
    bool resized = d->reported_tasks != d->holding || d->reported_milli != d->held_milli;
    bool starts = d->reported_tasks == 0;
    d->reported_tasks = d->holding;
    d->reported_milli = d->held_milli;
    if (starts)
        start(p, job);
    else if (resized)
        pc_modules_job_resized(p, job);
    if (j->running == 0 && j->life == PC_STARTED) {
        j->life = PC_LEAVES;
        pc_modules_job_leaves(p, job);
    }
}

void pc_job_tell_modules(struct policy *p, uint32_t job)
{
    struct pc_job *j = &p->cluster->jobs[job];
    if (j->state != PC_LIVE)
        return;
    if (pc_holding(j) > 0) {
        tell_held(p, job);
        return;
    }
    if (pc_reported_tasks(j) > 0)
        stop(p, job);
    if (j->life == PC_WAITS)
        return;
    j->life = PC_WAITS;
    pc_modules_job_waits(p, job);
    if (p->order->rekey != NULL)
        j->key = p->order->rekey(p, job);
}

void pc_job_tell_over(struct policy *p, uint32_t job)
{
    if (!p->cluster->has_modules)
        return;
    pc_modules_job_over(p, job);
}
