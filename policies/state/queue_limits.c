/* SPDX-License-Identifier: MIT */
/* What queues may have; see queue_limits.h. */
#include "state/queue_limits.h"

#include "cluster/tasks.h"

bool pq_heeds_quotas(const struct policy *p)
{
    return p->config.quota.actions != 0;
}

bool pq_heeds_limits(const struct policy *p)
{
    return p->config.queue_limits || pq_heeds_quotas(p);
}

struct pq_amounts pq_limit_of(const struct policy *p, const struct pq_queue *q)
{
    struct pq_amounts limit = q->told_limit;
    bool bound = pq_heeds_quotas(p) && !p->config.quota.over_quota && q->leaf;
    for (int r = 0; r < PQ_RESOURCES && bound; r++)
        if (!pq_within_one(limit.of[r], q->quota.of[r]))
            limit.of[r] = q->quota.of[r];
    return limit;
}

struct pq_gate pq_check_gate(const struct policy *p, uint32_t job, const struct pq_amounts *more)
{
    const struct cluster *c = p->cluster;
    const struct pq_job *j = &c->jobs[job];
    bool bound_by_quota = pq_heeds_quotas(p) && pq_is_bound_by_quota(p, j);
    uint32_t first = pq_heeds_limits(p) ? j->queue : POLICY_NO_ID;
    for (uint32_t q = first; q != POLICY_NO_ID; q = pq_above(c, q)) {
        const struct pq_queue *queue = &c->queues[q];
        int r = pq_exceeds(&queue->allocated, more, &queue->limit);
        if (r < PQ_RESOURCES)
            return (struct pq_gate){POLICY_REASON_OVER_LIMIT, q, r};
        r = bound_by_quota ? pq_exceeds(&queue->fixed, more, &queue->quota) : PQ_RESOURCES;
        if (r < PQ_RESOURCES)
            return (struct pq_gate){POLICY_REASON_OVER_QUOTA, q, r};
    }
    return (struct pq_gate){0, POLICY_NO_ID, PQ_RESOURCES};
}
