/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Audits the use of queues by plain sums over jobs: it equals the queues' own sums; if the policy
 * has limits, no queue exceeds its limit (or its quota, if that is also a limit); if it has quotas,
 * no queue exceeds its quota with non-preemptible jobs. Tasks being released do not count, since
 * the core has released them. A request for device memory counts as its share of the device where
 * it runs, rounded down. The initial state may exceed what a queue is allowed: then nothing may be
 * added.
 */
#include "sim/internal.h"

#include "sim/base/mem.h"

#include <stdlib.h>

struct has {
    int64_t held, running, wanted;    /* in the queue's units */
    struct policy_amounts all, fixed; /* in units of quotas; fixed: of non-preemptible jobs */
    struct policy_amounts fresh, fresh_fixed; /* of these, not running when the run began */
    bool inner;                               /* has child queues */
};

/* In quotas and limits a MIG instance counts as one whole device per compute slice. */
static int64_t gpu_of(const struct sim *sim, const struct work_job *job,
                      const struct work_task *task)
{
    const struct work_request *r = work_request_of(job, task->number);
    return r->profile > 0 ? (int64_t)sim->fleet->profiles[r->profile - 1].compute * POLICY_WHOLE
                          : task->held_milli;
}

static void add(struct policy_amounts *to, const struct policy_amounts *what)
{
    to->gpu += what->gpu;
    to->cpu += what->cpu;
    to->mem += what->mem;
}

static void add_job(const struct sim *sim, const struct work_job *job, struct has *has)
{
    has->wanted += job->wanted_milli;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        const struct work_task *task = &sim->work.tasks[id];
        const struct work_request *r = work_request_of(job, task->number);
        has->held += task->held_milli;
        if (task->release_ms != WORK_NEVER)
            continue;
        struct policy_amounts amounts = {gpu_of(sim, job, task), r->cpu_milli, r->mem_mib};
        has->running += task->held_milli;
        add(&has->all, &amounts);
        if (!task->found)
            add(&has->fresh, &amounts);
        if (!job->preemptible)
            add(&has->fixed, &amounts);
        if (!job->preemptible && !task->found)
            add(&has->fresh_fixed, &amounts);
    }
}

/* Parents come before their children. */
static void add_children(const struct sim *sim, struct has *has)
{
    for (size_t i = sim->queue_count; i-- > 0;)
        if (sim->queues[i].parent >= 0) {
            add(&has[sim->queues[i].parent].all, &has[i].all);
            add(&has[sim->queues[i].parent].fresh, &has[i].fresh);
            add(&has[sim->queues[i].parent].fixed, &has[i].fixed);
            add(&has[sim->queues[i].parent].fresh_fixed, &has[i].fresh_fixed);
        }
}

static bool check_counts(const struct sim_queue *queue, const struct has *has, struct err *err)
{
    if (has->held == queue->held_milli && has->running == queue->running_milli &&
        has->wanted == queue->wanted_milli)
        return true;
    return err_set(
        err, EXIT_INVARIANT,
        "queue '%s' holds %lld, runs %lld and wants %lld thousandths, counted as %lld, %lld, %lld",
        queue->name, (long long)has->held, (long long)has->running, (long long)has->wanted,
        (long long)queue->held_milli, (long long)queue->running_milli,
        (long long)queue->wanted_milli);
}

/* Allowed and actual use of one resource by a queue. */
struct part {
    const char *what;
    const struct policy_share *share;
    int64_t all, fresh, fixed, fresh_fixed;
};

static bool check_limit(const struct sim_queue *queue, const struct part *part, int64_t limit,
                        struct err *err)
{
    return limit == POLICY_UNLIMITED || part->all <= limit || part->fresh == 0 ||
           err_set(err, EXIT_INVARIANT, "queue '%s' has %lld %s, over its limit of %lld",
                   queue->name, (long long)part->all, part->what, (long long)limit);
}

static bool check_quota(const struct sim_queue *queue, const struct part *part, bool owns,
                        struct err *err)
{
    int64_t quota = part->share->quota;
    if (owns && !check_limit(queue, part, quota, err))
        return false;
    return quota == POLICY_UNLIMITED || part->fixed <= quota || part->fresh_fixed == 0 ||
           err_set(
               err, EXIT_INVARIANT,
               "queue '%s' has %lld %s in jobs that may not be preempted, over its quota of %lld",
               queue->name, (long long)part->fixed, part->what, (long long)quota);
}

static bool check_rights(const struct sim *sim, const struct sim_queue *queue,
                         const struct has *has, struct err *err)
{
    const struct policy_amounts *all = &has->all, *fresh = &has->fresh;
    const struct policy_amounts *fixed = &has->fixed, *fresh_fixed = &has->fresh_fixed;
    const struct part parts[] = {
        {"thousandths of GPUs", &queue->gpu, all->gpu, fresh->gpu, fixed->gpu, fresh_fixed->gpu},
        {"thousandths of CPUs", &queue->cpu, all->cpu, fresh->cpu, fixed->cpu, fresh_fixed->cpu},
        {"MiB", &queue->mem, all->mem, fresh->mem, fixed->mem, fresh_fixed->mem},
    };
    size_t bound = sim_is(sim, POLICY_TRAIT_LIMITS) ? sizeof parts / sizeof *parts
                                                    : sim_is(sim, POLICY_TRAIT_GPU_LIMITS);
    bool quotas = sim_is(sim, POLICY_TRAIT_QUOTAS);
    bool owns = sim_is(sim, POLICY_TRAIT_OWNED) && !has->inner;
    for (size_t i = 0; i < bound; i++)
        if (!check_limit(queue, &parts[i], parts[i].share->limit, err) ||
            (quotas && !check_quota(queue, &parts[i], owns, err)))
            return false;
    return true;
}

bool sim_audit_queues(const struct sim *sim, struct err *err)
{
    struct has *has = mem_alloc(sim->queue_count + 1, sizeof *has);
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if (job->state == WORK_RUNNING || job->state == WORK_PENDING)
            add_job(sim, job, &has[job->queue]);
    }
    bool ok = true;
    for (size_t i = 0; i < sim->queue_count && ok; i++)
        ok = check_counts(&sim->queues[i], &has[i], err);
    for (size_t i = 0; i < sim->queue_count; i++)
        if (sim->queues[i].parent >= 0)
            has[sim->queues[i].parent].inner = true;
    if (!sim_is(sim, POLICY_TRAIT_FLAT))
        add_children(sim, has);
    for (size_t i = 0; i < sim->queue_count && ok; i++)
        ok = check_rights(sim, &sim->queues[i], &has[i], err);
    free(has);
    return ok;
}
