/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes over the jobs that exist when a run begins; see initial_state.h. */
#include "sim/fits.h"
#include "sim/internal.h"
#include "sim/roles.h"

#include "sim/base/mem.h"

#include <stdlib.h>

static bool blame(const struct sim_initial_job *found, struct err *err)
{
    return err_prefix(err, "job '%s' of the snapshot", found->about->id);
}

/* The reader of the snapshot checks what it can; anything else that the core refuses is an error of
 * the snapshot. */
static bool refused(const struct sim *sim, const struct sim_initial_job *found, struct err *err)
{
    err_set(err, EXIT_INPUT, "policy '%s' does not take it: %s", sim->config.policy.preset,
            policy_last_error(sim->policy)->message);
    return blame(found, err);
}

/* ---- what it asks for ---- */

/* 1 + index of the only MIG instance that a request asks for; 0: none. */
static bool profile_of(const struct policy_request *request, int32_t *profile, struct err *err)
{
    *profile = 0;
    int32_t instances = 0;
    for (int32_t i = 0; request->mig != NULL && i < POLICY_MAX_PROFILES; i++)
        if (request->mig[i] > 0) {
            *profile = i + 1;
            instances += request->mig[i];
        }
    return instances <= 1 ||
           err_set(err, EXIT_INPUT,
                   "one of its tasks requests %d MIG instances; at most one can be simulated",
                   instances);
}

/* One kind of request, anywhere in the fleet, needs no parts. */
static bool is_plain(const struct policy_job_spec *spec)
{
    return spec->role_count == 1 && spec->roles[0].group == 0 &&
           spec->roles[0].topology.topology == 0;
}

static bool find_parts(struct sim *sim, const struct sim_initial_job *found,
                       struct sim_newcomer *new, struct err *err)
{
    const struct policy_job_spec *spec = &found->spec;
    uint32_t first = 0;
    struct work_part *parts = mem_alloc(spec->role_count, sizeof *parts);
    bool ok = true;
    for (uint32_t i = 0; i < spec->role_count && ok; i++) {
        int32_t profile;
        ok = profile_of(&spec->roles[i].request, &profile, err);
        parts[i] = (struct work_part){
            .first = first, .request = sim_request_from(sim, &spec->roles[i].request, profile)};
        first += (uint32_t)spec->roles[i].tasks;
    }
    new->request = parts[0].request;
    if (!ok || is_plain(spec)) {
        free(parts);
        return ok || blame(found, err);
    }
    sim_parts_from_spec(spec, parts);
    new->parts = parts;
    new->part_count = spec->role_count;
    new->groups = sim_groups_from_spec(spec);
    new->group_count = spec->group_count;
    return true;
}

/* ---- the core is told ---- */

static int tell_task(struct sim *sim, const struct sim_initial_job *found, policy_job core,
                     const struct sim_initial_task *task)
{
    if (task->state == SIM_INITIAL_OVER)
        return sim_tell(sim,
                        &(struct fact){.kind = FACT_TASK_ENDED,
                                       .job = core,
                                       .task = task->number,
                                       .state = task->failed ? POLICY_FAILED : POLICY_SUCCEEDED});
    if (task->state == SIM_INITIAL_GATED)
        return sim_tell(
            sim, &(struct fact){
                     .kind = FACT_TASK_GATED, .job = core, .task = task->number, .state = true});
    int status = sim_tell(sim, &(struct fact){.kind = FACT_TASK_RUNNING,
                                              .job = core,
                                              .task = task->number,
                                              .node = {task->node},
                                              .devices = task->devices,
                                              .value = found->since_ms});
    if (status == POLICY_OK && task->state == SIM_INITIAL_RELEASING)
        status = sim_tell(
            sim, &(struct fact){.kind = FACT_TASK_RELEASING, .job = core, .task = task->number});
    return status;
}

/* ---- its tasks ---- */

static bool take_devices(struct sim *sim, struct work_job *job, const struct sim_initial_task *from,
                         struct err *err)
{
    bool later = from->release_ms > sim->now_ms;
    struct work_task task = {.devices = from->devices,
                             .node = from->node,
                             .pool = sim->fleet->nodes[from->node].pool,
                             .release_ms = WORK_NEVER,
                             .number = from->number,
                             .told = true,
                             .found = true};
    if (from->state == SIM_INITIAL_RELEASING)
        task.release_ms = later ? from->release_ms : sim->now_ms + sim->config.grace_ms;
    if (!sim_take_devices(sim, job, &task, err)) {
        err->code = EXIT_INPUT;
        return false;
    }
    if (from->state == SIM_INITIAL_RELEASING)
        event_push(&sim->events, task.release_ms, EVENT_RELEASE, job->core.i);
    return true;
}

static bool take_tasks(struct sim *sim, struct work_job *job, const struct sim_initial_job *found,
                       struct err *err)
{
    for (size_t i = 0; i < found->task_count; i++) {
        const struct sim_initial_task *task = &found->tasks[i];
        if (tell_task(sim, found, job->core, task) != POLICY_OK)
            return refused(sim, found, err);
        if (task->state <= SIM_INITIAL_RELEASING && !take_devices(sim, job, task, err))
            return blame(found, err);
    }
    return true;
}

/* Finished tasks no longer want anything. */
static void forget_over(struct sim *sim, struct work_job *job, const struct sim_initial_job *found)
{
    for (size_t i = 0; i < found->task_count; i++) {
        if (found->tasks[i].state != SIM_INITIAL_OVER)
            continue;
        int64_t milli = work_nominal_milli(job, found->tasks[i].number);
        job->wanted_milli -= milli;
        sim->queues[job->queue].wanted_milli -= milli;
        sim_alter(sim, job->queue);
    }
}

/* ---- how far it is ---- */

/* Its progress by unit and phase if known exactly, or NULL. */
static const struct work_progress *exactly(const struct work_job *job,
                                           const struct sim_initial_job *found)
{
    const struct work_progress *from = found->progress;
    return from != NULL && from->total == job->progress.total ? from : NULL;
}

static void set_done(struct work_job *job, const struct sim_initial_job *found)
{
    struct work_progress *p = &job->progress;
    const struct work_progress *from = exactly(job, found);
    if (from != NULL) {
        p->done = from->done;
        p->saved = from->saved;
        p->begun = from->begun;
        p->owed_ms = from->owed_ms;
        p->launch_ms = from->launch_ms;
        return;
    }
    int64_t scale = work_scale(job);
    p->done = found->done_ms * scale < p->total ? found->done_ms * scale : p->total;
    p->saved = found->saved_ms < found->done_ms ? found->saved_ms * scale : p->done;
    if (found->saved_ms < 0)
        p->saved = p->interval > 0 ? p->done - p->done % p->interval : 0;
    p->begun = p->saved;
    if (found->displaced && job->loses)
        p->done = p->saved;
    if (found->last_start_ms != WORK_NEVER)
        p->launch_ms = 0;
}

/* It continues in its state: launching, writing a checkpoint, or at work. */
static void go_on(struct sim *sim, struct work_job *job, const struct sim_initial_job *found)
{
    struct work_progress *p = &job->progress;
    const struct work_progress *from = exactly(job, found);
    p->since_ms = sim->now_ms;
    p->rate = sim_work_rate(job);
    if (from != NULL) {
        p->phase = from->phase;
        p->left_ms = from->left_ms;
        p->writing_ms = from->writing_ms;
        p->restarts = from->restarts;
        p->launches = from->launches;
    } else {
        p->owed_ms = 0;
        p->launches = 1;
    }
    job->launches = work_progress_launches(p);
    if (job->launches)
        event_push(&sim->events, work_progress_launched(p), EVENT_RESTARTED, job->core.i);
}

static bool run_on(struct sim *sim, struct work_job *job, const struct sim_initial_job *found,
                   struct err *err)
{
    sim_set_state(sim, job, WORK_RUNNING);
    job->halted = !work_is_whole(job);
    job->worked = !job->halted || job->progress.done > 0;
    go_on(sim, job, found);
    if (sim->memory != NULL)
        sim_memory_begin(sim, job);
    return sim_activity_begin(sim, job, err);
}

static bool set_history(struct sim *sim, struct work_job *job, const struct sim_initial_job *found,
                        struct err *err)
{
    job->first_start_ms = found->first_start_ms;
    job->start_ms = found->last_start_ms;
    job->queue_ms = found->queue_ms;
    job->run_ms = found->run_ms;
    job->preemptions = found->preemptions;
    job->moves = found->moves;
    job->failures = found->failures;
    job->suspended = found->suspended;
    job->stopping = found->stopping;
    job->richer = found->richer;
    job->worked = found->done_ms > 0;
    set_done(job, found);
    int status = POLICY_OK;
    if (found->stale)
        status = sim_tell(sim, &(struct fact){.kind = FACT_STALE_SINCE,
                                              .job = job->core,
                                              .value = found->stale_since_ms});
    if (status != POLICY_OK && status != POLICY_UNSUPPORTED)
        return refused(sim, found, err);
    struct fact suspend = {.kind = FACT_JOB_SUSPEND, .job = job->core, .state = true};
    return !found->suspended || sim_tell(sim, &suspend) == POLICY_OK || refused(sim, found, err);
}

/* ---- one job ---- */

/* For a job of which nothing has started; several kinds of roles are assumed to fit. */
static bool may_start(const struct sim *sim, const struct sim_initial_job *found,
                      const struct sim_newcomer *new)
{
    const struct sim_ask ask = {
        .queue = &sim->queues[new->queue],
        .roles = new->roles,
        .role_count = new->role_count,
        .profile = new->request.profile,
        .required = new->topology.required > 0 ? new->topology.required : 0,
    };
    return found->task_count > 0 || found->stopping || new->parts != NULL ||
           sim_could_start(sim, &ask);
}

static bool names_topology(const struct policy_job_spec *spec)
{
    bool any = spec->topology.topology != 0;
    for (uint32_t i = 0; i < spec->role_count; i++)
        any |= spec->roles[i].topology.topology != 0;
    for (uint32_t i = 0; i < spec->group_count; i++)
        any |= spec->groups[i].topology.topology != 0;
    return any;
}

static bool take_over(struct sim *sim, const struct sim_initial_job *found, policy_job *core,
                      struct err *err)
{
    const struct trace_job *about = found->about;
    struct sim_newcomer new = {
        .from = about,
        .number = sim->submitted++,
        .preemptible = found->spec.preemptible,
        .counted = found->last_start_ms == WORK_NEVER,
        .priority = found->spec.priority,
        .topology = found->spec.topology,
        .roles = found->spec.roles,
        .role_count = found->spec.role_count,
    };
    if (!sim_queue_for(sim, about->queue, &new.queue, err))
        return blame(found, err);
    new.class = work_class(about, sim->queues[new.queue].node_gpus);
    if (!find_parts(sim, found, &new, err))
        return false;
    struct policy_job_spec spec = found->spec;
    new.aside = !may_start(sim, found, &new);
    if (new.aside && !sim_is(sim, POLICY_TRAIT_SORTS_OUT))
        spec.eligible = 0;
    if (names_topology(&spec) && !sim_tell_topology(sim, err))
        return false;
    new.core = sim_tell_job(sim, about, new.number, new.queue, &spec);
    if (new.core.i == POLICY_NO_ID) {
        free(new.parts);
        free(new.groups);
        return refused(sim, found, err);
    }
    *core = new.core;
    struct work_job *job = sim_take_in(sim, &new, err);
    if (job == NULL || !take_tasks(sim, job, found, err) || !set_history(sim, job, found, err))
        return false;
    forget_over(sim, job, found);
    if (sim->last_eligible_ms < job->eligible_ms)
        sim->last_eligible_ms = job->eligible_ms;
    if (job->running > 0 && !run_on(sim, job, found, err))
        return false;
    if (job->running == 0 && job->stopping)
        sim_set_state(sim, job, WORK_RUNNING);
    sim_recount_idle(sim, job);
    bool fresh = job->progress.done == 0 && job->running == 0;
    if (!fresh && !sim_tell_progress(sim, job, err))
        return false;
    if (sim->dependencies != NULL)
        sim_dependencies_initial(sim, job);
    if (sim->speed != NULL && job->running > 0 && about->recorded_on == SYMBOL_NONE)
        sim_speed_initial(sim, job);
    if (sim->speed != NULL)
        sim_speed_note(sim, job);
    return job->running == 0 || sim_schedule(sim, job, err);
}

bool sim_initial_begin(struct sim *sim, struct err *err)
{
    const struct sim_initial_state *source = &sim->config.initial_state;
    bool more = source->next != NULL;
    while (more) {
        struct sim_initial_job found;
        policy_job core = {POLICY_NO_ID, 0};
        if (!source->next(source->self, sim, &found, &more, err) ||
            (more && !take_over(sim, &found, &core, err)))
            return false;
        if (more && source->taken != NULL)
            source->taken(source->self, core);
    }
    return source->rest == NULL || source->rest(source->self, sim, err);
}
