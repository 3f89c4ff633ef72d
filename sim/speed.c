/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the speed of a job is computed, and from what; see speed.h. */
#include "sim/speed_internal.h"

#include "sim/base/mem.h"
#include "sim/gpu_memory.h"
#include "sim/speed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

/* Returns true if any device differs from the default recorded one. */
static bool devices_differ(const struct sim_network *network)
{
    const struct sim_node_kind *there = network->recorded_on;
    for (uint32_t i = 0; there != NULL && i < network->kind_count; i++) {
        const struct sim_node_kind *kind = &network->kinds[i];
        if (kind->gpus > 0 && !speed_same_device(kind, there))
            return true;
    }
    return false;
}

static bool open_speed(struct sim *sim, struct err *err)
{
    struct sim_network *network = &sim->config.network;
    sim->config.checkpoints.speeds = true;
    struct sim_speed *speed = sim->speed = mem_alloc(1, sizeof *speed);
    speed->free_tenant = WORK_NONE;
    return network->open_models == NULL || network->open_models(network->self, network, err);
}

bool sim_speed_open(struct sim *sim, struct err *err)
{
    const struct sim_network *network = &sim->config.network;
    bool memory = sim->config.gpu_memory.mode > MEMORY_STATIC;
    if (network->mode == SIM_NETWORK_OFF)
        return (sim->config.faults.self == NULL && !memory && !devices_differ(network)) ||
               open_speed(sim, err);
    if (sim->counts)
        return err_set(
            err, EXIT_INPUT,
            "network: speed depends on where jobs run, which placement 'count' does not say");
    if (!open_speed(sim, err))
        return false;
    struct sim_speed *speed = sim->speed;
    perf_rules_init(&speed->rules);
    speed->first_on = mem_alloc(sim->fleet->node_count, sizeof *speed->first_on);
    speed->piece_on = mem_alloc(sim->fleet->node_count, sizeof *speed->piece_on);
    for (size_t i = 0; i < sim->fleet->node_count; i++)
        speed->first_on[i] = WORK_NONE;
    fabric_finder_init(&speed->finder, network->tree);
    if (network->mode == SIM_NETWORK_CONTENTION)
        speed->share = fabric_share_create(network->tree, FABRIC_DUTY);
    return true;
}

void sim_speed_close(struct sim *sim)
{
    struct sim_speed *speed = sim->speed;
    if (speed == NULL)
        return;
    speed_best_free(speed);
    speed_device_free(speed);
    fabric_share_destroy(speed->share);
    fabric_finder_fini(&speed->finder);
    free(speed->paces);
    free(speed->models);
    free(speed->noted);
    free(speed->tenants);
    free(speed->beside);
    free(speed->first_on);
    free(speed->piece_on);
    free(speed->job_of_flow);
    free(speed->nic_ppm);
    free(speed->pieces);
    free(speed->parts);
    free(speed->nodes);
    free(speed);
    sim->speed = NULL;
}

/* ---- models ---- */

/* Marks a name that was looked up and is unknown. */
static const struct perf_model nobody_knows;

/* The model of that name in the trace. Returns NULL with err set if there is none. */
static const struct perf_model *named(struct sim *sim, uint32_t name, struct err *err)
{
    struct sim_speed *speed = sim->speed;
    const struct sim_network *network = &sim->config.network;
    if (name >= speed->model_count)
        speed->models = mem_extend(speed->models, &speed->model_count,
                                   symbols_count(sim->config.names.models), sizeof *speed->models);
    const struct perf_model **model = &speed->models[name];
    if (*model == NULL)
        *model = network->find(network->self, symbols_name(sim->config.names.models, name), err);
    if (*model == NULL)
        *model = &nobody_knows;
    return *model == &nobody_knows ? NULL : *model;
}

/* Where only devices matter a job may name any model: an unknown one is as fast as others of the
 * job's class. */
static bool find_model(struct sim *sim, const struct work_job *job, uint32_t model,
                       struct pace *pace, struct err *err)
{
    const struct sim_network *network = &sim->config.network;
    bool off = network->mode == SIM_NETWORK_OFF;
    bool by_class = model == SYMBOL_NONE ||
                    strcmp(symbols_name(sim->config.names.models, model), "generic") == 0;
    struct err unknown = {0};
    if (!by_class)
        pace->model = named(sim, model, off ? &unknown : err);
    if (pace->model != NULL)
        pace->name = model;
    else if (by_class || off)
        pace->model = network->of_class[job->class];
    return by_class || off || pace->model != NULL;
}

/* ---- where jobs were recorded ---- */

/* Jobs that do not say are assigned the run's default, which may be none. */
static bool recorded_on(struct sim *sim, uint32_t name, const struct sim_node_kind **kind,
                        struct err *err)
{
    const struct sim_network *network = &sim->config.network;
    *kind = network->recorded_on;
    if (name == SYMBOL_NONE || network->find_node == NULL)
        return true;
    *kind = network->find_node(network->self, symbols_name(sim->config.names.nodes, name), err);
    return *kind != NULL;
}

/* Existing jobs were recorded on the fleet's only kind of node, or nothing had to be computed for
 * them. */
static void begin_late(struct sim *sim)
{
    struct sim_speed *speed = sim->speed;
    speed->paces =
        mem_extend(speed->paces, &speed->pace_count, sim->work.capacity, sizeof *speed->paces);
    for (size_t i = 0; i < speed->pace_count; i++)
        speed->paces[i] = (struct pace){
            .gen = UINT32_MAX, .name = SYMBOL_NONE, .flow = WORK_NONE, .tenant = WORK_NONE};
}

bool sim_speed_expect(struct sim *sim, const struct trace_job *from, struct err *err)
{
    const struct sim_node_kind *there;
    if (sim->speed != NULL || from->recorded_on == SYMBOL_NONE || sim->filling)
        return true;
    if (!recorded_on(sim, from->recorded_on, &there, err))
        return false;
    const struct sim_network *network = &sim->config.network;
    bool differ = false;
    for (uint32_t i = 0; i < network->kind_count; i++)
        differ |= network->kinds[i].gpus > 0 && !speed_same_device(&network->kinds[i], there);
    if (!differ)
        return true;
    bool ok = open_speed(sim, err);
    begin_late(sim);
    return ok;
}

bool sim_speed_admit(struct sim *sim, const struct work_job *job, const struct trace_job *from,
                     struct err *err)
{
    struct sim_speed *speed = sim->speed;
    const struct sim_node_kind *there;
    if (job->core.i >= speed->pace_count)
        speed->paces =
            mem_extend(speed->paces, &speed->pace_count, sim->work.capacity, sizeof *speed->paces);
    struct pace *pace = &speed->paces[job->core.i];
    bool noted = pace->noted; /* left by an ended job in the same slot */
    *pace = (struct pace){.gen = job->core.gen,
                          .name = SYMBOL_NONE,
                          .flow = WORK_NONE,
                          .tenant = WORK_NONE,
                          .noted = noted};
    if (!recorded_on(sim, from->recorded_on, &there, err))
        return false;
    if (sim->config.network.mode == SIM_NETWORK_OFF && there == NULL)
        return true;
    if (!find_model(sim, job, from->model, pace, err))
        return false;
    if (pace->model == NULL)
        return true;
    pace->yard = speed_yardstick(sim, pace->model, there);
    return !sim->counts || speed_counted(sim, job, pace, err);
}

void sim_speed_initial(struct sim *sim, const struct work_job *job)
{
    struct pace *pace = &sim->speed->paces[job->core.i];
    const struct sim_network *network = &sim->config.network;
    const struct sim_node_kind *kind = NULL;
    double slowest = (double)INFINITY;
    if (pace->yard == NULL || network->kinds == NULL)
        return;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        const struct work_task *task = &sim->work.tasks[id];
        uint32_t here = task->node != WORK_NONE ? network->kind_of[task->node] : WORK_NONE;
        if (task->release_ms != WORK_NEVER || here == WORK_NONE ||
            pace->yard->device[here] >= slowest)
            continue;
        slowest = pace->yard->device[here];
        kind = &network->kinds[here];
    }
    if (kind != NULL)
        pace->yard = speed_yardstick(sim, pace->model, kind);
}

/* ---- affected jobs ---- */

void speed_note(struct sim *sim, uint32_t job)
{
    struct sim_speed *speed = sim->speed;
    if (speed->paces[job].noted)
        return;
    speed->paces[job].noted = true;
    speed->noted = mem_grow(speed->noted, &speed->noted_capacity, speed->noted_count + 1,
                            sizeof *speed->noted);
    speed->noted[speed->noted_count++] = job;
}

void sim_speed_note(struct sim *sim, const struct work_job *job)
{
    if (sim->speed == NULL || sim->filling)
        return;
    speed_note(sim, job->core.i);
    sim->speed->paces[job->core.i].moved = true;
}

static void leave_uplinks(struct sim_speed *speed, struct pace *pace)
{
    if (pace->flow == WORK_NONE)
        return;
    fabric_share_leave(speed->share, pace->flow);
    pace->flow = WORK_NONE;
    speed->left = true;
}

void sim_speed_leave(struct sim *sim, const struct work_job *job)
{
    struct pace *pace = &sim->speed->paces[job->core.i];
    speed_drop_tenants(sim, pace);
    leave_uplinks(sim->speed, pace);
}

static bool works(const struct work_job *job)
{
    return job->state == WORK_RUNNING && work_is_whole(job) && !job->hung && !job->starved;
}

/* ---- uplinks ---- */

static int group_of(const struct perf_model *model, int gpus)
{
    int64_t group = (int64_t)model->tensor_parallel * model->pipeline_parallel;
    return group < gpus ? (int)group : gpus;
}

/* Share of its time in which a job without contention sends over its uplinks. */
static int32_t duty_of(const struct sim_speed *speed, const struct perf_model *model,
                       const struct perf_place *place)
{
    struct perf_step step;
    struct perf_model open = *model;
    open.overlap = 0;
    (void)perf_step(&speed->rules, &open, place, &step);
    double talks_s = step.reduce_s + step.pipeline_s;
    for (size_t i = 0; i < place->count; i++)
        if (place->parts[i].gpus % model->tensor_parallel != 0) {
            talks_s += step.tensor_s;
            break;
        }
    double seconds = perf_step(&speed->rules, model, place, NULL);
    double duty = seconds > 0 ? talks_s / seconds : 0;
    return duty < 1 ? (int32_t)llround(duty * FABRIC_PPM) : FABRIC_PPM;
}

/* Adds the job's flow to the uplinks that it crosses. Unknown NICs are not modelled. */
static void join_uplinks(struct sim *sim, const struct work_job *job, struct pace *pace)
{
    struct sim_speed *speed = sim->speed;
    if (!works(job) || pace->model == NULL || speed_read_place(sim, job, pace) == 0)
        return;
    const struct perf_place place = {.parts = speed->parts, .count = speed->part_count};
    struct perf_bandwidth alone = perf_bandwidth(&speed->rules, &place, 1);
    if (alone.domains < 2 || isinf(alone.net_gbps))
        return;
    const struct fabric_use use = {.nodes = speed->nodes,
                                   .node_count = speed->piece_count,
                                   .most_gbps = alone.net_gbps * speed_nics(speed),
                                   .duty_ppm = duty_of(speed, pace->model, &place),
                                   .traffic = FABRIC_RING};
    pace->most_gbps = alone.net_gbps;
    pace->flow = fabric_share_join(speed->share, &use);
    speed->job_of_flow = mem_grow(speed->job_of_flow, &speed->flow_capacity, (size_t)pace->flow + 1,
                                  sizeof *speed->job_of_flow);
    speed->job_of_flow[pace->flow] = job->core.i;
}

static void settle_uplinks(struct sim *sim)
{
    struct sim_speed *speed = sim->speed;
    for (size_t i = 0; i < speed->noted_count; i++) {
        struct pace *pace = &speed->paces[speed->noted[i]];
        leave_uplinks(speed, pace);
        join_uplinks(sim, &sim->work.jobs[speed->noted[i]], pace);
    }
    size_t count;
    const uint32_t *changed = fabric_share_settle(speed->share, &count);
    for (size_t i = 0; i < count; i++)
        speed_note(sim, speed->job_of_flow[changed[i]]);
    speed->left = false;
}

/* The uplinks' share of its nodes, relative to its NICs, without what virtual NICs cannot use. */
static double fixed_part(struct sim_speed *speed)
{
    double share = 1;
    for (size_t i = 0; i < speed->part_count; i++)
        share = fmin(share, speed->parts[i].nic_share);
    return fmin(1, 1 / fabric_ring_ratio(&speed->finder, speed->nodes, speed->piece_count) / share);
}

/* The job's bandwidth relative to its NICs. */
static double network_part(struct sim *sim, const struct pace *pace)
{
    struct sim_speed *speed = sim->speed;
    double nics = speed_nics(speed);
    if (speed->share == NULL)
        return fmin(nics, fixed_part(speed));
    if (pace->flow == WORK_NONE)
        return nics;
    double has_gbps = pace->most_gbps * nics;
    for (int tier = 0; tier < sim->config.network.tree->tier_count; tier++)
        has_gbps = fmin(has_gbps, fabric_share_gbps(speed->share, pace->flow, tier));
    double part = has_gbps / pace->most_gbps;
    return part < 1 - 1e-6 ? part : 1; /* shares are whole kB/s */
}

/* ---- speed ---- */

/* The effect of its placement on a job. */
struct found {
    double hardware, efficiency; /* its speed is their product */
    double best_s;               /* where it was recorded */
    int gpus;
};

/* Accounts for uplinks and neighbours on the devices of `place`, the placement read last. */
static double step_here(struct sim *sim, const struct pace *pace,
                        const struct perf_bandwidth *alone, struct perf_place *place)
{
    struct sim_speed *speed = sim->speed;
    double uplink_gbps;
    if (alone->domains > 1 && !isinf(alone->net_gbps)) {
        double part = network_part(sim, pace);
        uplink_gbps = part * fmax(alone->gbps, alone->net_gbps);
        place->uplink_gbps = &uplink_gbps;
        place->uplinks = part < 1;
    }
    double seconds = perf_step(&speed->rules, pace->model, place, NULL);
    place->uplink_gbps = NULL;
    place->uplinks = 0;
    return seconds;
}

static double over(double a, double b)
{
    return b > 0 && !isinf(a) ? a / b : 1;
}

/*
 * The share of its uplinks applies to each ring of a model with groups of devices, and to trees
 * between two nodes, as to a flat ring.
 */
static struct found find_place(struct sim *sim, const struct work_job *job, const struct pace *pace)
{
    struct sim_speed *speed = sim->speed;
    int gpus = pace->model != NULL ? speed_read_place(sim, job, pace) : 0;
    if (gpus == 0)
        return (struct found){.hardware = 1, .efficiency = 1};
    struct perf_place place = {.parts = speed->parts, .count = speed->part_count};
    struct perf_bandwidth alone =
        perf_bandwidth(&speed->rules, &place, group_of(pace->model, gpus));
    double here_s = step_here(sim, pace, &alone, &place);
    double best_here_s = speed_best_here(sim, job, pace, gpus);
    double best_s = speed_best_there(sim, job, pace, gpus);
    struct found found = {over(best_s, best_here_s), fmin(1, over(best_here_s, here_s)), best_s,
                          gpus};
    if (job->request.profile > 0) {
        speed_on_instances(sim, job, pace->model);
        double instance_s = step_here(sim, pace, &alone, &place);
        found.best_s = found.hardware * found.efficiency * instance_s;
    }
    return found;
}

/* The slowest device determines the speed; faster devices of the job gain nothing. */
static struct found find_devices(const struct sim *sim, const struct work_job *job,
                                 const struct pace *pace)
{
    double fastest, slowest;
    if (pace->yard == NULL)
        return (struct found){.hardware = 1, .efficiency = 1};
    if (sim->counts)
        return (struct found){.hardware = pace->counted, .efficiency = 1};
    if (!speed_devices(sim, job, pace, &fastest, &slowest))
        return (struct found){.hardware = 1, .efficiency = 1};
    return (struct found){.hardware = fastest, .efficiency = slowest / fastest};
}

static int32_t bounded_ppm(double speed)
{
    double ppm = speed * (double)WORK_IDEAL;
    return ppm < 1 ? 1 : ppm < (double)SPEED_MOST ? (int32_t)llround(ppm) : (int32_t)SPEED_MOST;
}

static bool set_speed(struct sim *sim, struct work_job *job, struct err *err)
{
    struct pace *pace = &sim->speed->paces[job->core.i];
    bool off = sim->config.network.mode == SIM_NETWORK_OFF;
    struct found found = off ? find_devices(sim, job, pace) : find_place(sim, job, pace);
    int32_t hardware = bounded_ppm(found.hardware);
    int64_t ppm = found.efficiency < 1 ? bounded_ppm(found.hardware * found.efficiency) : hardware;
    ppm = ppm * sim_slow_ppm(sim, job) / WORK_IDEAL;
    ppm = ppm * sim_memory_ppm(sim, job) / WORK_IDEAL;
    int64_t scaling =
        found.gpus > 0 ? speed_scaling(sim, job, pace, found.gpus, found.best_s) : WORK_IDEAL;
    if (hardware != job->hardware_ppm)
        sim_account(sim, job);
    job->hardware_ppm = hardware;
    bool ok = sim_set_speed(sim, job, ppm > 0 ? (int32_t)ppm : 1, scaling, err);
    pace->gpus = found.gpus; /* it was another one until now */
    pace->best_s = found.best_s;
    return ok;
}

bool sim_speed_settle(struct sim *sim, struct err *err)
{
    struct sim_speed *speed = sim->speed;
    for (size_t i = 0; i < speed->noted_count; i++) {
        struct pace *pace = &speed->paces[speed->noted[i]];
        const struct work_job *job = &sim->work.jobs[speed->noted[i]];
        if (!pace->moved)
            continue;
        pace->moved = false;
        speed_drop_tenants(sim, pace);
        if (works(job) && sim->config.network.mode != SIM_NETWORK_OFF)
            speed_add_tenants(sim, job, pace);
    }
    if (speed->share != NULL && (speed->noted_count > 0 || speed->left))
        settle_uplinks(sim);
    bool ok = true;
    for (size_t i = 0; i < speed->noted_count; i++) {
        struct work_job *job = &sim->work.jobs[speed->noted[i]];
        speed->paces[speed->noted[i]].noted = false;
        if (ok && works(job))
            ok = set_speed(sim, job, err);
    }
    speed->noted_count = 0;
    return ok;
}

double sim_uplink_use(const struct sim *sim, uint32_t uplink)
{
    double gbps = sim->speed != NULL && sim->speed->share != NULL
                      ? fabric_gbps(sim->config.network.tree, uplink)
                      : (double)INFINITY;
    return isinf(gbps) ? (double)NAN : fabric_share_use(sim->speed->share, uplink) / gbps;
}

/* ---- audit ---- */

/* Speeds are within bounds, and shares of uplinks add up. */
bool sim_speed_audit(const struct sim *sim, struct err *err)
{
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        const struct work_progress *p = &job->progress;
        if (job->state != WORK_RUNNING)
            continue;
        if (job->scaling_ppm < 1 || job->scaling_ppm > SPEED_SCALING_MOST ||
            (!job->elastic && job->scaling_ppm != WORK_IDEAL))
            return err_set(err, EXIT_INVARIANT, "job '%s': %lld ppm of a linear speed-up",
                           work_id(job), (long long)job->scaling_ppm);
        if (job->speed_ppm < 1 || job->speed_ppm > job->hardware_ppm ||
            job->hardware_ppm > SPEED_MOST || p->saved > p->done || p->done > p->total)
            return err_set(err, EXIT_INVARIANT,
                           "job '%s': speed %d ppm where %d are possible, %lld of %lld units done",
                           work_id(job), job->speed_ppm, job->hardware_ppm, (long long)p->done,
                           (long long)p->total);
    }
    return speed_health_audit(sim, err) &&
           (sim->speed->share == NULL || fabric_share_check(sim->speed->share, err));
}
