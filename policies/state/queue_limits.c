/* SPDX-License-Identifier: MIT */
/* Queue limits; see queue_limits.h. */
#include "state/queue_limits.h"

#include "state/tasks.h"

bool pc_heeds_quotas(const struct policy *p)
{
    return !pc_in_lanes(&p->config);
}

bool pc_heeds_limits(const struct policy *p)
{
    return p->config.queue_limits || pc_heeds_quotas(p);
}

struct pc_amounts pc_limit_of(const struct policy *p, const struct pc_queue *q)
{
    struct pc_amounts limit = q->reported_limit;
    bool bound = pc_heeds_quotas(p) && !p->config.quota.over_quota && q->leaf;
    for (int r = 0; r < PC_RESOURCES && bound; r++)
        if (!pc_within_one(limit.of[r], q->quota.of[r]))
            limit.of[r] = q->quota.of[r];
    return limit;
}

struct pc_limit_check pc_check_limits(const struct policy *p, uint32_t job,
                                      const struct pc_amounts *more)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    bool bound_by_quota = pc_heeds_quotas(p) && pc_is_bound_by_quota(p, j);
    uint32_t first = pc_heeds_limits(p) ? j->queue : POLICY_NO_ID;
    for (uint32_t q = first; q != POLICY_NO_ID; q = pc_above(c, q)) {
        const struct pc_queue *queue = &c->queues[q];
        int r = pc_exceeds(&queue->allocated, more, &queue->limit);
        if (r < PC_RESOURCES)
            return (struct pc_limit_check){POLICY_REASON_OVER_LIMIT, q, r};
        r = bound_by_quota ? pc_exceeds(&queue->fixed, more, &queue->quota) : PC_RESOURCES;
        if (r < PC_RESOURCES)
            return (struct pc_limit_check){POLICY_REASON_OVER_QUOTA, q, r};
    }
    return (struct pc_limit_check){0, POLICY_NO_ID, PC_RESOURCES};
}
