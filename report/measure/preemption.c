/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting evictions; see preemption.h. */
#include "report/measure/preemption.h"

#include "sim/base/mem.h"

#include <stdlib.h>

const int32_t preemption_causes[] = {POLICY_RECLAIM, POLICY_PREEMPT, POLICY_CONSOLIDATE,
                                     POLICY_STALE,   POLICY_LIMITS,  0};

bool preemption_is_usual(int32_t action)
{
    bool usual = false;
    for (const int32_t *cause = preemption_causes; *cause != 0; cause++)
        usual = usual || *cause == action;
    return usual;
}

static void evicted(void *self, const struct sim *sim, const struct work_job *job,
                    const struct sim_eviction *how)
{
    struct preemption *p = self;
    if (sim->now_ms < sim->window_start_ms || sim->now_ms >= sim->window_end_ms)
        return;
    bool first = job->preemptions + job->moves + job->stopping == 1,
         moved = how->reason == POLICY_REASON_MOVED;
    p->evictions++;
    p->tasks += (uint64_t)how->tasks;
    p->jobs += first;
    p->moves += moved;
    if (job->queue >= p->queue_count)
        p->queues = mem_extend(p->queues, &p->queue_count, sim->queue_count, sizeof *p->queues);
    struct preemption_queue *q = &p->queues[job->queue];
    q->evictions++;
    q->tasks += (uint64_t)how->tasks;
    q->jobs += first;
    q->moves += moved;
    if (how->action > 0 && how->action < POLICY_MOST_ACTIONS)
        p->by_action[how->action]++;
}

struct sim_observer preemption_observer(struct preemption *p)
{
    return (struct sim_observer){.self = p, .evicted = evicted};
}

void preemption_fini(struct preemption *p)
{
    free(p->queues);
    p->queues = NULL;
    p->queue_count = 0;
}

struct preemption_queue preemption_of(const struct preemption *p, size_t queue)
{
    return queue < p->queue_count ? p->queues[queue] : (struct preemption_queue){0};
}
