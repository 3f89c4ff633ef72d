/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Use and entitlement of queues by pool, if some queue has quotas by pool. Pools that share a quota
 * form a group; pools that no quota names form the last one.
 *
 * Only queues that hold jobs count.
 *
 *     used      requests of running tasks on nodes of the group, so that a queue's groups add up to
 *               what it uses, and a group's queues to what runs there
 *     quota     its quota in the group. One without quotas by pool counts first where its jobs
 *               run: in the order of groups
 *     over      used above the quota
 *     entitled  the policy's own division of the group, if it makes one; else max-min by weight, in
 *               which pending work counts in every group that the queue may use. Entitlements of a
 *               group add up to the group, or to what is wanted of it; those of a queue may add up
 *               to more than it wants.
 *
 * Quotas are read as time advances, so planned changes count from the time they are made.
 */
#ifndef REPORT_RECORD_POOL_USE_H
#define REPORT_RECORD_POOL_USE_H

#include "report/stats/division.h"
#include "sim/sim.h"

/* A queue in a group. Integrals in thousandths of devices times milliseconds, in the window. */
struct pool_use {
    int64_t running;
    double entitled;
    double quota_ms, entitled_ms, used_ms, over_ms;
};

struct pool_uses {
    struct pool_use *uses; /* by queue, then by group */
    size_t use_count;
    uint32_t *group_of_pool;
    uint32_t group_count; /* 0: no queue has quotas by pool */
    int64_t *jobs;        /* running thousandths of jobs, by number in the core, then by group */
    size_t job_count;
    struct division_row *rows;
    size_t row_count;
    bool known, stale; /* groups are known; entitlements have to be divided again */
    uint32_t pool_count;
};

struct sim_observer pool_uses_observer(struct pool_uses *);
void pool_uses_fini(struct pool_uses *);

/* Returns the queue's use in the group; all 0 if it had no job and no quota. */
int64_t pool_uses_over(void *self, const struct sim *, uint32_t queue);

/*
 * Returns the names of the group's pools, separated by '|'; NULL if it has none. The caller frees
 * it.
 */
struct pool_use pool_uses_of(const struct pool_uses *, size_t queue, uint32_t group);

/* Returns the devices of the group's nodes; for elastic pools the maximum. */
char *pool_uses_name(const struct pool_uses *, const struct sim *, uint32_t group);

/* Devices of the group's nodes; of elastic pools at most. */
int64_t pool_uses_gpus(const struct pool_uses *, const struct sim *, uint32_t group);

#endif
