/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The auditor: what has to hold at every instant, by plain sums over the simulator's own picture, then the policy
 * core's own check. That no device is taken twice, gangs start whole and only pending jobs start is checked where it
 * happens (fleet.c, enact.c), always.
 */
#include "sim/internal.h"

struct sums {
    int64_t milli;
    uint64_t running, pending;
};

static struct sums add_up(const struct sim *sim)
{
    struct sums sums = {0};
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        sums.running += job->state == WORK_RUNNING;
        sums.pending += job->state == WORK_PENDING;
        sums.milli += job->state == WORK_RUNNING ? job->gpu_milli : 0;
    }
    return sums;
}

bool sim_audit(struct sim *sim, struct err *err)
{
    struct sums sums = add_up(sim);
    if (sums.milli != sim->fleet->milli_used)
        return err_set(err, EXIT_INVARIANT,
                       "running jobs hold %lld thousandths of devices, the fleet lent %lld",
                       (long long)sums.milli, (long long)sim->fleet->milli_used);
    if (sums.running != sim->running || sums.pending != sim->pending)
        return err_set(err, EXIT_INVARIANT, "%llu jobs run and %llu wait, counted as %llu and %llu",
                       (unsigned long long)sums.running, (unsigned long long)sums.pending,
                       (unsigned long long)sim->running, (unsigned long long)sim->pending);
    int64_t used = 0;
    for (size_t i = 0; i < sim->fleet->pool_count; i++) {
        const struct fleet_pool *pool = &sim->fleet->pools[i];
        used += pool->milli_used;
        if (pool->milli_used < 0 || pool->milli_used > pool->milli)
            return err_set(err, EXIT_INVARIANT, "pool '%s' lent more than it has", pool->name);
    }
    if (used != sim->fleet->milli_used)
        return err_set(err, EXIT_INVARIANT, "pools lent %lld thousandths, the fleet %lld", (long long)used,
                       (long long)sim->fleet->milli_used);
    struct policy_error error;
    if (sim->config.audit && policy_check(sim->policy, &error) != POLICY_OK)
        return err_set(err, EXIT_INVARIANT, "policy core: %s", error.message);
    return true;
}
