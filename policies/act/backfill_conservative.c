/* SPDX-License-Identifier: MIT */
/* Conservative backfill; see backfill_lanes.h and pending/plan.h. */
#include "act/allocate_lanes.h"
#include "act/backfill_lanes.h"
#include "pending/ahead.h"

static struct pc_ahead *ahead_of(const struct policy *p)
{
    return p->cluster->pending->ahead;
}

/*
 * Each in its turn may start now or be promised an earlier time, beside all others' promises; so nobody's time is ever
 * put off, but by nodes that go down and by who runs longer than declared.
 */
static void serve(struct policy *p, uint32_t job)
{
    struct pc_ahead *a = ahead_of(p);
    bool above = p->cluster->pending->classes[p->cluster->jobs[job].class].above;
    pc_plan_lift(&a->plan, job);
    policy_time at = pc_plan_earliest(&a->plan, job, false);
    bool now = at == p->now;
    int32_t reason = now ? pc_try_start(p, job, POLICY_BACKFILL) : POLICY_REASON_RESERVED;
    if (reason == 0)
        return;
    if (reason == POLICY_REASON_WAITING) {
        pc_plan_pause(&a->plan, job);
        return;
    }
    if (above)
        at = INT64_MAX;
    else if (now)
        at = pc_plan_earliest(&a->plan, job, true);
    a->reserved_at[job] = at;
    pc_plan_reserve_time(&a->plan, job, at, now || above);
}

static void run(struct policy *p)
{
    struct pc_ahead *a = ahead_of(p);
    uint32_t job = PC_NONE;
    pc_ahead_settle_sets(p);
    pc_plan_begin(&a->plan, p->now);
    while (!p->cluster->out_of_memory && (job = pc_plan_next(&a->plan)) != PC_NONE)
        serve(p, job);
    if (!p->cluster->out_of_memory)
        pc_allocate_lanes(p); /* says why those wait that are the first now */
    a->due = p->cluster->out_of_memory;
}

static bool due(const struct policy *p)
{
    return ahead_of(p)->due;
}

const struct pc_action pc_action_backfill_conservative = {
    .row = {"backfill-conservative", "jobs go ahead that delay no job before them"},
    .action = POLICY_BACKFILL,
    .run = run,
    .due = due,
};
