/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a snapshot to what a run begins with; see start.h. */
#include "sim/cli/start.h"
#include "sim/cli/start_nodes.h"
#include "sim/cli/start_times.h"

#include "scenarios/snapshot_draft.h"
#include "scenarios/snapshot_layer.h"
#include "sim/base/mem.h"
#include "sim/work/request.h"
#include "traces/trace_internal.h"

#include <stdlib.h>
#include <string.h>

#define NO_ROW (INT64_C(1) << 38) /* of jobs whose trace is not known: beyond the rows of any that is */

struct start {
    struct simulation *simulation;
    const struct snapshot *snapshot; /* NULL: nodes are set aside, that is all */
    int32_t *states;                 /* of the nodes of the fleet */
    uint32_t *node_of;               /* in the fleet, by index in the snapshot; POLICY_NO_ID: it has none */
    size_t *order;                   /* jobs by rank */
    size_t at;                       /* of them: the next one */
    struct snap_names names;
    struct snap_numbers numbers;
    uint32_t *type_ids, *profile_ids;
    struct fleet_label *labels; /* of all nodes */
    struct start_times *times;
    /* of the job that was handed out last */
    struct snap_draft draft;
    struct trace_job about;
    struct sim_found_task *tasks;
    size_t task_capacity;
    struct start_displaced *displaced;
    size_t displaced_count, displaced_capacity;
};

int32_t start_node_state(const struct start *start, uint32_t node)
{
    return start->states[node];
}

const struct start_displaced *start_displaced(const struct start *start, size_t *count)
{
    *count = start != NULL ? start->displaced_count : 0;
    return start != NULL ? start->displaced : NULL;
}

/* ---- names ---- */

static bool number_types(struct start *start, struct err *err)
{
    const struct name_set *types = &start->names.types;
    start->type_ids = mem_alloc(types->count + 1, sizeof *start->type_ids);
    for (size_t i = 0; i < types->count; i++) {
        const char *name = *types->names[i] != '\0' ? types->names[i] : "any"; /* as in the fleet */
        start->type_ids[i] = symbols_add(start->simulation->names.gpu_types, name, strlen(name));
        if (start->type_ids[i] >= POLICY_MAX_TYPES)
            return err_set(err, EXIT_INPUT, "more than %d types of GPU ('%s' is one too many)",
                           POLICY_MAX_TYPES, name);
    }
    return true;
}

static bool number_profiles(struct start *start, struct err *err)
{
    const struct name_set *profiles = &start->names.profiles;
    start->profile_ids = mem_alloc(profiles->count + 1, sizeof *start->profile_ids);
    for (size_t i = 0; i < profiles->count; i++) {
        int index;
        if (!fleet_profile(&start->simulation->fleet, profiles->names[i], &index, err))
            return false;
        start->profile_ids[i] = (uint32_t)index;
    }
    return true;
}

/* ---- nodes ---- */

/* The node of the snapshot that one of the fleet is, or is like; NULL: none. */
static const struct snap_node *own_node(const struct start *start, uint32_t node)
{
    const struct scenario *sc = start->simulation->scenario;
    const struct fleet *fleet = &start->simulation->fleet;
    if (node < sc->node_count && sc->nodes[node].added)
        return sc->nodes[node].own;
    uint32_t number = name_set_find(&start->snapshot->node_names, fleet->nodes[node].name);
    return number == NAME_NONE ? NULL : &start->snapshot->nodes[start->snapshot->node_of_name[number]];
}

static void find_nodes(struct start *start)
{
    const struct snapshot *s = start->snapshot;
    const struct fleet *fleet = &start->simulation->fleet;
    start->node_of = mem_alloc(s->node_count + 1, sizeof *start->node_of);
    for (size_t i = 0; i < s->node_count; i++)
        start->node_of[i] = POLICY_NO_ID;
    for (uint32_t i = 0; i < fleet->node_count; i++) {
        uint32_t number = name_set_find(&s->node_names, fleet->nodes[i].name);
        if (number == NAME_NONE)
            continue;
        size_t index = s->node_of_name[number];
        start->node_of[index] = i;
        start->states[i] = s->nodes[index].state;
    }
}

/* Labels that tasks ask for; levels of the fabric have their own numbers beside these. */
static void label_nodes(struct start *start)
{
    struct fleet *fleet = &start->simulation->fleet;
    const struct snap_names *names = &start->names;
    start->labels = mem_alloc(fleet->node_count * names->label_keys.count + 1, sizeof *start->labels);
    struct fleet_label *at = start->labels;
    for (uint32_t i = 0; i < fleet->node_count; i++) {
        const struct snap_node *own = own_node(start, i);
        fleet->nodes[i].labels = at;
        for (size_t k = 0; own != NULL && k < own->label_count; k++) {
            uint32_t key = name_set_find(&names->labels, own->labels[k].key);
            uint32_t value = name_set_find(&names->labels, own->labels[k].value);
            if (name_set_find(&names->label_keys, own->labels[k].key) == NAME_NONE || value == NAME_NONE)
                continue;
            *at++ = (struct fleet_label){FLEET_LEVELS + key, FLEET_LEVELS + value};
            fleet->nodes[i].label_count++;
        }
    }
}

/* ---- topology ---- */

/* Levels of the snapshot become those of the fleet, by name. */
static bool translate(const struct start *start, struct policy_constraint *c, const char *id, struct err *err)
{
    const struct snapshot *s = start->snapshot;
    const struct fleet *fleet = &start->simulation->fleet;
    if (c->topology <= 0)
        return true;
    const struct snap_topology *topology = &s->topologies[c->topology - 1];
    for (uint32_t i = 0; i < topology->level_count; i++)
        if (fleet_find_level(fleet, topology->levels[i]) == fleet->level_count)
            return err_set(
                err, EXIT_INPUT,
                "%s: job '%s' refers to the topology '%s', whose level '%s' the fleet does not have (a "
                "simulation knows one topology)",
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
    return node == POLICY_NO_ID || start->states[node] == POLICY_NODE_DOWN;
}

/* Whether what runs of the job stops, because what it had on lost nodes was more than it can do without. */
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

static void add_task(struct start *start, size_t count, const struct sim_found_task *task)
{
    start->tasks = mem_grow(start->tasks, &start->task_capacity, count + 1, sizeof *start->tasks);
    start->tasks[count] = *task;
}

/* Those that do not simply wait. */
static size_t list_tasks(struct start *start, const struct snap_job *job, bool displaced)
{
    size_t count = 0;
    uint32_t number = 0;
    for (uint32_t t = 0; t < job->task_count; t++) {
        const struct snap_task *from = &job->tasks[t];
        struct sim_found_task task = {.number = number, .release_ms = WORK_NEVER};
        if (job->stray != SNAP_IN_QUEUE && !snap_holds(from))
            continue;
        number++;
        bool gone = snap_holds(from) && (is_lost(start, from) || (displaced && from->state == SNAP_RUNNING));
        if (from->state == SNAP_PENDING || gone)
            continue;
        task.state = from->state == SNAP_RUNNING     ? SIM_FOUND_RUNS
                     : from->state == SNAP_RELEASING ? SIM_FOUND_RELEASING
                     : from->state == SNAP_GATED     ? SIM_FOUND_GATED
                                                     : SIM_FOUND_OVER;
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

/* All its tasks alike: so many devices, or shares of them; else the sum of what they want. */
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
    return runs && since != POLICY_NEVER && since < start->snapshot->now_ms ? start->snapshot->now_ms - since
                                                                            : 0;
}

static uint32_t symbol(struct symbols *names, const char *name)
{
    return symbols_add(names, name, strlen(name));
}

static bool describe(struct start *start, const struct snap_job *job, int64_t done, struct err *err)
{
    const struct snapshot *s = start->snapshot;
    const struct trace_names *names = &start->simulation->names;
    const struct snap_life *life = &job->life;
    struct trace_job *about = &start->about;
    trace_job_init(about);
    about->id = job->id;
    about->row = life->row >= 0 ? (uint64_t)life->row
                                : (uint64_t)NO_ROW | (start_times_key(job->id) & (uint64_t)(NO_ROW - 1));
    about->queue = symbol(names->queues, job->stray == SNAP_IN_QUEUE ? job->queue_name : SNAPSHOT_NO_QUEUE);
    about->user = symbol(names->users, life->user);
    about->model = *life->model != '\0' ? symbol(names->models, life->model) : SYMBOL_NONE;
    about->class = class_of(job);
    about->status = (enum trace_status)life->status;
    about->priority = job->priority;
    about->preemptible = job->preemptible;
    about->submit_ms = job->submit_ms < s->now_ms ? job->submit_ms : s->now_ms;
    about->eligible_ms = job->eligible_ms > about->submit_ms ? job->eligible_ms : about->submit_ms;
    about->limit_ms = job->limit_ms;
    about->estimate_ms = life->estimate_ms;
    about->checkpoint_ms = life->checkpoint_ms;
    about->checkpoint_write_ms = life->checkpoint_write_ms;
    about->restart_ms = life->restart_ms;
    about->sm_util_ppm = life->sm_util_ppm;
    about->active_ppm = life->active_ppm;
    set_shape(start, job);
    int64_t milli = trace_job_gpu_milli(about);
    return start_times_total(start->times, job, start->simulation->seed,
                             work_class(about, fleet_most_gpus(&start->simulation->fleet)), milli, done,
                             &about->duration_ms, err);
}

/* ---- one job after the other ---- */

static bool matters(const struct snap_job *job)
{
    for (uint32_t t = 0; t < job->task_count; t++)
        if (snap_holds(&job->tasks[t]) || (job->stray == SNAP_IN_QUEUE && !snap_over(&job->tasks[t])))
            return true;
    return false;
}

static void note_displaced(struct start *start, const struct snap_job *job)
{
    const struct trace_job *about = &start->about;
    start->displaced = mem_grow(start->displaced, &start->displaced_capacity, start->displaced_count + 1,
                                sizeof *start->displaced);
    start->displaced[start->displaced_count++] =
        (struct start_displaced){.id = job->id,
                                 .queue = job->queue_name,
                                 .class = work_class(about, fleet_most_gpus(&start->simulation->fleet)),
                                 .gpu_milli = trace_job_gpu_milli(about)};
}

/* More than one kind of things, near each other or on certain nodes, cannot be said of a job of a trace. */
static bool is_richer(const struct snap_job *job, const struct policy_job_spec *spec)
{
    bool richer = spec->group_count > 0 || spec->interactive_limit_ms != 0 || job->role_count > 1;
    for (uint32_t i = 0; i < spec->role_count; i++)
        richer |= spec->roles[i].request.term_count > 0 || spec->roles[i].topology.topology != 0;
    return richer;
}

static bool take(struct start *start, const struct snap_job *job, struct sim_found_job *found,
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
    *found = (struct sim_found_job){
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
        .stopping = life->ending,
        .richer = is_richer(job, &start->draft.spec),
    };
    if (life->queue_ms >= 0)
        found->queue_ms = life->queue_ms;
    else if (last != WORK_NEVER && last > start->about.eligible_ms)
        found->queue_ms = last - start->about.eligible_ms;
    found->task_count = list_tasks(start, job, displaced);
    found->tasks = start->tasks;
    return true;
}

static bool next_job(void *self, struct sim *sim, struct sim_found_job *found, bool *more, struct err *err)
{
    (void)sim;
    struct start *start = self;
    const struct snapshot *s = start->snapshot;
    while (start->at < s->job_count && !matters(&s->jobs[start->order[start->at]]))
        start->at++;
    *more = start->at < s->job_count;
    if (!*more)
        return true;
    const struct snap_job *job = &s->jobs[start->order[start->at++]], *instead = start->simulation->instead;
    bool is_other = instead != NULL && strcmp(job->id, instead->id) == 0;
    return take(start, is_other ? instead : job, found, err);
}

/* ---- the rest ---- */

static bool set_states(struct start *start, struct sim *sim, struct err *err)
{
    for (uint32_t i = 0; i < sim->fleet->node_count; i++)
        if (start->states[i] != POLICY_NODE_UP &&
            !sim_set_aside(sim, i, start->states[i] == POLICY_NODE_DOWN, err))
            return false;
    return true;
}

static bool set_health(struct start *start, struct sim *sim, struct err *err)
{
    const struct snapshot *s = start->snapshot;
    for (size_t i = 0; s != NULL && i < s->node_count; i++)
        for (uint64_t rest = s->nodes[i].unusable; rest != 0; rest &= rest - 1) {
            policy_node node = {start->node_of[i]};
            if (node.i != POLICY_NO_ID &&
                policy_set_device_health(sim->policy, sim->now_ms, node, (uint32_t)__builtin_ctzll(rest),
                                         false) != POLICY_OK)
                return err_set(err, EXIT_INPUT, "node '%s': %s", s->nodes[i].name,
                               policy_last_error(sim->policy)->message);
        }
    return true;
}

static bool set_usage(struct start *start, struct sim *sim, struct err *err)
{
    const struct snapshot *s = start->snapshot;
    for (size_t i = 0; s != NULL && i < sim->queue_count; i++) {
        uint32_t number = name_set_find(&s->queue_names, sim->queues[i].name);
        const struct policy_amounts *usage =
            number == NAME_NONE ? NULL : &s->queues[s->queue_of_name[number]].usage_ppm;
        if (usage != NULL && (usage->gpu != 0 || usage->cpu != 0 || usage->mem != 0) &&
            policy_set_usage(sim->policy, sim->now_ms, sim->queues[i].core, usage) != POLICY_OK)
            return err_set(err, EXIT_INPUT, "queue '%s': %s", sim->queues[i].name,
                           policy_last_error(sim->policy)->message);
    }
    return true;
}

static bool tell_rest(void *self, struct sim *sim, struct err *err)
{
    struct start *start = self;
    return set_states(start, sim, err) && set_health(start, sim, err) && set_usage(start, sim, err);
}

/* ---- all of it ---- */

static void order_jobs(struct start *start)
{
    const struct snapshot *s = start->snapshot;
    start->order = mem_alloc(s->job_count + 1, sizeof *start->order);
    for (size_t i = 0; i < s->job_count; i++)
        start->order[s->jobs[i].rank] = i;
}

static bool open_snapshot(struct start *start, struct err *err)
{
    struct simulation *sim = start->simulation;
    if (!snap_names_init(&start->names, start->snapshot, err) || !number_types(start, err) ||
        !number_profiles(start, err))
        return false;
    start->numbers = (struct snap_numbers){.names = &start->names,
                                           .type_ids = start->type_ids,
                                           .profile_ids = start->profile_ids,
                                           .first_label = FLEET_LEVELS};
    find_nodes(start);
    label_nodes(start);
    order_jobs(start);
    return start_times_open(&start->times, sim->scenario, &sim->names, err);
}

bool start_open(struct simulation *s, struct sim_found *found, struct err *err)
{
    const struct scenario *sc = s->scenario;
    if (sc->start.snapshot == NULL && sc->set_aside_count == 0)
        return true;
    struct start *start = s->start = mem_alloc(1, sizeof *start);
    start->simulation = s;
    start->snapshot = sc->start.snapshot;
    start->states = mem_alloc(s->fleet.node_count + 1, sizeof *start->states);
    *found = (struct sim_found){.self = start, .rest = tell_rest};
    if (start->snapshot != NULL) {
        found->now_ms = start->snapshot->now_ms;
        found->from_now = sc->start.from_now;
        found->next = next_job;
        if (!open_snapshot(start, err))
            return false;
    }
    return start_set_aside(sc, &s->fleet, start->states, err);
}

void start_close(struct start *start)
{
    if (start == NULL)
        return;
    if (start->snapshot != NULL)
        snap_names_fini(&start->names);
    snap_draft_fini(&start->draft);
    start_times_close(start->times);
    free(start->states);
    free(start->node_of);
    free(start->order);
    free(start->type_ids);
    free(start->profile_ids);
    free(start->labels);
    free(start->tasks);
    free(start->displaced);
    free(start);
}
