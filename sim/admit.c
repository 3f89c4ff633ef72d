/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One arrival: from a trace record to a job known to the policy core. */
#include "sim/asked.h"
#include "sim/fits.h"
#include "sim/internal.h"
#include "sim/roles.h"

#include "sim/base/mem.h"
#include "sim/base/out.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

#define BESIDE (UINT64_C(1) << 39) /* beyond the rows of any trace */

/* A request for the core, with the arrays it points to. */
struct ask {
    struct sim_roles *own; /* of a job with roles; else NULL */
    struct policy_role two[2];
    const struct policy_role *roles;
    int role_count;
    int32_t profile;                  /* 1 + its index, 0 none */
    int32_t mig[POLICY_MAX_PROFILES]; /* filled in if there are any */
    struct policy_constraint topology;
    int32_t priority;
    bool preemptible;
};

/* In the core 0 means "at once". If the clock is still negative, a job that may start at 0 is held
 * 1 ms longer. */
static int64_t begin_time(const struct trace_job *from)
{
    return from->eligible_ms == 0 && from->submit_ms < 0 ? 1 : from->eligible_ms;
}

static bool blame(const struct trace_job *from, struct err *err)
{
    char place[TRACE_PLACE];
    return err_prefix(err, "%s", trace_job_place(from, place));
}

/* ---- the request ---- */

/* Topology level of that name; they count from 1. -1: the fleet has none of that name. Otherwise an
 * NVLink domain is a node. */
static int32_t level(const struct sim *sim, const char *name)
{
    uint32_t found = fleet_find_level(sim->fleet, name);
    if (found == sim->fleet->level_count && strcmp(name, "nvlink") == 0)
        found--;
    return name[0] == '\0' ? 0 : found < sim->fleet->level_count ? (int32_t)found + 1 : -1;
}

/* The job could never start, and no reason would explain it. */
static bool unknown_level(const struct sim *sim, const char *name, struct err *err)
{
    const struct fleet *fleet = sim->fleet;
    char suggested[96];
    struct out *names = out_memory();
    for (uint32_t i = 0; i < fleet->level_count; i++)
        out_format(names, "%s%s",
                   i == 0                       ? ""
                   : i + 1 < fleet->level_count ? ", "
                                                : " or ",
                   fleet->levels[i].name);
    char *expected = out_memory_take(names);
    (void)err_set(err, EXIT_INPUT,
                  "topology_required: this fleet has no level '%.40s', expected %s%s", name,
                  expected,
                  text_suggest(suggested, sizeof suggested, name, &fleet->levels[0].name,
                               fleet->level_count, sizeof fleet->levels[0]));
    free(expected);
    return false;
}

/* The core itself refuses a requirement if the policy has no topologies. */
bool sim_ask_near(struct sim *sim, const char *required, const char *preferred,
                  struct policy_constraint *to, struct err *err)
{
    *to = (struct policy_constraint){0};
    if (required[0] == '\0' && preferred[0] == '\0')
        return true;
    if (!sim_tell_topology(sim, err))
        return false;
    if (required[0] == '\0' && sim->no_topology)
        return true;
    *to = (struct policy_constraint){
        .topology = 1, .required = level(sim, required), .preferred = level(sim, preferred)};
    return to->required >= 0 || unknown_level(sim, required, err);
}

static bool ask_instance(struct sim *sim, const struct trace_job *from, struct ask *ask,
                         struct err *err)
{
    int index;
    if (from->mig[0] == '\0')
        return true;
    int known = sim->fleet->profile_count;
    if (!fleet_profile(sim->fleet, from->mig, &index, err))
        return false;
    if (index == known && !sim_tell_profile(sim, index, err))
        return false;
    memset(ask->mig, 0, sizeof ask->mig);
    ask->mig[index] = 1;
    ask->profile = index + 1;
    ask->two[0].request.devices = 0;
    ask->two[0].request.mig = ask->mig;
    return true;
}

struct work_request sim_request_from(const struct sim *sim, const struct policy_request *r,
                                     int32_t profile)
{
    struct work_request to = {
        .devices = r->devices,
        .milli = r->devices == 0        ? 0
                 : r->device_milli == 0 ? POLICY_WHOLE
                                        : r->device_milli,
        .cpu_milli = r->cpu_milli,
        .mem_mib = r->mem_mib,
        .device_mem_mib = r->device_mem_mib,
        .types = r->types,
        .profile = profile,
    };
    if (to.profile > 0)
        to.milli = fleet_profile_milli(&sim->fleet->profiles[to.profile - 1]);
    to.nominal_milli = to.milli;
    if (to.device_mem_mib > 0) { /* what it holds is known where it runs; until then, its share of
                                    the smallest device */
        int64_t least =
            sim->least_device_mem > to.device_mem_mib ? sim->least_device_mem : to.device_mem_mib;
        to.nominal_milli = (int32_t)((to.device_mem_mib * POLICY_WHOLE + least - 1) / least);
    }
    return to;
}

/* ---- the job ---- */

static int64_t nominal_sum(const struct work_job *job)
{
    int64_t sum = 0;
    if (job->parts == NULL)
        return (job->most_tasks - 1) * work_nominal_milli(job, 0) +
               work_nominal_milli(job, (uint32_t)job->most_tasks - 1);
    for (uint32_t i = 0; i < job->part_count; i++) {
        uint32_t end =
            i + 1 < job->part_count ? job->parts[i + 1].first : (uint32_t)job->most_tasks;
        sum += (end - job->parts[i].first) * work_nominal_milli(job, job->parts[i].first);
    }
    return sum;
}

/* Those of the job itself, else of the scenario. Only an elastic job has tasks to spare. */
static uint8_t on_failure(const struct sim *sim, const struct work_job *job,
                          const struct trace_job *from)
{
    enum trace_on_failure own = from->on_failure;
    if (own == TRACE_ON_FAILURE_UNSET)
        own = sim->config.on_failure;
    return job->elastic && own != TRACE_ON_FAILURE_UNSET ? (uint8_t)own : TRACE_RESTART;
}

/* Pod sets with more than their minimum do the work of an elastic job; the others, such as
 * parameter servers, only have to be there. */
static void find_workers(struct work_job *job)
{
    for (uint32_t i = 0; i < job->part_count;) {
        uint32_t begin = i++;
        while (i < job->part_count && job->parts[i].joined)
            i++;
        uint32_t end = i < job->part_count ? job->parts[i].first : (uint32_t)job->most_tasks;
        int32_t tasks = (int32_t)(end - job->parts[begin].first);
        for (uint32_t k = begin; k < i; k++)
            job->parts[k].works = !job->elastic || job->parts[begin].min_tasks < tasks;
    }
}

static int32_t recorded_tasks(const struct work_job *job, const struct trace_job *from)
{
    int32_t able = job->elastic && job->parts != NULL ? work_able_tasks(job) : from->tasks;
    return able < from->tasks ? able : from->tasks;
}

static bool fill_in(struct sim *sim, struct work_job *job, const struct trace_job *from,
                    const struct policy_role *roles, uint32_t role_count, struct err *err)
{
    job->submit_ms = from->submit_ms;
    job->eligible_ms = job->waits_since_ms = from->eligible_ms;
    job->duration_ms = from->duration_ms;
    job->limit_ms = from->limit_ms;
    job->deadline_ms = from->deadline_ms;
    job->estimate_ms = from->estimate_ms;
    sim->unestimated += from->estimate_ms == TRACE_UNKNOWN;
    job->model = from->model;
    job->rest_devices = roles[role_count - 1].request.devices;
    for (uint32_t i = 0; i < role_count; i++) {
        job->min_tasks += roles[i].joined ? 0 : roles[i].min_tasks;
        job->most_tasks += roles[i].tasks;
    }
    job->wanted_milli = nominal_sum(job);
    job->elastic = job->min_tasks < job->most_tasks;
    job->on_failure = on_failure(sim, job, from);
    find_workers(job);
    job->recorded_tasks = recorded_tasks(job, from);
    bool plain = from->gpu_mem_mib == 0 && job->request.profile == 0;
    job->gpu_milli = from->roles[0] != '\0' ? job->wanted_milli
                     : plain                ? trace_job_gpu_milli(from)
                                            : (int64_t)from->tasks * work_nominal_milli(job, 0);
    job->user = from->user;
    job->status = (uint8_t)from->status;
    job->sm_util_ppm = from->sm_util_ppm;
    job->active_ppm = from->active_ppm;
    job->client = sim->beside;
    job->counted = !job->client && sim_counts(sim, job->submit_ms);
    int64_t node_milli = (int64_t)sim->queues[job->queue].node_gpus * POLICY_WHOLE;
    struct work_checkpoints checkpoints = sim->config.checkpoints;
    checkpoints.write_ms = from->checkpoint_write_ms != TRACE_UNKNOWN
                               ? from->checkpoint_write_ms
                               : sim_storage_write_ms(sim, job, checkpoints.write_ms);
    work_fit_interval(&checkpoints,
                      node_milli > 0 ? (job->gpu_milli + node_milli - 1) / node_milli : 1);
    if (!work_set_progress(job, from, &checkpoints, err))
        return false;
    work_set_startup(job, &sim->config.startup);
    return sim->storage == NULL || sim_storage_admit(sim, job, from, err);
}

/* Tasks that belong together form a single pod set of which any task may run alone. */
static void forget_gang(const struct ask *ask, struct policy_role *loose)
{
    for (int i = 0; i < ask->role_count; i++) {
        loose[i] = ask->roles[i];
        loose[i].min_tasks = 1;
        loose[i].joined = i > 0;
        loose[i].group = 0;
        loose[i].topology = (struct policy_constraint){0};
    }
}

/*
 * Most policies use declared times: the time limit, else an estimate, never the true run time. Some
 * exist to show the effect of perfect knowledge.
 */
static int64_t expected_run(const struct sim *sim, const struct trace_job *from)
{
    return !sim_is(sim, POLICY_TRAIT_FORESIGHT)
               ? from->estimate_ms
               : from->duration_ms + sim->config.overheads.launch_ms;
}

policy_job sim_tell_job(struct sim *sim, const struct trace_job *from, uint64_t number,
                        uint32_t queue, struct policy_job_spec *spec)
{
    spec->queue = sim->queues[queue].core;
    spec->rank = number;
    spec->run_ms = expected_run(sim, from);
    if (from->deadline_ms != TRACE_UNKNOWN) /* 0 would mean that there is none */
        spec->deadline = from->deadline_ms == 0 ? 1 : from->deadline_ms;
    spec->user = symbols_name(sim->config.names.users, from->user)[0] != '\0' ? from->user + 1 : 0;
    spec->estimate_ms =
        from->estimate_ms == 0 ? 1 : from->estimate_ms; /* 0 would mean that there is none */
    struct fact fact = {.kind = FACT_JOB_ADD, .name = from->id, .spec = spec};
    const struct asked asked = {.at = sim->now_ms, .job = from->id};
    asked_begin(&asked);
    (void)sim_tell(sim, &fact); /* a refused job has no id */
    asked_end();
    return fact.job;
}

/* A job that must not start yet can be submitted at once: only tasks of known jobs can be gated. */
static policy_job submit(struct sim *sim, const struct trace_job *from, uint64_t number,
                         uint32_t queue, enum trace_class class, const struct ask *ask, bool fits)
{
    struct policy_role loose[TRACE_ROLES];
    const bool gang = !sim->config.single_tasks;
    if (!gang)
        forget_gang(ask, loose);
    static const int32_t workloads[TRACE_CLASSES] = {
        [TRACE_BUILD] = POLICY_BUILD, [TRACE_INFERENCE] = POLICY_INFERENCE};
    struct policy_job_spec spec = {
        .size = sizeof spec,
        .priority = ask->priority,
        .preemptible = ask->preemptible,
        .submitted = from->submit_ms,
        .eligible = fits || sim_is(sim, POLICY_TRAIT_SORTS_OUT) ? begin_time(from) : 0,
        .limit_ms = from->limit_ms,
        .roles = gang ? ask->roles : loose,
        .role_count = (uint32_t)ask->role_count,
        .groups = ask->own != NULL && gang ? ask->own->groups : NULL,
        .group_count = ask->own != NULL && gang ? (uint32_t)ask->own->read.group_count : 0,
        .topology = ask->topology,
        .workload = workloads[class],
    };
    return sim_tell_job(sim, from, number, queue, &spec);
}

/* A request the policy does not support is an input error, in the policy's words. */
static bool refused(const struct sim *sim, const struct trace_job *from, struct err *err)
{
    const struct policy_error *why = policy_last_error(sim->policy);
    if (why->status != POLICY_UNSUPPORTED)
        return err_set(err, EXIT_INTERNAL, "the policy core refused a fact: %s", why->message);
    err_set(err, EXIT_INPUT, "policy '%s' cannot meet its request: %s", sim->config.policy.preset,
            why->message);
    return blame(from, err);
}

static bool ask_roles(struct sim *sim, const struct trace_job *from, struct ask *ask,
                      struct err *err)
{
    ask->own = mem_alloc(1, sizeof *ask->own);
    if (!sim_roles_ask(sim, from, ask->own, err))
        return false;
    ask->roles = ask->own->roles;
    ask->role_count = ask->own->read.role_count;
    return true;
}

static bool ask_tasks(struct sim *sim, const struct trace_job *from, const struct sim_queue *queue,
                      struct ask *ask, struct err *err)
{
    ask->roles = ask->two;
    ask->role_count = work_roles(from, queue->node_gpus, sim->counts, ask->two);
    return (sim->memory == NULL || sim_memory_request(sim, from, &ask->two[0].request, err)) &&
           ask_instance(sim, from, ask, err);
}

/* Returns false if the job requests something that the fleet or this version does not have. */
static bool make_ask(struct sim *sim, const struct trace_job *from, const struct sim_queue *queue,
                     enum trace_class class, struct ask *ask, struct err *err)
{
    ask->own = NULL;
    ask->profile = 0;
    ask->priority = work_priority(from, class);
    ask->preemptible =
        from->preemptible == TRACE_UNKNOWN ? ask->priority < 100 : from->preemptible != 0;
    bool ok =
        sim_ask_near(sim, from->topology_required, from->topology_preferred, &ask->topology, err) &&
        (from->roles[0] != '\0' ? ask_roles(sim, from, ask, err)
                                : ask_tasks(sim, from, queue, ask, err));
    return ok || blame(from, err);
}

/* Submissions beside the trace do not change the keys of trace jobs. */
static uint64_t key_of(const struct sim *sim, const struct trace_job *from)
{
    return sim->beside ? BESIDE | sim->besides : from->row;
}

/*
 * A job without a recorded end may fail by itself: its work ends there, as for a job that failed in
 * the trace. Sessions and services cannot fail this way.
 */
static bool cut_short(const struct sim *sim, const struct trace_job *from, enum trace_class class,
                      struct trace_job *cut)
{
    const struct sim_faults *f = &sim->config.faults;
    if (f->user_after_ms == NULL || from->status != TRACE_COMPLETED || !work_computes(class))
        return false;
    int64_t after_ms = f->user_after_ms(f->self, key_of(sim, from));
    if (after_ms >= from->duration_ms)
        return false;
    *cut = *from;
    cut->duration_ms = after_ms > 0 ? after_ms : 1;
    cut->status = TRACE_FAILED;
    return true;
}

/*
 * Tells the core whether its tasks may start, unless the core itself detects jobs that never fit.
 */
static bool gate_all(struct sim *sim, const struct work_job *job, bool gated, struct err *err)
{
    int status = POLICY_OK;
    bool tells = !sim_is(sim, POLICY_TRAIT_SORTS_OUT);
    for (uint32_t i = 0; tells && i < (uint32_t)job->most_tasks && status == POLICY_OK; i++)
        status = sim_tell(
            sim,
            &(struct fact){.kind = FACT_TASK_GATED, .job = job->core, .task = i, .state = gated});
    return sim_core_ok(sim, status, err);
}

/* The core keeps the job, but its demand no longer counts; or counts again. */
static void move_aside(struct sim *sim, struct work_job *job, bool aside)
{
    struct sim_queue *queue = &sim->queues[job->queue];
    struct sim_site *site = &sim->sites[queue->site];
    int64_t milli = nominal_sum(job), sign = aside ? 1 : -1;
    job->aside = aside;
    job->wanted_milli = aside ? 0 : milli;
    sim->aside += (uint64_t)sign;
    sim->pending -= (uint64_t)sign;
    sim_alter(sim, job->queue);
    queue->pending_jobs -= (uint64_t)sign;
    queue->wanted_milli -= sign * milli;
    site->aside_jobs += (uint64_t)sign;
    site->aside_milli += sign * milli;
}

/* The core knows the job: adds it as pending. */
struct work_job *sim_take_in(struct sim *sim, const struct sim_newcomer *new, struct err *err)
{
    struct sim_queue *queue = &sim->queues[new->queue];
    const struct trace_job *from = new->from;
    struct work_job *job = work_add(&sim->work, new->core, from->id);
    job->number = new->number;
    job->key = key_of(sim, from);
    job->queue = new->queue;
    job->class = (uint8_t) new->class;
    job->fails = new->fails;
    job->preemptible = new->preemptible;
    job->priority = new->priority;
    job->required = (int8_t) new->topology.required;
    job->preferred = (int8_t) new->topology.preferred;
    job->request = new->request;
    job->parts = new->parts;
    job->part_count = new->part_count;
    job->groups = new->groups;
    job->group_count = new->group_count;
    if (!sim_speed_expect(sim, from, err)) {
        blame(from, err);
        return NULL;
    }
    if (!fill_in(sim, job, from, new->roles, new->role_count, err))
        return NULL;
    job->counted |= new->counted && sim->now_ms >= sim->window_start_ms;
    bool stops_early = from->rungs[0] != '\0' || sim->rungs != NULL;
    if ((stops_early && !sim_rungs_admit(sim, job, from, err)) ||
        (sim->spares != NULL && !sim_spares_leave_room(sim, job, err)) ||
        (sim->speed != NULL && !sim_speed_admit(sim, job, from, err))) {
        blame(from, err);
        return NULL;
    }
    if (sim->memory != NULL)
        sim_memory_admit(sim, job, from);
    job->progress.launch_ms = sim->config.overheads.launch_ms;
    sim_alter(sim, new->queue);
    queue->pending_jobs++;
    queue->wanted_milli += job->wanted_milli;
    sim->pending++;
    sim->elastic += job->elastic;
    if (new->aside)
        move_aside(sim, job, true);
    SIM_TELL(sim, submitted, sim, job);
    return !new->aside || gate_all(sim, job, true, err) ? job : NULL;
}

bool sim_let_in(struct sim *sim, struct work_job *job, struct err *err)
{
    if (!job->aside)
        return true;
    sim_touch(sim, sim->queues[job->queue].site);
    move_aside(sim, job, false);
    return gate_all(sim, job, false, err);
}

/* Clients end what they submit, and a packing study drops what does not fit. */
static bool may_start(const struct sim *sim, const struct sim_queue *queue, const struct ask *ask)
{
    const struct sim_ask wanted = {
        .queue = queue,
        .roles = ask->roles,
        .role_count = (uint32_t)ask->role_count,
        .profile = ask->profile,
        .profiles = ask->own != NULL ? ask->own->profiles : NULL,
        .required = ask->topology.required,
    };
    return sim->beside || sim->filling || sim_could_start(sim, &wanted);
}

/* The core has been told what the job asks for. */
static struct work_job *enter(struct sim *sim, const struct ask *ask, struct sim_newcomer *new,
                              struct err *err)
{
    new->preemptible = ask->preemptible;
    new->priority = ask->priority;
    new->topology = ask->topology;
    new->roles = ask->roles;
    new->role_count = (uint32_t)ask->role_count;
    if (ask->own != NULL)
        sim_roles_parts(sim, ask->own, new);
    else
        new->request = sim_request_from(sim, &ask->roles[0].request, ask->profile);
    return sim_take_in(sim, new, err);
}

struct work_job *sim_admit_as(struct sim *sim, const struct trace_job *from, uint64_t number,
                              struct err *err)
{
    struct sim_newcomer new = {.number = number};
    if (!work_supported(from, err))
        return NULL;
    if (!sim_queue_for(sim, from->queue, &new.queue, err)) {
        blame(from, err);
        return NULL;
    }
    struct sim_queue *queue = &sim->queues[new.queue];
    struct ask ask;
    struct trace_job cut;
    struct work_job *job = NULL;
    new.class = work_class(from, queue->node_gpus);
    new.fails = cut_short(sim, from, new.class, &cut);
    new.from = new.fails ? &cut : from;
    if (make_ask(sim, new.from, queue, new.class, &ask, err)) {
        new.aside = !may_start(sim, queue, &ask);
        sim_touch(sim, queue->site);
        new.core = submit(sim, new.from, number, new.queue, new.class, &ask, !new.aside);
        if (new.core.i == POLICY_NO_ID)
            refused(sim, new.from, err);
        else
            job = enter(sim, &ask, &new, err);
    }
    free(ask.own);
    return job;
}

struct work_job *sim_admit(struct sim *sim, const struct trace_job *from, struct err *err)
{
    return sim_admit_as(sim, from, sim->submitted++, err);
}

struct work_job *sim_submit(struct sim *sim, const struct trace_job *from, struct err *err)
{
    sim->event_count++;
    sim->beside = true;
    struct work_job *job = sim_admit(sim, from, err);
    sim->beside = false;
    sim->besides++;
    return job;
}
