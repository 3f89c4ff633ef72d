/* SPDX-License-Identifier: MIT */
/* Preempt: a job takes the place of preemptible jobs of lower priority in its own queue, whatever the shares are. */
#include "act/act.h"
#include "act/attempt.h"
#include "act/solver.h"
#include "cluster/chunk.h"
#include "cluster/classes.h"
#include "order/evictable.h"

static bool may_be_victim(const struct pq_search *s, uint32_t job)
{
    const struct cluster *c = s->c;
    if (c->jobs[job].priority >= c->jobs[s->job].priority)
        return false;
    return pq_is_elastic(c, job) || !pq_is_protected(s->p, job, s->job, false);
}

static bool accepts(struct pq_search *s)
{
    return pq_keeps_protected(s, false);
}

static void reasons(const struct pq_search *s, uint8_t out[2])
{
    (void)s;
    out[0] = POLICY_REASON_PREEMPTED;
    out[1] = POLICY_REASON_MOVED;
}

static const struct pq_purpose purpose = {.reach = PQ_OWN,
                                          .displaces = true,
                                          .may_be_victim = may_be_victim,
                                          .accepts = accepts,
                                          .reasons = reasons};

/* All that its own queue could give, and what is free soon, has to be as much as it wants. */
static bool may_give_enough(const struct cluster *c, uint32_t job, const struct pq_amounts *wanted)
{
    const struct pq_queue *q = &c->queues[c->jobs[job].queue];
    int64_t given = q->allocated.of[PQ_GPU] - q->fixed.of[PQ_GPU] + c->soon_milli;
    return wanted->of[PQ_GPU] <= given || c->shapes[c->jobs[job].shape].wants_memory;
}

static bool preempt(struct policy *p, uint32_t job)
{
    const struct cluster *c = p->cluster;
    struct pq_amounts wanted = pq_next_amounts(p, job);
    bool known =
        !c->shapes[c->jobs[job].shape].wants_memory; /* else it depends on the node how much that is */
    if (known && pq_check_gate(p, job, &wanted).reason == POLICY_REASON_OVER_QUOTA)
        return false;
    return (c->exhaustive || may_give_enough(c, job, &wanted)) && pq_solve(p, job, &purpose);
}

/*
 * Without an active job of lower priority in the queue there is nothing to look for: in the order by priority the first to
 * give has the lowest.
 * And all of these together have to make room.
 */
static bool admits(struct policy *p, uint32_t class)
{
    const struct cluster *c = p->cluster;
    const struct pq_class *k = &c->classes[class];
    const struct pq_queue *q = &c->queues[k->queue];
    bool lowest_first = p->config.quota.priorities && (p->order->traits & PQ_ORDER_PRIORITY) != 0;
    if (q->active.count == 0 ||
        (lowest_first && c->jobs[pq_evictable_first(&q->active)].priority >= k->priority))
        return false;
    return pq_may_solve(p, pq_class_head(k), &purpose);
}

void pq_preempt(struct policy *p)
{
    static const struct pq_visit visit = {.admits = admits, .visit = preempt};
    pq_visit_pending(p, &visit);
}
