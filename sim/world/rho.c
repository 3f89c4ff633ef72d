/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues alone on their slices; see rho.h. */
#include "sim/world/rho.h"

#include "report/measure/slices.h"
#include "sim/base/mem.h"
#include "sim/world/workload.h"
#include "traces/nodes.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TIMES 100 /* the length of the shared run, which a queue may take alone */

/* ---- the fleet of a slice ---- */

/* A scenario of its own as far as it differs; the rest is the shared one's. */
struct slice {
    struct scenario scenario;
    struct scen_pool *pools;
    struct scen_listed_node *nodes;
    struct scen_queue *queues;
    struct scen_service *services;
    struct trace_outage *outages;
    uint32_t *spares;
    bool *new_pools;
    char **names; /* of pools of one smaller node */
    size_t name_count;
    int64_t *whole; /* nodes of each pool of the fleet that are used unchanged */
    int64_t milli;  /* devices in all */
};

/* Devices of each pool: its part of the slice, rounded so that the sum is right. */
static int64_t *devices_of(const struct sim *sim, uint32_t site, int64_t milli)
{
    const struct fleet *fleet = sim->fleet;
    int64_t *devices = mem_alloc(fleet->pool_count + 1, sizeof *devices), given = 0;
    double before = 0;
    for (uint32_t p = 0; p < fleet->pool_count; p++) {
        const struct fleet_pool *pool = &fleet->pools[p];
        if (sim->site_of_pool[p] != site)
            continue;
        for (uint32_t i = 0; i < pool->node_count; i++)
            before += (double)fleet->nodes[pool->first_node + i].gpus * FLEET_WHOLE;
        double share = before / (double)sim->sites[site].milli * (double)milli / FLEET_WHOLE;
        devices[p] = (int64_t)(share + 1e-6) - given;
        given += devices[p];
    }
    return devices;
}

/* A node whose devices may be divided among queues. */
static bool divisible(const struct scen_node *node, bool whole_only)
{
    return !whole_only && node->mig == SCEN_MIG_OFF;
}

static void take_pools(struct slice *s, const struct scenario *sc, const int64_t *devices)
{
    size_t count = 0;
    s->pools = mem_alloc(2 * sc->pool_count + 1, sizeof *s->pools);
    s->names = mem_alloc(sc->pool_count + 1, sizeof *s->names);
    s->spares = mem_alloc(2 * sc->pool_count + 1, sizeof *s->spares);
    s->new_pools = mem_alloc(2 * sc->pool_count + 1, sizeof *s->new_pools);
    for (size_t p = 0; p < sc->pool_count; p++) {
        const struct scen_pool *from = &sc->pools[p];
        int64_t whole = from->node.gpus > 0 ? devices[p] / from->node.gpus : 0;
        int64_t rest = devices[p] - whole * from->node.gpus;
        s->whole[p] = whole;
        s->milli += whole * from->node.gpus * FLEET_WHOLE;
        bool is_new = sc->faults.new_pools != NULL && sc->faults.new_pools[p];
        if (whole > 0) {
            s->new_pools[count] = is_new;
            int64_t spares =
                sc->faults.spares != NULL ? sc->faults.spares[p] * whole / from->count : 0;
            s->spares[count] = (uint32_t)(spares < whole ? spares : whole - 1);
            s->pools[count] = *from;
            s->pools[count++].count = whole;
        }
        if (rest == 0 || !divisible(&from->node, from->whole_only))
            continue;
        s->milli += rest * FLEET_WHOLE;
        s->new_pools[count] = is_new;
        s->pools[count] = *from;
        s->pools[count].name = s->names[s->name_count++] = mem_format("%s-rest", from->name);
        s->pools[count].node.gpus = (int)rest;
        s->pools[count++].count = 1;
    }
    s->scenario.pools = s->pools;
    s->scenario.pool_count = count;
    if (sc->faults.spares != NULL)
        s->scenario.faults.spares = s->spares;
    if (sc->faults.new_pools != NULL)
        s->scenario.faults.new_pools = s->new_pools;
}

/* Devices of one type in a pool of a list: on the nodes seen so far, and of them in the slice. */
struct kind {
    const char *gpu_type;
    int64_t seen, given;
};

static struct kind *kind_of(struct kind *kinds, size_t *count, const char *gpu_type)
{
    size_t i = 0;
    while (i < *count && strcmp(kinds[i].gpu_type, gpu_type) != 0)
        i++;
    if (i == *count)
        kinds[(*count)++] = (struct kind){.gpu_type = gpu_type};
    return &kinds[i];
}

static void take_node(struct slice *s, const struct scen_listed_node *from, int64_t gpus)
{
    struct scen_listed_node *to = &s->nodes[s->scenario.node_count++];
    *to = *from;
    to->node.gpus = (int)gpus;
    s->milli += gpus * FLEET_WHOLE;
}

/* Whole nodes in their order, of each type of GPU its part; then the rest, wherever it can be had.
 */
static void take_from_pool(struct slice *s, const struct scen_listed_node *nodes, size_t count,
                           int64_t devices)
{
    struct kind *kinds = mem_alloc(count + 1, sizeof *kinds);
    bool *taken = mem_alloc(count + 1, sizeof *taken);
    size_t kind_count = 0;
    int64_t all = 0, left = devices;
    for (size_t i = 0; i < count; i++)
        all += nodes[i].node.gpus;
    for (size_t i = 0; i < count && all > 0; i++) {
        struct kind *kind = kind_of(kinds, &kind_count, nodes[i].node.gpu_type);
        kind->seen += nodes[i].node.gpus;
        taken[i] = nodes[i].node.gpus > 0 &&
                   kind->seen * devices / all - kind->given >= nodes[i].node.gpus;
        if (!taken[i])
            continue;
        take_node(s, &nodes[i], nodes[i].node.gpus);
        kind->given += nodes[i].node.gpus;
        left -= nodes[i].node.gpus;
    }
    for (size_t i = 0; i < count && left > 0; i++) {
        int64_t gpus = nodes[i].node.gpus < left ? nodes[i].node.gpus : left;
        if (taken[i] || gpus == 0 ||
            (gpus < nodes[i].node.gpus && !divisible(&nodes[i].node, nodes[i].whole_only)))
            continue;
        take_node(s, &nodes[i], gpus);
        left -= gpus;
    }
    free(kinds);
    free(taken);
}

static void take_nodes(struct slice *s, const struct sim *sim, const struct scenario *sc,
                       const int64_t *devices)
{
    s->nodes = mem_alloc(sc->node_count + 1, sizeof *s->nodes);
    s->scenario.nodes = s->nodes;
    s->scenario.node_count = 0;
    for (uint32_t p = 0; p < sim->fleet->pool_count; p++) {
        const struct fleet_pool *pool = &sim->fleet->pools[p];
        take_from_pool(s, &sc->nodes[pool->first_node], pool->node_count, devices[p]);
    }
}

/* Of nodes that are there as they were. */
static void take_outages(struct slice *s, const struct sim *sim, const struct scenario *sc)
{
    const struct fleet *fleet = sim->fleet;
    s->outages = mem_alloc(sc->outages.count + 1, sizeof *s->outages);
    s->scenario.outages.rows = s->outages;
    s->scenario.outages.count = 0;
    for (size_t i = 0; i < sc->outages.count; i++)
        for (uint32_t p = 0; p < fleet->pool_count; p++)
            for (uint32_t k = 0; k < fleet->pools[p].node_count && (int64_t)k < s->whole[p]; k++)
                if (strcmp(fleet->nodes[fleet->pools[p].first_node + k].name,
                           sc->outages.rows[i].node) == 0)
                    s->outages[s->scenario.outages.count++] = sc->outages.rows[i];
}

/* ---- the queue, and what belongs to it ---- */

static const struct scen_queue *queue_named(const struct scenario *sc, const char *name)
{
    for (size_t i = 0; i < sc->queue_count; i++)
        if (strcmp(sc->queues[i].name, name) == 0)
            return &sc->queues[i];
    return NULL;
}

/* As the queue says, or the nearest one above it that does. */
static int64_t inherited(const struct scenario *sc, const struct scen_queue *queue, bool reclaim)
{
    for (size_t steps = 0; queue != NULL && steps <= sc->queue_count; steps++) {
        int64_t ms = reclaim ? queue->reclaim_min_runtime_ms : queue->preempt_min_runtime_ms;
        if (ms >= 0)
            return ms;
        queue = queue_named(sc, queue->parent);
    }
    return -1;
}

/* The queue has the slice to itself. */
static void take_queue(struct slice *s, const struct scenario *sc, const struct sim_queue *of)
{
    const struct scen_queue *from = queue_named(sc, of->name);
    struct scen_queue *to = s->queues = mem_alloc(1, sizeof *s->queues);
    *to = (struct scen_queue){.gpu_weight_milli = 1000,
                              .cpu_weight_milli = 1000,
                              .mem_weight_milli = 1000,
                              .preempt_min_runtime_ms = -1,
                              .reclaim_min_runtime_ms = -1};
    if (from != NULL)
        *to = *from;
    to->name = of->name;
    to->parent = "";
    to->gpu_quota_milli = s->milli;
    to->gpu_limit_milli = to->cpu_quota_milli = to->cpu_limit_milli = -1;
    to->mem_quota_mib = to->mem_limit_mib = -1;
    to->fixed_milli = to->fixed_milli < s->milli ? to->fixed_milli : s->milli;
    to->preempt_min_runtime_ms = inherited(sc, from, false);
    to->reclaim_min_runtime_ms = inherited(sc, from, true);
    to->pools = NULL; /* the fleet is what it may use */
    to->pool_count = 0;
    to->ordered_pools = to->strict_order = to->others_too = false;
    to->by_pool = NULL;
    to->by_pool_count = 0;
    s->scenario.queues = s->queues;
    s->scenario.queue_count = 1;
    s->services = mem_alloc(sc->service_count + 1, sizeof *s->services);
    s->scenario.services = s->services;
    s->scenario.service_count = 0;
    for (size_t i = 0; i < sc->service_count; i++)
        if (strcmp(sc->services[i].queue, of->name) == 0)
            s->services[s->scenario.service_count++] = sc->services[i];
}

static void slice_init(struct slice *s, const struct simulation *shared, uint32_t queue,
                       int64_t milli)
{
    const struct scenario *sc = shared->scenario;
    const struct sim *sim = shared->sim;
    *s = (struct slice){.scenario = *sc};
    s->whole = mem_alloc(sim->fleet->pool_count + 1, sizeof *s->whole);
    int64_t *devices = devices_of(sim, sim->queues[queue].site, milli);
    if (sc->node_count > 0)
        take_nodes(s, sim, sc, devices);
    else
        take_pools(s, sc, devices);
    take_outages(s, sim, sc);
    take_queue(s, sc, &sim->queues[queue]);
    s->scenario.window.drain =
        true; /* but jobs may block one another for ever, as under kube-default */
    s->scenario.window.drain_cap_ms = MOST_TIMES * (sim->now_ms - sim->first_submit_ms);
    s->scenario.set_aside_count = 0; /* the slice is one of the fleet as it was bought */
    s->scenario.outputs.timeline_ms = 0;
    free(devices);
}

static void slice_fini(struct slice *s)
{
    for (size_t i = 0; i < s->name_count; i++)
        free(s->names[i]);
    free(s->names);
    free(s->pools);
    free(s->spares);
    free(s->new_pools);
    free(s->nodes);
    free(s->queues);
    free(s->services);
    free(s->outages);
    free(s->whole);
}

/* ---- running it ---- */

/* What the slice holds and did not end, or not before a signal came, has no rho. */
static void note_open(struct rho *rho, const struct sim *sim)
{
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if (job->state == WORK_RUNNING || (job->state == WORK_PENDING && !sim_never_fits(sim, job)))
            rho_leave_open(rho, work_id(job));
    }
}

static bool run_alone(struct rho *rho, const struct simulation *shared, const struct slice *s,
                      uint32_t queue, const struct simulation_options *as, struct err *err)
{
    struct rho_alone alone = {rho, shared->sim->queues[queue].name};
    const struct sim_observer observer = rho_alone_observer(&alone);
    const struct simulation_slice part = {.queue = alone.queue,
                                          .queues = shared->names.queues,
                                          .begin_ms = shared->sim->first_submit_ms,
                                          .milli = s->milli,
                                          .working_gpus = workload_gpus(shared)};
    struct simulation_options options = {.replica = as->replica,
                                         .sort = as->sort,
                                         .slice = &part,
                                         .observers = &observer,
                                         .observer_count = 1,
                                         .keep_going = as->keep_going,
                                         .keep_going_self = as->keep_going_self};
    struct simulation simulation;
    bool ok;
    do
        ok = simulation_open(&simulation, &s->scenario, &options, err) &&
             simulation_run(&simulation, INT64_MAX, err) && sim_finish(simulation.sim, err);
    while (!ok && simulation_again(&simulation, &options, err));
    if (ok)
        note_open(rho, simulation.sim);
    rho->wanted &= ok && !simulation.sim->stopped;
    simulation_close(&simulation);
    return ok || err_prefix(err, "queue '%s' alone on its slice of the fleet", alone.queue);
}

bool rho_check(const struct scenario *sc, struct err *err)
{
    return !sc->rho || !workload_reads_stdin(sc) ||
           err_set(err, EXIT_INPUT,
                   "metrics.rho: each queue is simulated once more, alone, and standard input "
                   "cannot be read twice: give a file");
}

bool rho_measure(struct rho *rho, const struct simulation *shared,
                 const struct simulation_options *as, struct err *err)
{
    const struct sim *sim = shared->sim;
    bool *busy = mem_alloc(sim->queue_count + 1, sizeof *busy), ok = true;
    for (uint32_t q = 0; q < sim->queue_count; q++)
        busy[q] = rho_least_milli(rho, q) >= 0;
    int64_t *slices = slices_of(sim, busy);
    for (uint32_t q = 0; q < sim->queue_count && ok; q++) {
        struct slice slice;
        if (slices[q] == 0)
            continue;
        slice_init(&slice, shared, q, slices[q]);
        if (slice.milli > 0 && rho_least_milli(rho, q) <= slice.milli)
            ok = run_alone(rho, shared, &slice, q, as, err);
        slice_fini(&slice);
    }
    if (ok)
        rho_finish(rho, sim, slices);
    free(slices);
    free(busy);
    return ok;
}
