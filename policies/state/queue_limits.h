/* SPDX-License-Identifier: MIT */
/*
 * Queue bounds: limits on GPUs, CPU and memory of all jobs, and quotas on non-preemptible jobs. A
 * queue sums the active tasks of its jobs and of its descendants, so one comparison per queue on
 * the path decides whether more would exceed a bound.
 *
 * Limits apply with a queue order, or with the option `queue_limits` (Slurm's GrpTRES); quotas only
 * with a queue order.
 */
#ifndef POLICY_STATE_QUEUE_LIMITS_H
#define POLICY_STATE_QUEUE_LIMITS_H

#include "state/state.h"

/* The bound that would be exceeded: 0 none, else a policy_reason, the queue and an enum
 * pc_resource. */
struct pc_limit_check {
    int32_t reason;
    uint32_t queue;
    int resource;
};

/* Checks whether the job may have that much more, from its leaf up. Resources in which it needs
 * nothing more are not checked. */
struct pc_limit_check pc_check_limits(const struct policy *, uint32_t job,
                                      const struct pc_amounts *more);

/* Returns true if queue limits, or quotas, are enforced in this configuration. */
bool pc_heeds_limits(const struct policy *);
bool pc_heeds_quotas(const struct policy *);

/* The queue's limit; for a leaf capped at its quota if over-quota is off. */
struct pc_amounts pc_limit_of(const struct policy *, const struct pc_queue *);

/* The parent queue, or POLICY_NO_ID; without hierarchy all leaves are roots. */
static inline uint32_t pc_above(const struct pc_cluster *c, uint32_t queue)
{
    return c->flat ? POLICY_NO_ID : c->queues[queue].parent;
}

#endif
