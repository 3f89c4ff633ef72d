/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How devices are taken and released: the sums over queues, sites and the fleet for a task, and how
 * evicted tasks release their devices after the grace period. The first part of that period is
 * spent on a checkpoint, if one is written; for the rest the devices are held without use.
 */
#include "sim/internal.h"

void sim_hold(struct sim *sim, struct work_job *job, const struct work_task *task, int sign)
{
    struct sim_queue *queue = &sim->queues[job->queue];
    int64_t milli = task->held_milli;
    int64_t change = sign * milli;
    int64_t wanted =
        task->node == WORK_NONE ? change : sign * work_nominal_milli(job, task->number);
    sim_alter(sim, job->queue);
    queue->held_milli += change;
    queue->wanted_milli -= wanted;
    sim->sites[queue->site].milli_used += change;
    job->wanted_milli -= wanted;
    if (task->release_ms == WORK_NEVER) {
        queue->running_milli += change;
        job->running_milli += change;
    }
    SIM_TELL(sim, held, sim, job, task, sign);
}

void sim_stop_running(struct sim *sim, struct work_job *job, const struct work_task *task)
{
    int64_t milli = task->held_milli;
    sim_alter(sim, job->queue);
    sim->queues[job->queue].running_milli -= milli;
    job->running_milli -= milli;
}

/* Called after the sums are updated: if the node drains they change once more. */
static void give(struct sim *sim, const struct work_job *job, const struct work_task *task)
{
    const struct work_request *r = work_request_of(job, task->number);
    struct fleet_use use = {task->devices, task->milli,       r->cpu_milli,
                            r->mem_mib,    r->device_mem_mib, r->profile};
    struct err ignored;
    if (task->node == WORK_NONE)
        fleet_count(sim->fleet, task->pool, -task->held_milli, &ignored);
    else
        fleet_give(sim->fleet, task->node, &use);
    if (sim->memory != NULL)
        sim_memory_give(sim, job, task);
    if (task->node != WORK_NONE && !fleet_is_up(&sim->fleet->nodes[task->node]))
        sim_freed_on(sim, task->node, task->held_milli);
}

/* ---- time in which tasks were released ---- */

static void account(struct sim *sim, const struct work_job *job, const struct work_task *task)
{
    int64_t stopped = task->release_ms - sim->config.grace_ms;
    int64_t write_ends =
        stopped + task->write_ms < sim->now_ms ? stopped + task->write_ms : sim->now_ms;
    struct sim_span span = {.milli = task->held_milli,
                            .speed_ppm = WORK_IDEAL,
                            .hardware_ppm = WORK_IDEAL,
                            .spent = {.write_ms = sim_inside(sim, stopped, write_ends),
                                      .still_ms = sim_inside(sim, write_ends, sim->now_ms)}};
    SIM_TELL(sim, spent, sim, job, &span);
}

void sim_account_released(struct sim *sim, const struct work_job *job)
{
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next)
        if (sim->work.tasks[id].release_ms != WORK_NEVER)
            account(sim, job, &sim->work.tasks[id]);
}

/* ---- giving back ---- */

void sim_release_all(struct sim *sim, struct work_job *job)
{
    struct sim_queue *queue = &sim->queues[job->queue];
    int64_t held = 0;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        const struct work_task *task = &sim->work.tasks[id];
        if (task->release_ms != WORK_NEVER)
            account(sim, job, task);
        give(sim, job, task);
        held += task->held_milli;
        SIM_TELL(sim, held, sim, job, task, -1);
    }
    sim_alter(sim, job->queue);
    sim->sites[queue->site].milli_used -= held;
    queue->held_milli -= held;
    queue->running_milli -= job->running_milli;
    queue->wanted_milli -= job->wanted_milli;
    sim->idle_milli -= job->idle_milli;
    sim->hung_milli -= job->hung_milli;
}

/* Unless the job ends with it, the core is informed and treats the task as pending. */
static bool hand_back(struct sim *sim, struct work_job *job, const struct work_task *task,
                      struct err *err)
{
    give(sim, job, task);
    sim_hold(sim, job, task, -1);
    job->releasing--;
    if (job->stopping)
        return true;
    return sim_core_ok(sim,
                       sim_tell(sim, &(struct fact){.kind = FACT_TASK_ENDED,
                                                    .job = job->core,
                                                    .task = task->number,
                                                    .state = POLICY_EVICTED}),
                       err);
}

void sim_take_back(struct sim *sim, struct work_job *job)
{
    uint32_t before = WORK_NONE;
    for (uint32_t *link = &job->first_task; *link != WORK_NONE;) {
        const struct work_task *task = &sim->work.tasks[*link];
        if (task->told || task->release_ms != WORK_NEVER) {
            before = *link;
            link = &sim->work.tasks[*link].next;
            continue;
        }
        give(sim, job, task);
        sim_hold(sim, job, task, -1);
        work_count_task(job, task->number, -1);
        work_drop_task(&sim->work, job, link, before);
    }
}

void sim_drop_tasks(struct sim *sim, struct work_job *job)
{
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        const struct work_task *task = &sim->work.tasks[id];
        if (task->release_ms != WORK_NEVER)
            account(sim, job, task);
        give(sim, job, task);
        sim_hold(sim, job, task, -1);
    }
    work_drop_tasks(&sim->work, job);
    work_count_all(job, false);
    job->releasing = 0;
}

bool sim_lose_tasks(struct sim *sim, struct work_job *job, const struct sim_fault *f, bool pulled,
                    struct err *err)
{
    uint32_t before = WORK_NONE;
    for (uint32_t *link = &job->first_task; *link != WORK_NONE;) {
        const struct work_task *task = &sim->work.tasks[*link];
        if (!sim_is_struck(f, task, pulled)) {
            before = *link;
            link = &sim->work.tasks[*link].next;
            continue;
        }
        if (task->release_ms == WORK_NEVER) {
            work_count_task(job, task->number, -1);
            job->releasing++;
        } else {
            account(sim, job, task);
        }
        if (!hand_back(sim, job, task, err))
            return false;
        work_drop_task(&sim->work, job, link, before);
    }
    return true;
}

/* A job ended by a limit is over with the last of its tasks, which are still listed when the end is
 * reported. */
static bool ends_now(const struct sim *sim, const struct work_job *job)
{
    for (uint32_t id = job->stopping ? job->first_task : WORK_NONE; id != WORK_NONE;
         id = sim->work.tasks[id].next)
        if (sim->work.tasks[id].release_ms == WORK_NEVER ||
            sim->work.tasks[id].release_ms > sim->now_ms)
            return false;
    return job->stopping;
}

bool sim_release_due(struct sim *sim, struct work_job *job, struct err *err)
{
    if (job->state == WORK_FREE || job->releasing == 0)
        return true;
    sim_touch(sim, sim->queues[job->queue].site);
    if (ends_now(sim, job))
        return sim_finish_job(sim, job, err);
    uint32_t before = WORK_NONE;
    for (uint32_t *link = &job->first_task; *link != WORK_NONE;) {
        const struct work_task *task = &sim->work.tasks[*link];
        if (task->release_ms == WORK_NEVER || task->release_ms > sim->now_ms) {
            before = *link;
            link = &sim->work.tasks[*link].next;
            continue;
        }
        account(sim, job, task);
        if (!hand_back(sim, job, task, err))
            return false;
        work_drop_task(&sim->work, job, link, before);
    }
    sim_recount_idle(sim, job);
    return true;
}
