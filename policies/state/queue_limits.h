/* SPDX-License-Identifier: MIT */
/*
 * What queues may have: limits on GPUs, CPU and memory of all their jobs, and quotas on what may not be preempted. A queue
 * counts what is active of its jobs and of those of queues below it, so that one comparison on each queue of the path says
 * whether more would be too much.
 *
 * Limits hold under queue orders, and with the option `queue_limits` (Slurm's GrpTRES); quotas only under queue orders.
 */
#ifndef POLICY_STATE_QUEUE_LIMITS_H
#define POLICY_STATE_QUEUE_LIMITS_H

#include "cluster/state.h"

/* The bound that would be exceeded: 0 none, else a policy_reason, the queue and enum pq_resource. */
struct pq_gate {
    int32_t reason;
    uint32_t queue;
    int resource;
};

/* Whether the job may have so much more, from its leaf up. A resource of which it wants nothing more stops it nowhere. */
struct pq_gate pq_check_gate(const struct policy *, uint32_t job, const struct pq_amounts *more);

/* Whether limits of queues, or their quotas, stop anything in this configuration. */
bool pq_heeds_limits(const struct policy *);
bool pq_heeds_quotas(const struct policy *);

/* Its limit, which in a leaf is not above its quota when nobody may have more than that. */
struct pq_amounts pq_limit_of(const struct policy *, const struct pq_queue *);

/* The queue above, or POLICY_NO_ID; with the hierarchy switched off all leaves stand side by side. */
static inline uint32_t pq_above(const struct cluster *c, uint32_t queue)
{
    return c->flat ? POLICY_NO_ID : c->queues[queue].parent;
}

#endif
