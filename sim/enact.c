/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decisions become facts: what the core decides is done to the world, with every step checked. */
#include "sim/internal.h"

/* Durations are bounded when they are read, but may add up: sums of two times have to fit. */
#define LATEST_MS (INT64_MAX / 2)

static int32_t share_of(const struct policy_request *r)
{
    return r->devices == 0 ? 0 : r->device_milli == 0 ? POLICY_WHOLE : r->device_milli;
}

/* One task of a start: takes what the decision says, if the world has it and the job asked for it. */
static bool place_task(struct sim *sim, struct work_job *job, const struct policy_decision *d,
                       struct err *err)
{
    struct work_task task = {.devices = d->devices, .node = d->node.i, .pool = d->pool};
    if (d->node.i == POLICY_NO_ID) {
        if (!sim->counts || d->gpu_milli != job->gpu_milli)
            return err_set(err, EXIT_INVARIANT, "job '%s': a start without a node", work_id(job));
        task.counted_milli = d->gpu_milli;
        job->placed = job->tasks;
        work_add_task(&sim->work, job, &task);
        return fleet_count(sim->fleet, d->pool, d->gpu_milli, err);
    }
    const struct policy_request *r = &job->request[d->task >= (uint32_t)job->first_role_tasks];
    if (__builtin_popcountll(d->devices) != r->devices || d->task != (uint32_t)job->placed)
        return err_set(err, EXIT_INVARIANT, "job '%s' task %u: not what it asked for", work_id(job), d->task);
    const struct fleet_node *node = &sim->fleet->nodes[d->node.i];
    if (r->devices > 0 && r->types != 0 && (r->types >> node->gpu_type & 1) == 0)
        return err_set(err, EXIT_INVARIANT, "job '%s': node '%s' has GPUs of a wrong type", work_id(job),
                       node->name);
    task.milli = share_of(r);
    task.cpu_milli = r->cpu_milli;
    task.mem_mib = r->mem_mib;
    struct fleet_use use = {d->devices, task.milli, task.cpu_milli, task.mem_mib};
    if (!fleet_take(sim->fleet, d->node.i, &use, err))
        return err_prefix(err, "job '%s'", work_id(job));
    job->placed++;
    work_add_task(&sim->work, job, &task);
    return true;
}

static bool begin(struct sim *sim, struct work_job *job, struct err *err)
{
    struct sim_queue *queue = &sim->queues[job->queue];
    if (job->duration_ms > LATEST_MS - sim->now_ms)
        return err_set(err, EXIT_INPUT, "job '%s' would end after more than 100 million years", work_id(job));
    queue->pending_jobs--;
    queue->pending_milli -= job->gpu_milli;
    queue->running_jobs++;
    queue->running_milli += job->gpu_milli;
    sim->sites[queue->site].milli_used += job->gpu_milli;
    sim->pending--;
    sim->running++;
    job->state = WORK_RUNNING;
    job->start_ms = sim->now_ms;
    if (job->first_start_ms == WORK_NEVER)
        job->first_start_ms = sim->now_ms;
    event_push(&sim->events, sim->now_ms + job->duration_ms, EVENT_JOB_END, job->core.i);
    if (!sim_core_ok(sim, policy_task_started(sim->policy, sim->now_ms, job->core, POLICY_ALL_TASKS), err))
        return false;
    SIM_TELL(sim, started, sim, job);
    return true;
}

static struct work_job *job_of(struct sim *sim, const struct policy_decision *d, struct err *err)
{
    struct work_job *job = d->job.i < sim->work.capacity ? &sim->work.jobs[d->job.i] : NULL;
    if (job != NULL && job->state == WORK_PENDING && job->core.gen == d->job.gen && d->kind == POLICY_START &&
        job->eligible_ms <= sim->now_ms)
        return job;
    err_set(err, EXIT_INVARIANT, "decision '%s' for job number %u, which is not pending",
            policy_kind_name(d->kind), d->job.i);
    return NULL;
}

static bool enact(struct sim *sim, const struct policy_decision *d, size_t count, struct err *err)
{
    for (size_t i = 0; i < count; i++) {
        struct work_job *job = job_of(sim, &d[i], err);
        if (job == NULL)
            return false;
        if (job->placed == 0)
            sim_touch(sim, sim->queues[job->queue].site);
        if (!place_task(sim, job, &d[i], err))
            return false;
        SIM_TELL(sim, decided, sim, &d[i], job);
        bool last = i + 1 == count || d[i + 1].job.i != d[i].job.i;
        if (last && job->placed != job->tasks)
            return err_set(err, EXIT_INVARIANT, "job '%s': %d of a gang of %d tasks started", work_id(job),
                           job->placed, job->tasks);
        if (last && !begin(sim, job, err))
            return false;
    }
    return true;
}

bool sim_decide(struct sim *sim, struct err *err)
{
    size_t count;
    const struct policy_decision *d = policy_decide(sim->policy, sim->now_ms, &count);
    if (d == NULL && policy_last_error(sim->policy)->status == POLICY_NO_MEMORY)
        return err_set(err, EXIT_INTERNAL, "out of memory in the policy core");
    sim->cycle_count++;
    sim->decision_count += count;
    return enact(sim, d, count, err);
}

void sim_end_job(struct sim *sim, struct work_job *job)
{
    struct sim_queue *queue = &sim->queues[job->queue];
    sim_touch(sim, queue->site);
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        const struct work_task *task = &sim->work.tasks[id];
        struct fleet_use use = {task->devices, task->milli, task->cpu_milli, task->mem_mib};
        struct err ignored;
        if (task->node == WORK_NONE)
            fleet_count(sim->fleet, task->pool, -task->counted_milli, &ignored);
        else
            fleet_give(sim->fleet, task->node, &use);
    }
    queue->running_jobs--;
    queue->running_milli -= job->gpu_milli;
    sim->sites[queue->site].milli_used -= job->gpu_milli;
    sim->running--;
    sim->ended++;
    job->state = WORK_ENDED;
    job->end_ms = sim->now_ms;
    sim->last_end_ms = sim->now_ms;
}
