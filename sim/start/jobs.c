/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs of a snapshot as a simulation finds them: their tasks, their shape, how far they are; see
 * start.h. */
#include "sim/start/internal.h"

#include "scenarios/load/snapshot_layer.h"
#include "sim/base/mem.h"
#include "sim/base/rng.h"
#include "sim/work/request.h"
#include "traces/trace_internal.h"

#include <string.h>

/* for jobs not in a trace: beyond the rows of any trace */
#define NO_ROW (INT64_C(1) << 38)

/* ---- topology ---- */

/* Translates levels of the snapshot to levels of the fleet, by name. */
static bool translate(const struct start *start, struct policy_constraint *c, const char *id,
                      struct err *err)
{
    const struct snapshot *s = start->snapshot;
    const struct fleet *fleet = start->of.fleet;
    if (c->topology <= 0)
        return true;
    const struct snap_topology *topology = &s->topologies[c->topology - 1];
    for (uint32_t i = 0; i < topology->level_count; i++)
        if (fleet_find_level(fleet, topology->levels[i]) == fleet->level_count)
            return err_set(err, EXIT_INPUT,
                           "%s: job '%s' refers to the topology '%s', whose level '%s' the fleet "
                           "does not have (a simulation knows one topology)",
                           s->file, id, topology->name, topology->levels[i]);
    int32_t *const levels[] = {&c->required, &c->preferred};
    for (int i = 0; i < 2; i++)
        if (*levels[i] > 0)
            *levels[i] = (int32_t)fleet_find_level(fleet, topology->levels[*levels[i] - 1]) + 1;
    c->topology = 1;
    return true;
}

static bool translate_all(struct start *start, const char *id, struct err *err)
{
    struct snap_draft *draft = &start->draft;
    bool ok = translate(start, &draft->spec.topology, id, err);
    for (uint32_t i = 0; i < draft->spec.role_count && ok; i++)
        ok = translate(start, &draft->roles[i].topology, id, err);
    for (uint32_t i = 0; i < draft->spec.group_count && ok; i++)
        ok = translate(start, &draft->groups[i].topology, id, err);
    return ok;
}

/* ---- tasks ---- */

static bool is_lost(const struct start *start, const struct snap_task *task)
{
    uint32_t node = start->node_of[task->node];
    return node == POLICY_NO_ID || start->states[node] >= POLICY_NODE_DOWN;
}

/* True if the rest of the job stops, because too many of its tasks were on lost nodes. */
static bool is_displaced(const struct start *start, const struct snap_job *job)
{
    int32_t lost = 0, runs = 0, minimum = 0;
    for (uint32_t t = 0; t < job->task_count; t++) {
        const struct snap_task *task = &job->tasks[t];
        runs += task->state == SNAP_RUNNING;
        lost += task->state == SNAP_RUNNING && is_lost(start, task);
    }
    for (uint32_t r = 0; r < job->role_count; r++)
        minimum += job->roles[r].min_tasks;
    return lost > 0 && runs - lost < minimum;
}

static void add_task(struct start *start, size_t count, const struct sim_initial_task *task)
{
    start->tasks = mem_grow(start->tasks, &start->task_capacity, count + 1, sizeof *start->tasks);
    start->tasks[count] = *task;
}

/* A limit has ended it, and its last tasks are being released. Without such tasks the job continues
 * like any other. */
static bool is_ending(const struct start *start, const struct snap_job *job)
{
    bool releases = false;
    for (uint32_t t = 0; job->life.ending && t < job->task_count; t++) {
        const struct snap_task *task = &job->tasks[t];
        if (task->state == SNAP_RUNNING)
            return false;
        releases |= task->state == SNAP_RELEASING && !is_lost(start, task);
    }
    return releases;
}

/* Those that do not simply wait. */
static size_t list_tasks(struct start *start, const struct snap_job *job, bool displaced,
                         bool ending)
{
    size_t count = 0;
    uint32_t number = 0;
    for (uint32_t t = 0; t < job->task_count; t++) {
        const struct snap_task *from = &job->tasks[t];
        struct sim_initial_task task = {.number = number, .release_ms = WORK_NEVER};
        if (job->stray != SNAP_IN_QUEUE && !snap_holds(from))
            continue;
        number++;
        bool gone = snap_holds(from) &&
                    (is_lost(start, from) || (displaced && from->state == SNAP_RUNNING));
        if (gone || (from->state == SNAP_PENDING && !ending))
            continue;
        task.state = from->state == SNAP_RUNNING     ? SIM_INITIAL_RUNS
                     : from->state == SNAP_RELEASING ? SIM_INITIAL_RELEASING
                     : snap_over(from)               ? SIM_INITIAL_OVER
                                       : SIM_INITIAL_GATED; /* none of its tasks start any more */
        task.failed = from->state == SNAP_FAILED;
        if (snap_holds(from)) {
            task.node = start->node_of[from->node];
            task.devices = from->devices;
            task.release_ms = from->release_ms;
        }
        add_task(start, count++, &task);
    }
    return count;
}

/* ---- the job as a trace would say it ---- */

/* If all tasks are alike: their number of devices, or shares of them; else the sum of their
 * requests. */
static void set_shape(struct start *start, const struct snap_job *job)
{
    const struct policy_job_spec *spec = &start->draft.spec;
    struct trace_job *about = &start->about;
    int64_t milli = 0;
    int32_t tasks = 0, least = 0;
    for (uint32_t i = 0; i < spec->role_count; i++) {
        const struct policy_request *r = &spec->roles[i].request;
        tasks += spec->roles[i].tasks;
        least += spec->roles[i].joined ? 0 : spec->roles[i].min_tasks;
        milli += (int64_t)spec->roles[i].tasks * r->devices *
                 (r->device_milli > 0 ? r->device_milli : POLICY_WHOLE);
    }
    const struct policy_request *first = &spec->roles[0].request;
    about->tasks = job->life.tasks > 0 ? job->life.tasks : tasks;
    about->min_tasks = least;
    about->max_tasks = tasks;
    if (spec->role_count == 1) {
        about->gpus = first->devices;
        about->gpu_milli = first->device_milli == POLICY_WHOLE ? 0 : first->device_milli;
        about->gpu_mem_mib = first->device_mem_mib;
    } else {
        about->gpus_total = (milli + POLICY_WHOLE - 1) / POLICY_WHOLE;
    }
    about->cpu_milli = first->cpu_milli;
    about->mem_mib = first->mem_mib;
}

static enum trace_class class_of(const struct snap_job *job)
{
    if (job->life.class != TRACE_CLASS_UNSET)
        return (enum trace_class)job->life.class;
    return job->workload == POLICY_BUILD       ? TRACE_BUILD
           : job->workload == POLICY_INFERENCE ? TRACE_INFERENCE
                                               : TRACE_CLASS_UNSET;
}

static int64_t done_ms(const struct start *start, const struct snap_job *job)
{
    if (job->life.done_ms >= 0)
        return job->life.done_ms;
    bool runs = false;
    for (uint32_t t = 0; t < job->task_count; t++)
        runs |= job->tasks[t].state == SNAP_RUNNING;
    int64_t since = job->last_start_ms;
    return runs && since != POLICY_NEVER && since < start->snapshot->now_ms
               ? start->snapshot->now_ms - since
               : 0;
}

static uint32_t symbol(struct symbols *names, const char *name)
{
    return symbols_add(names, name, strlen(name));
}

static bool describe(struct start *start, const struct snap_job *job, int64_t done, struct err *err)
{
    const struct snapshot *s = start->snapshot;
    const struct trace_names *names = start->of.names;
    const struct snap_life *life = &job->life;
    struct trace_job *about = &start->about;
    trace_job_init(about);
    about->id = job->id;
    about->row = life->row >= 0 ? (uint64_t)life->row
                                : (uint64_t)NO_ROW | (rng_entity(job->id) & (uint64_t)(NO_ROW - 1));
    about->queue =
        symbol(names->queues, job->stray == SNAP_IN_QUEUE ? job->queue_name : SNAPSHOT_NO_QUEUE);
    about->user = symbol(names->users, life->user);
    about->model = *life->model != '\0' ? symbol(names->models, life->model) : SYMBOL_NONE;
    if (*life->recorded_on != '\0')
        about->recorded_on = symbol(names->nodes, life->recorded_on);
    about->class = class_of(job);
    about->status = (enum trace_status)life->status;
    about->priority = job->priority;
    about->preemptible = job->preemptible;
    about->submit_ms = job->submit_ms < s->now_ms ? job->submit_ms : s->now_ms;
    about->eligible_ms = job->eligible_ms > about->submit_ms ? job->eligible_ms : about->submit_ms;
    about->limit_ms = job->limit_ms;
    if (job->deadline_ms != POLICY_NEVER)
        about->deadline_ms = job->deadline_ms;
    about->estimate_ms = life->estimate_ms;
    about->on_failure = (enum trace_on_failure)life->on_failure;
    about->checkpoint_ms = life->checkpoint_ms;
    about->checkpoint_write_ms = life->checkpoint_write_ms;
    about->restart_ms = life->restart_ms;
    about->sm_util_ppm = life->sm_util_ppm;
    about->active_ppm = life->active_ppm;
    set_shape(start, job);
    int64_t milli = trace_job_gpu_milli(about);
    return start_times_total(start->times, job, start->of.seed,
                             work_class(about, fleet_most_gpus(start->of.fleet)), milli, done,
                             &about->duration_ms, err);
}

/* ---- one job after the other ---- */

static bool matters(const struct snap_job *job)
{
    for (uint32_t t = 0; t < job->task_count; t++)
        if (snap_holds(&job->tasks[t]) ||
            (job->stray == SNAP_IN_QUEUE && !snap_over(&job->tasks[t])))
            return true;
    return false;
}

static void note_displaced(struct start *start, const struct snap_job *job)
{
    const struct trace_job *about = &start->about;
    start->displaced = mem_grow(start->displaced, &start->displaced_capacity,
                                start->displaced_count + 1, sizeof *start->displaced);
    start->displaced[start->displaced_count++] =
        (struct start_displaced){.id = job->id,
                                 .queue = job->queue_name,
                                 .class = work_class(about, fleet_most_gpus(start->of.fleet)),
                                 .gpu_milli = trace_job_gpu_milli(about)};
}

/* Certain nodes, or a limit of its own for interactive work, cannot be said of a simulated job. */
static bool is_richer(const struct policy_job_spec *spec)
{
    bool richer = spec->interactive_limit_ms != 0;
    for (uint32_t i = 0; i < spec->role_count; i++)
        richer |= spec->roles[i].request.term_count > 0;
    return richer;
}

static bool take(struct start *start, const struct snap_job *job, struct sim_initial_job *found,
                 struct err *err)
{
    const struct snap_life *life = &job->life;
    int64_t done = done_ms(start, job), now = start->snapshot->now_ms;
    bool displaced = is_displaced(start, job);
    snap_draft_fini(&start->draft);
    snap_draft_init(&start->draft, &start->numbers, start->snapshot, job);
    if (!translate_all(start, job->id, err) || !describe(start, job, done, err))
        return false;
    if (displaced)
        note_displaced(start, job);
    int64_t last = job->last_start_ms < now ? job->last_start_ms : now;
    last = job->last_start_ms == POLICY_NEVER ? WORK_NEVER : last;
    *found = (struct sim_initial_job){
        .about = &start->about,
        .spec = start->draft.spec,
        .first_start_ms = life->first_start_ms != POLICY_NEVER ? life->first_start_ms : last,
        .last_start_ms = last,
        .since_ms = job->last_start_ms < now ? job->last_start_ms : now,
        .run_ms = life->ran_ms > 0 ? life->ran_ms : 0,
        .preemptions = (uint32_t)life->preemptions,
        .moves = (uint32_t)life->moves,
        .failures = (uint32_t)life->failures + displaced,
        .done_ms = done,
        .saved_ms = life->saved_ms,
        .progress = life->exact && !displaced ? &life->progress : NULL,
        .displaced = displaced,
        .stale = job->stale && job->stray == SNAP_IN_QUEUE,
        .stale_since_ms = job->stale_since_ms < now ? job->stale_since_ms : now,
        .suspended = job->suspended,
        .stopping = is_ending(start, job),
        .richer = is_richer(&start->draft.spec),
    };
    if (life->queue_ms >= 0)
        found->queue_ms = life->queue_ms;
    else if (last != WORK_NEVER && last > start->about.eligible_ms)
        found->queue_ms = last - start->about.eligible_ms;
    found->task_count = list_tasks(start, job, displaced, found->stopping);
    found->tasks = start->tasks;
    return true;
}

bool start_next_job(void *self, struct sim *sim, struct sim_initial_job *found, bool *more,
                    struct err *err)
{
    (void)sim;
    struct start *start = self;
    const struct snapshot *s = start->snapshot;
    while (start->at < s->job_count && !matters(&s->jobs[start->order[start->at]]))
        start->at++;
    *more = start->at < s->job_count;
    if (!*more)
        return true;
    start->taking = start->order[start->at++];
    const struct snap_job *job = &s->jobs[start->taking], *instead = start->of.instead;
    bool is_other = instead != NULL && strcmp(job->id, instead->id) == 0;
    return take(start, is_other ? instead : job, found, err);
}
