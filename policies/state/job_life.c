/* SPDX-License-Identifier: MIT */
/* What became of a job, as modules are told; see job_life.h. */
#include "state/job_life.h"

#include "cluster/tasks.h"

static void start(struct policy *p, uint32_t job)
{
    struct pq_job *j = &p->cluster->jobs[job];
    j->life = PQ_STARTED;
    pc_modules_job_started(p, job, p->cluster->trying ? p->now : pq_last_start(j));
}

static void stop(struct policy *p, uint32_t job)
{
    struct pq_job *j = &p->cluster->jobs[job];
    pc_modules_job_stopped(p, job, !p->cluster->start_failed);
    j->life = PQ_UNTOLD;
    j->detail->told_tasks = 0;
    j->detail->told_milli = 0;
}

/* It holds something: began to, or more or less than before, or nothing that is to stay. */
static void tell_held(struct policy *p, uint32_t job)
{
    struct pq_job *j = &p->cluster->jobs[job];
    struct pq_detail *d = j->detail;
    bool resized = d->told_tasks != d->holding || d->told_milli != d->held_milli;
    bool starts = d->told_tasks == 0;
    d->told_tasks = d->holding;
    d->told_milli = d->held_milli;
    if (starts)
        start(p, job);
    else if (resized)
        pc_modules_job_resized(p, job);
    if (j->running == 0 && j->life == PQ_STARTED) {
        j->life = PQ_LEAVES;
        pc_modules_job_leaves(p, job);
    }
}

void pq_job_tell(struct policy *p, uint32_t job)
{
    struct pq_job *j = &p->cluster->jobs[job];
    if (!p->cluster->has_modules || j->state != PQ_LIVE)
        return;
    if (pq_holding(j) > 0) {
        tell_held(p, job);
        return;
    }
    if (pq_told_tasks(j) > 0)
        stop(p, job);
    if (j->life == PQ_WAITS)
        return;
    j->life = PQ_WAITS;
    pc_modules_job_waits(p, job);
    if (p->order->rekey != NULL)
        j->key = p->order->rekey(p, job);
}

void pq_job_tell_over(struct policy *p, uint32_t job)
{
    if (!p->cluster->has_modules)
        return;
    pc_modules_job_over(p, job);
}
