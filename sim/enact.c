/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Carries out decisions: each decision of the core changes the world, task by task, with every step
 * checked; then the effects on the jobs are settled (runs.c).
 */
#include "sim/asked.h"
#include "sim/internal.h"

static bool not_as_asked(const struct work_job *job, const struct policy_decision *d,
                         struct err *err)
{
    return err_set(err, EXIT_INVARIANT, "job '%s' task %u: differs from its request", work_id(job),
                   d->task);
}

/* The whole job as a number of devices in a pool. */
static bool count_job(struct sim *sim, struct work_job *job, const struct policy_decision *d,
                      struct err *err)
{
    if (!sim->counts || d->gpu_milli != job->gpu_milli || job->running > 0)
        return err_set(err, EXIT_INVARIANT, "job '%s': a start without a node", work_id(job));
    struct work_task task = {.node = WORK_NONE,
                             .pool = d->pool,
                             .held_milli = d->gpu_milli,
                             .release_ms = WORK_NEVER,
                             .number = WORK_NONE};
    if (!fleet_count(sim->fleet, d->pool, d->gpu_milli, err))
        return false;
    work_add_task(&sim->work, job, &task);
    work_count_all(job, true);
    sim_hold(sim, job, &task, 1);
    return true;
}

/* Checks the devices and their type, and that the task is not running already. */
static bool check_place(struct sim *sim, const struct work_job *job,
                        const struct policy_decision *d, struct err *err)
{
    const struct work_request *r = work_request_of(job, d->task);
    const struct fleet_node *node = &sim->fleet->nodes[d->node.i];
    bool whole = __builtin_popcountll(d->devices) == node->gpus && r->milli == FLEET_WHOLE;
    if (r->profile > 0 ? (d->devices & (d->devices - 1)) != 0
                       : __builtin_popcountll(d->devices) != work_devices(job, d->task))
        return not_as_asked(job, d, err);
    if (r->devices > 0 && r->types != 0 && (r->types >> node->gpu_type & 1) == 0)
        return err_set(err, EXIT_INVARIANT, "job '%s': node '%s' has GPUs of a wrong type",
                       work_id(job), node->name);
    if (node->whole_only && !whole)
        return err_set(err, EXIT_INVARIANT, "job '%s': node '%s' is for whole nodes only",
                       work_id(job), node->name);
    if (d->task >= (uint32_t)job->most_tasks ||
        (d->task < job->next_number && work_find_running(&sim->work, job, d->task) != NULL))
        return not_as_asked(job, d, err);
    return true;
}

bool sim_take_devices(struct sim *sim, struct work_job *job, struct work_task *task,
                      struct err *err)
{
    const struct work_request *r = work_request_of(job, task->number);
    bool runs = task->release_ms == WORK_NEVER;
    task->milli = r->profile > 0
                      ? fleet_instance_milli(sim->fleet, task->node, task->devices, r->profile)
                      : fleet_milli(&sim->fleet->nodes[task->node], r->milli, r->device_mem_mib);
    bool fixed = task->devices == 0 && r->profile > 0;
    task->held_milli = (int64_t)task->milli * (fixed ? 1 : __builtin_popcountll(task->devices));
    struct fleet_use use = {task->devices, task->milli,       r->cpu_milli,
                            r->mem_mib,    r->device_mem_mib, r->profile};
    if (!fleet_take(sim->fleet, task->node, &use, err))
        return false;
    if (runs)
        work_count_task(job, task->number, 1);
    job->releasing += !runs;
    if (task->number >= job->next_number)
        job->next_number = task->number + 1;
    work_add_task(&sim->work, job, task);
    sim_hold(sim, job, task, 1);
    if (sim->memory != NULL)
        sim_memory_take(sim, job, task);
    return true;
}

/* One task of a start: takes the decided devices if they are free and the job requested them. */
static bool start_task(struct sim *sim, struct work_job *job, const struct policy_decision *d,
                       struct err *err)
{
    sim_change(sim, job);
    if (d->node.i == POLICY_NO_ID)
        return count_job(sim, job, d, err);
    if (d->node.i >= sim->fleet->node_count || !check_place(sim, job, d, err))
        return false;
    struct work_task task = {.devices = d->devices,
                             .node = d->node.i,
                             .pool = d->pool,
                             .release_ms = WORK_NEVER,
                             .number = d->task};
    return sim_take_devices(sim, job, &task, err) || err_prefix(err, "job '%s'", work_id(job));
}

/* The notice: from now on the task is being released. */
static bool evict_task(struct sim *sim, struct work_job *job, const struct policy_decision *d,
                       struct err *err)
{
    struct work_task *task = work_find_running(&sim->work, job, d->task);
    bool may = job->preemptible || d->action == POLICY_STALE || d->action == POLICY_LIMITS ||
               sim_is(sim, POLICY_TRAIT_ANY_VICTIM);
    if (task == NULL || !may || sim->filling)
        return err_set(err, EXIT_INVARIANT, "job '%s' task %u: evicted, but %s", work_id(job),
                       d->task,
                       task == NULL   ? "it does not run"
                       : sim->filling ? "nothing leaves in a packing study"
                                      : "the job may not be preempted");
    sim_change(sim, job);
    task->told = false;
    task->write_ms = 0;
    task->release_ms = sim->now_ms + sim->config.grace_ms;
    sim_stop_running(sim, job, task);
    int32_t tasks = task->node == WORK_NONE ? job->most_tasks : 1; /* counted: the whole job */
    if (task->node == WORK_NONE)
        work_count_all(job, false);
    else
        work_count_task(job, task->number, -1);
    job->releasing++;
    job->cut += tasks;
    job->cut_action = (uint8_t)d->action;
    job->cut_reason = (uint8_t)d->reason;
    job->stopping |= d->action == POLICY_LIMITS;
    return true;
}

/* A nomination: the core will decide again when the place is free. For a running job it matters
 * only if tasks are evicted too. */
static bool nominate_task(struct sim *sim, struct work_job *job, const struct policy_decision *d,
                          struct err *err)
{
    if (d->task >= (uint32_t)job->most_tasks)
        return not_as_asked(job, d, err);
    if (job->state == WORK_RUNNING) {
        sim_change(sim, job);
        job->promised++;
    }
    return true;
}

static struct work_job *job_of(struct sim *sim, const struct policy_decision *d, struct err *err)
{
    struct work_job *job = d->job.i < sim->work.capacity ? &sim->work.jobs[d->job.i] : NULL;
    if (job != NULL && job->core.gen == d->job.gen && job->eligible_ms <= sim->now_ms &&
        !job->aside &&
        (job->state == WORK_PENDING ||
         (job->state == WORK_RUNNING && job->first_task != WORK_NONE &&
          (!job->stopping || job->changed))))
        return job;
    err_set(err, EXIT_INVARIANT, "decision '%s' for job number %u, which is not pending",
            policy_kind_name(d->kind), d->job.i);
    return NULL;
}

static bool enact(struct sim *sim, struct work_job *job, const struct policy_decision *d,
                  struct err *err)
{
    switch (d->kind) {
    case POLICY_START:
        return start_task(sim, job, d, err);
    case POLICY_NOMINATE:
        return nominate_task(sim, job, d, err);
    case POLICY_EVICT:
        return evict_task(sim, job, d, err);
    default:
        return err_set(err, EXIT_INVARIANT, "a decision of kind %d", d->kind);
    }
}

bool sim_enact(struct sim *sim, const struct policy_decision *d, size_t count, struct err *err)
{
    sim->decision_count += count;
    for (size_t i = 0; i < count; i++) {
        if (d[i].kind == POLICY_ORDER || d[i].kind == POLICY_RELEASE) {
            if (!(d[i].kind == POLICY_ORDER ? sim_order_node : sim_release_node)(sim, d[i].node.i,
                                                                                 err))
                return false;
            SIM_TELL(sim, provisioned, sim, &d[i]);
            continue;
        }
        struct work_job *job = job_of(sim, &d[i], err);
        if (job == NULL || !enact(sim, job, &d[i], err))
            return false;
        SIM_TELL(sim, decided, sim, &d[i], job);
    }
    return sim_settle(sim, err);
}

const char *sim_job_name(void *self, policy_job id)
{
    const struct sim *sim = self;
    const struct work_job *job = id.i < sim->work.capacity ? &sim->work.jobs[id.i] : NULL;
    return job != NULL && job->core.gen == id.gen ? work_id(job) : NULL;
}

/* A plugin made an impossible decision: the core says which, and here the job's name is known. */
static bool wrong_plugin(struct sim *sim, struct err *err)
{
    const char *what = policy_last_error(sim->policy)->message;
    const char *job = sim_job_name(sim, policy_wrong_job(sim->policy));
    if (job == NULL)
        return err_set(err, EXIT_INVARIANT, "%s", what);
    return err_set(err, EXIT_INVARIANT, "%s (job '%s')", what, job);
}

bool sim_decide(struct sim *sim, struct err *err)
{
    size_t count;
    const struct asked asked = {.at = sim->now_ms, .self = sim, .name = sim_job_name};
    asked_begin(&asked);
    sim_begin_core(sim);
    const struct policy_decision *d = policy_decide(sim->policy, sim->now_ms, &count);
    sim_end_core(sim, true);
    asked_end();
    sim_report_decisions(sim, d, count);
    const struct policy_error *error = policy_last_error(sim->policy);
    if (d == NULL && error->status == POLICY_NO_MEMORY)
        return err_set(err, EXIT_INTERNAL, "out of memory in the policy core");
    if (error->status == POLICY_WRONG_PLUGIN)
        return wrong_plugin(sim, err);
    sim->cycle_count++;
    if (!sim_settles(sim, d, count, err))
        return false;
    if (!sim_enact(sim, d, count, err))
        return false;
    SIM_TELL(sim, cycled, sim, true);
    return true;
}
