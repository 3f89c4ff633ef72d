/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the speed of a job is worked out, and from what; see speed.h. */
#include "sim/speed_internal.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

bool sim_speed_open(struct sim *sim, struct err *err)
{
    const struct sim_network *network = &sim->config.network;
    bool memory = sim->config.gpu_memory.mode > MEMORY_STATIC;
    if (network->mode == SIM_NETWORK_OFF && sim->config.faults.self == NULL && !memory)
        return true;
    if (network->mode != SIM_NETWORK_OFF && sim->counts)
        return err_set(err, EXIT_INPUT,
                       "network: speed goes by where jobs run, and with placement 'count' nobody knows");
    sim->config.checkpoints.speeds = true;
    struct sim_speed *speed = sim->speed = mem_alloc(1, sizeof *speed);
    speed->free_tenant = WORK_NONE;
    if (network->mode == SIM_NETWORK_OFF)
        return true;
    perf_rules_init(&speed->rules);
    speed->kinds = mem_alloc(network->kind_count, sizeof *speed->kinds);
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
    fabric_share_destroy(speed->share);
    fabric_finder_fini(&speed->finder);
    free(speed->paces);
    free(speed->models);
    free(speed->kinds);
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

/* The model of a name of the trace; NULL with err set when there is none of that name. */
static const struct perf_model *named(struct sim *sim, uint32_t name, struct err *err)
{
    struct sim_speed *speed = sim->speed;
    const struct sim_network *network = &sim->config.network;
    if (name >= speed->model_count)
        speed->models = mem_extend(speed->models, &speed->model_count,
                                   symbols_count(sim->config.names.models), sizeof *speed->models);
    if (speed->models[name] == NULL)
        speed->models[name] = network->find(network->self, symbols_name(sim->config.names.models, name), err);
    return speed->models[name];
}

bool sim_speed_admit(struct sim *sim, const struct work_job *job, uint32_t model, struct err *err)
{
    struct sim_speed *speed = sim->speed;
    if (job->core.i >= speed->pace_count)
        speed->paces = mem_extend(speed->paces, &speed->pace_count, sim->work.capacity, sizeof *speed->paces);
    struct pace *pace = &speed->paces[job->core.i];
    bool noted = pace->noted; /* a job that was in its place, and has ended */
    *pace = (struct pace){
        .gen = job->core.gen, .name = SYMBOL_NONE, .flow = WORK_NONE, .tenant = WORK_NONE, .noted = noted};
    if (sim->config.network.mode == SIM_NETWORK_OFF)
        return true;
    bool by_class =
        model == SYMBOL_NONE || strcmp(symbols_name(sim->config.names.models, model), "generic") == 0;
    pace->model = by_class ? sim->config.network.of_class[job->class] : named(sim, model, err);
    if (!by_class)
        pace->name = model;
    return by_class || pace->model != NULL;
}

/* ---- who is concerned ---- */

void speed_note(struct sim *sim, uint32_t job)
{
    struct sim_speed *speed = sim->speed;
    if (speed->paces[job].noted)
        return;
    speed->paces[job].noted = true;
    speed->noted =
        mem_grow(speed->noted, &speed->noted_capacity, speed->noted_count + 1, sizeof *speed->noted);
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
    return job->state == WORK_RUNNING && job->running >= job->min_tasks && !job->hung && !job->starved;
}

/* ---- uplinks ---- */

static int group_of(const struct perf_model *model, int gpus)
{
    int64_t group = (int64_t)model->tensor_parallel * model->pipeline_parallel;
    return group < gpus ? (int)group : gpus;
}

/* Share of its time in which a job that has all uplinks for itself sends something over them. */
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

/* Joins the others on the uplinks that it crosses. NICs of which nothing is known are not modelled. */
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

/* The uplinks' share of its nodes, of what its NICs could do: what virtual ones cannot use does not count. */
static double fixed_part(struct sim_speed *speed)
{
    double share = 1;
    for (size_t i = 0; i < speed->part_count; i++)
        share = fmin(share, speed->parts[i].nic_share);
    return fmin(1, 1 / fabric_ring_ratio(&speed->finder, speed->nodes, speed->piece_count) / share);
}

/* What the job has of the network, of what its NICs could do. */
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

/* What the place of a job makes of it. */
struct found {
    double speed; /* of its ideal one */
    double best_s;
    int gpus;
};

/*
 * What it has of its uplinks counts in each of the rings that a model with groups of devices has,
 * and in the trees between two nodes, as much as in a flat ring.
 */
static struct found find_place(struct sim *sim, const struct work_job *job, const struct pace *pace)
{
    struct sim_speed *speed = sim->speed;
    int gpus = pace->model != NULL ? speed_read_place(sim, job, pace) : 0;
    if (gpus == 0)
        return (struct found){.speed = 1};
    struct perf_place place = {.parts = speed->parts, .count = speed->part_count};
    struct perf_bandwidth alone = perf_bandwidth(&speed->rules, &place, group_of(pace->model, gpus));
    double uplink_gbps;
    if (alone.domains > 1 && !isinf(alone.net_gbps)) {
        double part = network_part(sim, pace);
        uplink_gbps = part * fmax(alone.gbps, alone.net_gbps);
        place.uplink_gbps = &uplink_gbps;
        place.uplinks = part < 1;
    }
    double best_s = speed_best(sim, job, pace->model, gpus);
    struct found found = {perf_speed(&speed->rules, pace->model, &place, best_s), best_s, gpus};
    if (job->request.profile > 0) {
        speed_on_instances(sim, job, pace->model);
        found.best_s = found.speed * perf_step(&speed->rules, pace->model, &place, NULL);
    }
    return found;
}

static bool set_speed(struct sim *sim, struct work_job *job, struct err *err)
{
    struct pace *pace = &sim->speed->paces[job->core.i];
    struct found found = find_place(sim, job, pace);
    int64_t ppm = found.speed < 1 ? llround(found.speed * (double)WORK_IDEAL) : WORK_IDEAL;
    ppm = ppm * sim_slow_ppm(sim, job) / WORK_IDEAL;
    ppm = ppm * sim_memory_ppm(sim, job) / WORK_IDEAL;
    int64_t scaling = found.gpus > 0 ? speed_scaling(sim, job, pace, found.gpus, found.best_s) : WORK_IDEAL;
    bool ok = sim_set_speed(sim, job, ppm > 0 ? (int32_t)ppm : 1, scaling, err);
    pace->gpus = found.gpus; /* until now it was another one */
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
            return err_set(err, EXIT_INVARIANT, "job '%s': %lld ppm of a linear speed-up", work_id(job),
                           (long long)job->scaling_ppm);
        if (job->speed_ppm < 1 || job->speed_ppm > WORK_IDEAL || p->saved > p->done || p->done > p->total)
            return err_set(err, EXIT_INVARIANT, "job '%s': speed %d ppm, %lld of %lld units done",
                           work_id(job), job->speed_ppm, (long long)p->done, (long long)p->total);
    }
    return speed_health_audit(sim, err) &&
           (sim->speed->share == NULL || fabric_share_check(sim->speed->share, err));
}
