/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting evictions; see preemption.h. */
#include "report/preemption.h"

const int32_t preemption_causes[] = {POLICY_RECLAIM, POLICY_PREEMPT, POLICY_CONSOLIDATE,
                                     POLICY_STALE,   POLICY_LIMITS,  0};

static void evicted(void *self, const struct sim *sim, const struct work_job *job,
                    const struct sim_eviction *how)
{
    struct preemption *p = self;
    if (sim->now_ms < sim->window_start_ms || sim->now_ms >= sim->window_end_ms)
        return;
    p->evictions++;
    p->tasks += (uint64_t)how->tasks;
    p->jobs += job->preemptions + job->moves + job->stopping == 1;
    p->moves += how->reason == POLICY_REASON_MOVED;
    if (how->action > 0 && how->action < PREEMPTION_ACTIONS)
        p->by_action[how->action]++;
}

struct sim_observer preemption_observer(struct preemption *p)
{
    return (struct sim_observer){.self = p, .evicted = evicted};
}
