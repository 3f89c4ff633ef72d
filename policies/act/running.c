/* SPDX-License-Identifier: MIT */
/* Who runs, in the order of declared ends, and who waits, in order; see backfill.h. */
#include "act/backfill.h"

/* ---- who runs ---- */

policy_time pc_end_from(const struct pc_job *job, policy_time start)
{
    return job->limit < 0 || job->limit >= PC_SOME_DAY / 2 ? INT64_MAX : start + job->limit;
}

bool pc_running_is_kept(const struct policy *p)
{
    return p->config.backfill == POLICY_EASY || p->config.time_limits;
}

void pc_running_add(struct policy *p, uint32_t id, policy_time since)
{
    struct pc_job *job = &p->jobs[id];
    job->started = since;
    if (!pc_running_is_kept(p))
        return;
    const struct pc_order_place place = {.minor = pc_end_from(job, since), .rank = job->rank};
    pc_order_add(&p->candidates.jobs, &p->running, id, place, 0, 0);
}

void pc_running_remove(struct policy *p, uint32_t id)
{
    if (pc_running_is_kept(p))
        pc_order_remove(&p->candidates.jobs, &p->running, id);
}

uint32_t pc_running_first(const struct policy *p)
{
    return pc_order_first(&p->candidates.jobs, p->running);
}

uint32_t pc_running_next(const struct policy *p, uint32_t id)
{
    return pc_order_next(&p->candidates.jobs, id);
}

policy_time pc_declared_end(const struct policy *p, uint32_t id)
{
    return p->candidates.jobs.of[id].place.minor;
}

/* ---- who may go ahead ---- */

static bool has_candidates(const struct policy *p)
{
    return p->config.backfill == POLICY_EASY;
}

static bool has_plan(const struct policy *p)
{
    return p->config.backfill == POLICY_CONSERVATIVE;
}

bool pc_ahead_reserve(struct policy *p, uint32_t id)
{
    const struct pc_job *job = &p->jobs[id];
    const struct pc_group *g = &p->groups[job->group];
    if (has_candidates(p))
        return pc_candidates_reserve(&p->candidates, &p->memory, id, job->group, g->site);
    if (pc_running_is_kept(p) && !pc_order_reserve(&p->candidates.jobs, &p->memory, id + 1))
        return false;
    return !has_plan(p) || pc_plan_reserve(&p->plan, &p->memory, id, g->site, g->gpu_milli);
}

void pc_ahead_add(struct policy *p, uint32_t id)
{
    const struct pc_job *job = &p->jobs[id];
    const struct pc_group *g = &p->groups[job->group];
    const struct pc_order_place place = {.minor = job->key, .rank = job->rank};
    policy_time limit = pc_end_from(job, 0);
    if (has_plan(p) && !g->unplanned)
        pc_plan_add(&p->plan, id, g->site, place, g->gpu_milli, limit, job->promised);
    if (!has_candidates(p))
        return;
    if (p->candidates.classes[job->group].jobs == PC_NONE)
        pc_candidates_define(&p->candidates, job->group, g->site, g->need);
    pc_candidates_add(&p->candidates, id, job->group, place, limit);
}

void pc_ahead_remove(struct policy *p, uint32_t id)
{
    if (has_plan(p))
        pc_plan_remove(&p->plan, id);
    if (has_candidates(p))
        pc_candidates_remove(&p->candidates, id, p->jobs[id].group);
}

/* Into the plan, or out of it, with all jobs of the group. */
static void plan_group(struct policy *p, uint32_t group, bool in)
{
    struct pc_group *g = &p->groups[group];
    g->unplanned = !in;
    for (uint32_t i = 0; i < g->heap.count; i++) {
        const struct pc_entry *e = &g->heap.entries[i];
        if (p->jobs[e->job].ticket != e->ticket)
            continue;
        if (in)
            pc_ahead_add(p, e->job);
        else
            pc_plan_remove(&p->plan, e->job);
    }
}

void pc_ahead_hide(struct policy *p, uint32_t group, bool hide)
{
    if (has_plan(p) && p->groups[group].unplanned != hide)
        plan_group(p, group, !hide);
    if (has_candidates(p) && p->groups[group].pending > 0)
        pc_candidates_hide(&p->candidates, group, hide);
}

void pc_ahead_promise(struct policy *p, uint32_t id, policy_time start)
{
    bool pending = p->jobs[id].state == PC_PENDING;
    if (pending)
        pc_ahead_remove(p, id);
    p->jobs[id].promised = start;
    if (pending)
        pc_ahead_add(p, id);
}

void pc_ahead_rekey(struct policy *p)
{
    for (uint32_t id = 0; id < p->job_count; id++)
        if (p->jobs[id].state == PC_PENDING)
            pc_ahead_remove(p, id);
    for (uint32_t id = 0; id < p->job_count; id++)
        if (p->jobs[id].state == PC_PENDING)
            pc_ahead_add(p, id);
    for (uint32_t group = 0; group < p->group_count; group++)
        pc_ahead_hide(p, group, p->groups[group].never_fits || p->groups[group].over_limit);
}

const char *pc_ahead_check(const struct policy *p)
{
    const struct pc_candidates *c = &p->candidates;
    const char *wrong = pc_candidates_check(c);
    if (wrong == NULL)
        wrong = pc_plan_check(&p->plan);
    for (uint32_t group = 0; has_candidates(p) && group < p->group_count && wrong == NULL; group++) {
        const struct pc_group *g = &p->groups[group];
        uint32_t count = 0;
        if (group < c->class_count)
            wrong = pc_order_check(&c->jobs, c->classes[group].jobs, &count);
        if (wrong == NULL && (count != g->pending ||
                              (count > 0 && c->classes[group].hidden != (g->never_fits || g->over_limit))))
            wrong = "the candidates for backfill";
    }
    return wrong;
}

bool pc_line_waits(const struct policy *p, uint32_t lane)
{
    const struct pc_idheap *groups = &p->lanes[lane].groups;
    return groups->count > 0 && p->groups[groups->ids[0]].blocked != 0;
}
