/* SPDX-License-Identifier: MIT */
/* Stale gangs: gangs that have run below their minimum for longer than the grace period are
 * evicted. */
#include "act/act.h"
#include "act/actions.h"

/* Returns the stale job with the smallest number from `from` on: the list is unordered. */
static uint32_t next_stale(const struct pc_cluster *c, uint32_t from)
{
    uint32_t next = PC_NONE;
    for (uint32_t i = 0; i < c->stale_count; i++)
        if (c->stale[i] >= from && c->stale[i] < next)
            next = c->stale[i];
    return next;
}

static void run(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    int64_t grace = p->config.quota.staleness_grace_ms;
    if (grace < 0)
        return;
    for (uint32_t job = next_stale(c, 0); job != PC_NONE; job = next_stale(c, job + 1)) {
        policy_time due = c->jobs[job].detail->stale_since + grace;
        if (due <= p->now && c->jobs[job].active > 0)
            (void)pc_evict_job(p, job, POLICY_REASON_STALE_GANG);
        else if (due > p->now && due < c->next_time)
            c->next_time = due;
    }
}

const struct pc_action pc_action_stale = {
    .row = {"stale", "gangs that run below their minimum for too long are evicted"},
    .action = POLICY_STALE,
    .run = run,
};
