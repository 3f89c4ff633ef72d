/* SPDX-License-Identifier: MIT */
/* What became of a job, as modules are told; see job_life.h. */
#include "state/job_life.h"

#include "cluster/nodes.h"
#include "cluster/tasks.h"

int64_t pq_job_held_milli(const struct cluster *c, uint32_t job)
{
    const struct pq_job *j = &c->jobs[job];
    int64_t sum = 0;
    for (uint32_t i = 0; i < c->shapes[j->shape].tasks; i++) {
        const struct pq_place *place = &j->tasks[i].place;
        if (place->holding != PQ_NOTHING)
            sum += pq_weigh_on(&c->nodes[place->node], pq_request_of(c, job, i)).of[PQ_GPU];
    }
    return sum;
}

static void start(struct policy *p, uint32_t job, int32_t held)
{
    struct pq_job *j = &p->cluster->jobs[job];
    j->life = PQ_STARTED;
    j->told_held = held;
    pc_modules_job_started(p, job, p->cluster->trying ? p->now : j->last_start);
}

static void stop(struct policy *p, uint32_t job)
{
    struct pq_job *j = &p->cluster->jobs[job];
    j->life = PQ_UNTOLD;
    j->told_held = 0;
    pc_modules_job_stopped(p, job, !p->cluster->start_failed);
}

void pq_job_tell(struct policy *p, uint32_t job)
{
    struct pq_job *j = &p->cluster->jobs[job];
    int32_t held = j->running + j->releasing;
    if (p->modules.count == 0 || j->state != PQ_LIVE)
        return;
    if (j->told_held == 0 && held > 0) {
        start(p, job, held);
    } else if (j->told_held > 0 && held == 0) {
        stop(p, job);
    } else if (j->told_held != held) {
        j->told_held = held;
        pc_modules_job_resized(p, job);
    }
    if (held > 0 && j->running == 0 && j->life == PQ_STARTED) {
        j->life = PQ_LEAVES;
        pc_modules_job_leaves(p, job);
    }
    if (held == 0 && j->life != PQ_WAITS) {
        j->life = PQ_WAITS;
        pc_modules_job_waits(p, job);
        if (p->order->rekey != NULL)
            j->key = p->order->rekey(p, job);
    }
}

void pq_job_tell_over(struct policy *p, uint32_t job)
{
    if (p->modules.count == 0)
        return;
    if (p->cluster->jobs[job].told_held > 0)
        stop(p, job);
    pc_modules_job_over(p, job);
}
