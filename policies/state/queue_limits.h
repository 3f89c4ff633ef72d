/* SPDX-License-Identifier: MIT */
/*
 * What queues may have: limits on GPUs, CPU and memory of all their jobs, and quotas on what may
 * not be preempted. A queue counts what is active of its jobs and of those of queues below it, so
 * that one comparison on each queue of the path says whether more would be too much.
 *
 * Limits hold under queue orders, and with the option `queue_limits` (Slurm's GrpTRES); quotas only
 * under queue orders.
 */
#ifndef POLICY_STATE_QUEUE_LIMITS_H
#define POLICY_STATE_QUEUE_LIMITS_H

#include "state/state.h"

/* The bound that would be exceeded: 0 none, else a policy_reason, the queue and enum pc_resource.
 */
struct pc_limit_check {
    int32_t reason;
    uint32_t queue;
    int resource;
};

/* True if the job may have so much more, from its leaf up. A resource of which it wants nothing
 * more stops it nowhere. */
struct pc_limit_check pc_check_limits(const struct policy *, uint32_t job,
                                      const struct pc_amounts *more);

/* True if limits of queues, or their quotas, stop anything in this configuration. */
bool pc_heeds_limits(const struct policy *);
bool pc_heeds_quotas(const struct policy *);

/* Its limit, which in a leaf is not above its quota when nobody may have more than that. */
struct pc_amounts pc_limit_of(const struct policy *, const struct pc_queue *);

/* The queue above, or POLICY_NO_ID; with the hierarchy switched off all leaves stand side by side.
 */
static inline uint32_t pc_above(const struct pc_cluster *c, uint32_t queue)
{
    return c->flat ? POLICY_NO_ID : c->queues[queue].parent;
}

#endif
