/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting evictions; see preemption.h. */
#include "report/preemption.h"

static void evicted(void *self, const struct sim *sim, const struct work_job *job,
                    const struct sim_eviction *how)
{
    struct preemption *p = self;
    if (sim->now_ms < sim->window_start_ms || sim->now_ms >= sim->window_end_ms)
        return;
    p->evictions++;
    p->tasks += (uint64_t)how->tasks;
    p->jobs += job->preemptions + job->moves + job->stopping == 1;
    if (how->reason > 0 && how->reason < POLICY_MOST_REASONS)
        p->by_reason[how->reason]++;
}

struct sim_observer preemption_observer(struct preemption *p)
{
    return (struct sim_observer){.self = p, .evicted = evicted};
}
