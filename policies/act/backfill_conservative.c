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
 * Starts the job now or gives it an earlier reservation if all other reservations allow it. So a
 * reservation is only delayed by nodes that go down and by jobs that exceed their limit. Returns
 * true if the job started and wants more tasks.
 */
static bool serve(struct policy *p, uint32_t job)
{
    struct pc_ahead *a = ahead_of(p);
    bool above = p->cluster->pending->classes[p->cluster->jobs[job].class].above;
    pc_plan_lift(&a->plan, job);
    policy_time at = pc_plan_earliest(&a->plan, job, false);
    bool now = at == p->now;
    int32_t reason = now ? pc_try_start(p, job, POLICY_BACKFILL) : POLICY_REASON_RESERVED;
    if (reason == 0)
        return p->cluster->jobs[job].class != PC_NONE;
    if (reason == POLICY_REASON_WAITING) {
        pc_plan_pause(&a->plan, job);
        return false;
    }
    if (above)
        at = INT64_MAX;
    else if (now)
        at = pc_plan_earliest(&a->plan, job, true);
    a->reserved_at[job] = at;
    pc_plan_reserve_time(&a->plan, job, at, now || above);
    return false;
}

/* Serves the jobs in order. Returns true if a job that wants more tasks started; these are planned
 * in another pass. */
static bool pass(struct policy *p)
{
    struct pc_ahead *a = ahead_of(p);
    uint32_t job = PC_NONE;
    bool more = false;
    pc_plan_begin(&a->plan, p->now);
    while (!p->cluster->out_of_memory && (job = pc_plan_next(&a->plan)) != PC_NONE)
        more = serve(p, job) || more;
    return more && !p->cluster->out_of_memory;
}

static void run(struct policy *p)
{
    struct pc_ahead *a = ahead_of(p);
    pc_ahead_settle_sets(p);
    while (pass(p))
        continue;
    if (!p->cluster->out_of_memory)
        pc_allocate_lanes(p); /* records why the new first jobs are waiting */
    a->due = p->cluster->out_of_memory;
}

static bool due(const struct policy *p)
{
    return ahead_of(p)->due;
}

const struct pc_action pc_action_backfill_conservative = {
    .row = {"backfill-conservative", "jobs start early if they delay no earlier job"},
    .action = POLICY_BACKFILL,
    .run = run,
    .due = due,
};
