/* SPDX-License-Identifier: MIT */
/* Who runs, in the order of declared ends, and who waits, in order; see backfill.h. */
#include "act/backfill.h"
#include "base/sort.h"
#include "core/heap.h"

/* ---- who runs ---- */

policy_time pc_end_from(const struct pc_job *job, policy_time start)
{
    return job->limit < 0 || job->limit >= PC_SOME_DAY / 2 ? INT64_MAX : start + job->limit;
}

bool pc_running_is_kept(const struct policy *p)
{
    return p->config.backfill != POLICY_NO_BACKFILL || p->config.time_limits;
}

void pc_running_add(struct policy *p, uint32_t id, policy_time since)
{
    struct pc_job *job = &p->jobs[id];
    if (!pc_running_is_kept(p))
        return;
    job->started = since;
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

bool pc_ahead_reserve(struct policy *p, uint32_t id)
{
    const struct pc_job *job = &p->jobs[id];
    if (!has_candidates(p))
        return !pc_running_is_kept(p) || pc_order_reserve(&p->candidates.jobs, &p->memory, id + 1);
    return pc_candidates_reserve(&p->candidates, &p->memory, id, job->group, p->groups[job->group].site);
}

void pc_ahead_add(struct policy *p, uint32_t id)
{
    const struct pc_job *job = &p->jobs[id];
    const struct pc_group *g = &p->groups[job->group];
    if (!has_candidates(p))
        return;
    if (p->candidates.classes[job->group].jobs == PC_NONE)
        pc_candidates_define(&p->candidates, job->group, g->site, g->need);
    const struct pc_order_place place = {.minor = job->key, .rank = job->rank};
    policy_time limit = pc_end_from(job, 0);
    pc_candidates_add(&p->candidates, id, job->group, place, limit);
}

void pc_ahead_remove(struct policy *p, uint32_t id)
{
    if (has_candidates(p))
        pc_candidates_remove(&p->candidates, id, p->jobs[id].group);
}

void pc_ahead_hide(struct policy *p, uint32_t group, bool hide)
{
    if (has_candidates(p) && p->groups[group].pending > 0)
        pc_candidates_hide(&p->candidates, group, hide);
}

void pc_ahead_rekey(struct policy *p)
{
    if (!has_candidates(p))
        return;
    for (uint32_t group = 0; group < p->candidates.class_count; group++)
        pc_candidates_empty(&p->candidates, group);
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

/* ---- who waits, for conservative backfill ---- */

static bool job_before(const void *context, uint32_t a, uint32_t b)
{
    const struct policy *p = context;
    const struct pc_entry x = {.key = p->jobs[a].key, .rank = p->jobs[a].rank};
    const struct pc_entry y = {.key = p->jobs[b].key, .rank = p->jobs[b].rank};
    return pc_entry_before(&x, &y);
}

bool pc_line_waits(const struct policy *p, uint32_t lane)
{
    const struct pc_idheap *groups = &p->lanes[lane].groups;
    return groups->count > 0 && p->groups[groups->ids[0]].blocked != 0;
}

static bool list_group(struct policy *p, const struct pc_group *g)
{
    if (!PC_GROW(&p->memory, p->listed.ids, p->listed.capacity, p->listed.count + g->pending))
        return false;
    for (uint32_t e = 0; e < g->heap.count; e++)
        if (g->heap.entries[e].ticket == p->jobs[g->heap.entries[e].job].ticket)
            p->listed.ids[p->listed.count++] = g->heap.entries[e].job;
    return true;
}

bool pc_list_candidates(struct policy *p)
{
    p->listed.count = 0;
    for (uint32_t lane = 0; lane < p->lane_count; lane++) {
        const struct pc_idheap *groups = &p->lanes[lane].groups;
        for (uint32_t i = 0; pc_line_waits(p, lane) && i < groups->count; i++)
            if (!list_group(p, &p->groups[groups->ids[i]]))
                return false;
    }
    pc_sort_ids(p->listed.ids, p->listed.count, job_before, p);
    return true;
}
