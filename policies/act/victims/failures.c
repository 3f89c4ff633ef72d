/* SPDX-License-Identifier: MIT */
/* Steps that failed in this action; see failures.h. The table is small, and the oldest entry makes
 * room. */
#include "act/victims/failures.h"

#include "act/victims/pool_chain.h"

#include <string.h>

/* Returns true if nothing about the job but its queue, rights and request can matter. */
static bool is_ordinary(const struct pc_search *s)
{
    const struct pc_cluster *c = s->c;
    const struct pc_job *j = &c->jobs[s->job];
    const struct pc_shape *shape = &c->shapes[j->shape];
    return s->purpose->reach != PC_OWN && s->displacers == 0 && !pc_tries_all(c) &&
           s->p->plugin == NULL && s->p->config.backfill == POLICY_NO_BACKFILL &&
           shape->role_count == 1 && !shape->constrained && j->releasing == 0 &&
           (uint32_t)j->pending == shape->tasks &&
           !(s->purpose->reach == PC_ALL && pc_may_chain(s)); /* through the queue's pools */
}

static bool is_like(const struct pc_search *s, const struct pc_failure *f)
{
    const struct pc_job *j = &s->c->jobs[s->job];
    return f->reach == (uint8_t)s->purpose->reach &&
           (f->reach == PC_ALL || (f->queue == j->queue && f->workload == j->workload &&
                                   f->preemptible == j->preemptible)) &&
           memcmp(&f->request, &s->c->shapes[j->shape].roles[0].request, sizeof f->request) == 0;
}

/* Returns true if the failure of this step says something about other jobs. If everyone's jobs may
 * be victims, that is a first step without any trial: only trials depend on the queue. */
static bool is_telling(const struct pc_search *s, uint32_t tasks)
{
    bool first = tasks == 1 && !s->tried && s->c->fixed_milli == 0;
    return is_ordinary(s) && (s->purpose->reach == PC_OTHERS || first);
}

bool pc_is_known_to_fail(const struct pc_search *s, const struct pc_tasks *all)
{
    const struct pc_failures *known = &s->c->failures;
    if (known->action_number != s->c->action_number || known->count == 0 || !is_ordinary(s))
        return false;
    for (uint32_t i = 0; i < PC_FAILURES && i < known->count; i++)
        if (known->of[i].tasks <= all->count && is_like(s, &known->of[i]))
            return true;
    return false;
}

void pc_remember_failure(const struct pc_search *s, uint32_t tasks)
{
    struct pc_cluster *c = s->c;
    const struct pc_job *j = &c->jobs[s->job];
    if (c->out_of_memory || !is_telling(s, tasks))
        return;
    if (c->failures.action_number != c->action_number)
        c->failures.count = 0;
    c->failures.action_number = c->action_number;
    struct pc_failure *f = &c->failures.of[c->failures.count++ % PC_FAILURES];
    f->queue = j->queue;
    f->reach = (uint8_t)s->purpose->reach;
    f->tasks = tasks;
    f->workload = j->workload;
    f->preemptible = j->preemptible;
    memcpy(&f->request, &c->shapes[j->shape].roles[0].request, sizeof f->request);
}

void pc_forget_failures(struct pc_cluster *c)
{
    c->failures.count = 0;
}
