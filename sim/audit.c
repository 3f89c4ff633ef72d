/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The auditor: checks the invariants of every instant by plain sums over the simulator's own state,
 * then runs the policy core's own check. Some invariants are always checked where they could break
 * (fleet.c, enact.c): no device is taken twice, gangs start whole, and only pending jobs start.
 * audit_queues.c checks queues.
 */
#include "sim/internal.h"

#include "sim/base/mem.h"

#include <stdlib.h>

struct sums {
    int64_t held, idle, hung;
    uint64_t running, pending, aside;
};

/* Adds up what the tasks of a job hold, and compares with the job's own sums. */
static bool add_job(const struct sim *sim, const struct work_job *job, struct sums *sums,
                    struct err *err)
{
    int64_t held = 0;
    int64_t runs = 0;
    int32_t running = 0;
    int32_t releasing = 0;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        const struct work_task *task = &sim->work.tasks[id];
        int64_t milli = task->held_milli;
        bool released = task->release_ms != WORK_NEVER;
        held += milli;
        runs += released ? 0 : milli;
        releasing += released;
        running += released ? 0 : task->node == WORK_NONE ? job->most_tasks : 1;
    }
    if (job->progress.rate > 0 && job->progress.phase == PHASE_WORK && !job->hung &&
        (job->progress.launch_ms > 0 || job->progress.owed_ms > 0))
        return err_set(err, EXIT_INVARIANT, "job '%s' works, but still owes a launch or overheads",
                       work_id(job));
    sums->held += held;
    sums->idle += job->idle_milli;
    sums->hung += job->hung_milli;
    if (running != job->running || releasing != job->releasing || runs != job->running_milli)
        return err_set(err, EXIT_INVARIANT,
                       "running jobs hold %lld thousandths of devices, job '%s' counts %lld",
                       (long long)runs, work_id(job), (long long)job->running_milli);
    if (running > 0 && !work_is_whole(job) && !job->halted)
        return err_set(err, EXIT_INVARIANT, "job '%s': %d of a gang of %d tasks run", work_id(job),
                       running, job->min_tasks);
    if ((running > 0) != (job->state == WORK_RUNNING && !(job->stopping && running == 0)))
        return err_set(err, EXIT_INVARIANT, "job '%s': %d tasks of it run, which is not its state",
                       work_id(job), running);
    return true;
}

static bool add_up(const struct sim *sim, struct sums *sums, struct err *err)
{
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if (job->state != WORK_RUNNING && job->state != WORK_PENDING)
            continue;
        sums->running += job->state == WORK_RUNNING;
        sums->pending += job->state == WORK_PENDING && !job->aside;
        sums->aside += job->aside;
        if (!add_job(sim, job, sums, err))
            return false;
    }
    return true;
}

static bool check_fleet(const struct sim *sim, const struct sums *sums, struct err *err)
{
    if (sums->held != sim->fleet->milli_used)
        return err_set(err, EXIT_INVARIANT,
                       "running jobs hold %lld thousandths of devices, the fleet lent %lld",
                       (long long)sums->held, (long long)sim->fleet->milli_used);
    int64_t used = 0;
    for (size_t i = 0; i < sim->fleet->pool_count; i++) {
        const struct fleet_pool *pool = &sim->fleet->pools[i];
        used += pool->milli_used;
        if (pool->milli_used < 0 || pool->milli_used > pool->milli)
            return err_set(err, EXIT_INVARIANT, "pool '%s' lent more than it has", pool->name);
    }
    if (used != sim->fleet->milli_used)
        return err_set(err, EXIT_INVARIANT, "pools lent %lld thousandths, the fleet %lld",
                       (long long)used, (long long)sim->fleet->milli_used);
    return true;
}

/* The sites' counts of down, reclaimed and tested nodes are exact; the latter are down. */
static bool check_away(const struct sim *sim, struct err *err)
{
    int64_t down = 0;
    int64_t reclaimed = 0;
    int64_t tested = 0;
    for (size_t i = 0; i < sim->fleet->node_count; i++) {
        const struct fleet_node *node = &sim->fleet->nodes[i];
        int64_t milli = (int64_t)node->gpus * FLEET_WHOLE;
        down += node->away > 0 && !node->off ? milli : 0;
        reclaimed += node->reclaimed > 0 && !node->off ? milli : 0;
        tested += fleet_is_tested(node) && !node->off ? milli : 0;
        if (node->reclaimed < 0 || node->testing < 0 ||
            node->reclaimed + node->testing > node->away)
            return err_set(err, EXIT_INVARIANT,
                           "node '%s' is reclaimed %d times, tested %d times, and away %d times",
                           node->name, node->reclaimed, node->testing, node->away);
        if (node->away > 0 && node->tasks > 0)
            return err_set(err, EXIT_INVARIANT, "node '%s' is away, and %d tasks are on it",
                           node->name, node->tasks);
    }
    for (size_t i = 0; i < sim->site_count; i++) {
        down -= sim->sites[i].milli_down;
        reclaimed -= sim->sites[i].milli_reclaimed;
        tested -= sim->sites[i].milli_tested;
    }
    return (down == 0 && reclaimed == 0 && tested == 0) ||
           err_set(err, EXIT_INVARIANT,
                   "%lld thousandths of devices more are down than sites count, %lld more are "
                   "reclaimed, %lld more are tested",
                   (long long)down, (long long)reclaimed, (long long)tested);
}

bool sim_audit(struct sim *sim, struct err *err)
{
    struct sums sums = {0};
    if (!add_up(sim, &sums, err) || !check_fleet(sim, &sums, err))
        return false;
    if (sums.running != sim->running || sums.pending != sim->pending || sums.aside != sim->aside)
        return err_set(err, EXIT_INVARIANT, "%llu jobs run and %llu wait, counted as %llu and %llu",
                       (unsigned long long)sums.running, (unsigned long long)sums.pending,
                       (unsigned long long)sim->running, (unsigned long long)sim->pending);
    if (sums.idle != sim->idle_milli || sums.hung != sim->hung_milli)
        return err_set(err, EXIT_INVARIANT,
                       "%lld thousandths of devices are held without running, counted as %lld; "
                       "%lld hang, counted as %lld",
                       (long long)sums.idle, (long long)sim->idle_milli, (long long)sums.hung,
                       (long long)sim->hung_milli);
    if (sim->config.faults.self != NULL && !check_away(sim, err))
        return false;
    if (!sim_audit_queues(sim, err) || (sim->speed != NULL && !sim_speed_audit(sim, err)) ||
        (sim->storage != NULL && !sim_storage_audit(sim, err)) ||
        (sim->config.faults.self != NULL && !sim_fault_effects_audit(sim, err)) ||
        (sim->spares != NULL && !sim_spares_audit(sim, err)) ||
        (sim->elastic_book != NULL && !sim_elastic_audit(sim, err)) ||
        (sim->memory != NULL && !sim_memory_audit(sim, err)) ||
        (sim->dependencies != NULL && !sim_dependencies_audit(sim, err)) ||
        (sim->rungs != NULL && !sim_rungs_audit(sim, err)))
        return false;
    struct policy_error error;
    if (sim->config.audit && policy_check(sim->policy, &error) != POLICY_OK)
        return err_set(err, EXIT_INVARIANT, "policy core: %s", error.message);
    return true;
}
