/* SPDX-License-Identifier: MIT */
/* Conservative backfill; see backfill.h and pending/plan.h. */
#include "act/allocate.h"
#include "act/backfill.h"
#include "core/sites.h"

/* ---- what running jobs hold until their declared ends; those of which nobody knows that hold it for ever ---- */

static int64_t slot_milli(const struct policy *p, uint32_t id, const struct pc_slot *slot)
{
    const struct pc_group *g = &p->groups[p->jobs[id].group];
    const struct pc_request *r = &g->roles[slot->role].request;
    return slot->node == PC_NONE ? g->gpu_milli : (int64_t)r->devices * r->milli;
}

static void hold(struct policy *p, uint32_t site, uint32_t id, int64_t milli)
{
    policy_time end = pc_end_from(&p->jobs[id], p->jobs[id].started);
    p->sites[site].running_milli += milli;
    if (end > p->now)
        pc_plan_change(&p->plan, site, p->now, end, -milli);
}

void pc_running_holds(struct policy *p, uint32_t id, const struct pc_slot *slot, int sign)
{
    const struct pc_pool *pool = &p->pools[slot->pool];
    for (uint32_t i = 0; p->config.backfill == POLICY_CONSERVATIVE && i < pool->site_count; i++)
        if (p->sites[pool->sites[i]].planned)
            hold(p, pool->sites[i], id, sign * slot_milli(p, id, slot));
}

/* The plan begins to know the site. */
static void plan_site(struct policy *p, uint32_t site)
{
    struct pc_site *s = &p->sites[site];
    pc_plan_reset(&p->plan, site, p->now, 0);
    s->planned = true;
    s->planned_milli = s->running_milli = 0;
    for (uint32_t id = 0; id < p->job_count; id++)
        for (uint32_t i = p->jobs[id].state == PC_ACTIVE ? p->jobs[id].first_slot : PC_NONE; i != PC_NONE;
             i = p->slots[i].next)
            if (pc_site_has(p, site, p->slots[i].pool))
                hold(p, site, id, slot_milli(p, id, &p->slots[i]));
}

/* Nodes may have come or gone: what is idle and what jobs hold is all that there is. */
static void settle_site(struct policy *p, uint32_t site)
{
    struct pc_site *s = &p->sites[site];
    if (!s->planned)
        plan_site(p, site);
    int64_t all = s->milli + s->running_milli;
    if (all != s->planned_milli)
        pc_plan_change(&p->plan, site, p->now, INT64_MAX, all - s->planned_milli);
    s->planned_milli = all;
}

/* ---- who goes ahead ---- */

/*
 * Each in its turn may start now or be promised an earlier time, beside all others' promises; so nobody's time is ever
 * put off, but by nodes that go down and by who runs longer than declared. False: no memory.
 */
static bool serve(struct policy *p, uint32_t id)
{
    pc_plan_lift(&p->plan, id);
    policy_time at = pc_plan_earliest(&p->plan, id, false);
    bool now = at == p->now;
    int32_t reason = now ? pc_try_start(p, id, POLICY_BACKFILL) : POLICY_REASON_RESERVED;
    if (reason == 0)
        return true;
    if (reason == POLICY_REASON_WAITING)
        at = p->jobs[id].promised;
    else if (now)
        at = pc_plan_earliest(&p->plan, id, true);
    p->jobs[id].promised = at;
    pc_plan_promise(&p->plan, id, at, now);
    return reason != POLICY_REASON_WAITING;
}

bool pc_backfill_conservatively(struct policy *p)
{
    bool ok = true;
    for (uint32_t site = 0; site < p->site_count && site < p->plan.set_count; site++)
        settle_site(p, site);
    pc_plan_begin(&p->plan, p->now);
    for (uint32_t id = pc_plan_next(&p->plan); id != PC_NONE && ok;
         id = ok ? pc_plan_next(&p->plan) : PC_NONE)
        ok = serve(p, id);
    return ok;
}
