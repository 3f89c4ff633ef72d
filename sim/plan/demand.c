/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learning the demand of a replica; see demand.h. */
#include "sim/plan/demand.h"

#include "sim/base/mem.h"
#include "sim/program/signals.h"
#include "sim/speed.h"
#include "sim/world/simulate.h"

#include <math.h>
#include <stdlib.h>

/* One node of each kind: what jobs request of nodes depends on nothing else. */
static void find_kinds(struct plan_demand *demand, const struct sim *sim)
{
    const struct fleet *fleet = sim->fleet;
    const uint32_t *kind_of = sim->config.network.kind_of;
    demand->kinds = mem_alloc(fleet->node_count + 1, sizeof *demand->kinds);
    for (uint32_t i = 0; i < fleet->node_count; i++) {
        const struct fleet_node *node = &fleet->nodes[i];
        bool known = node->gpus == 0;
        for (size_t k = 0; k < demand->kind_count && !known; k++) {
            const struct fleet_node *other = &fleet->nodes[demand->kinds[k]];
            known = other->pool == node->pool && other->gpu_type == node->gpu_type &&
                    (kind_of == NULL || kind_of[demand->kinds[k]] == kind_of[i]);
        }
        if (!known)
            demand->kinds[demand->kind_count++] = i;
    }
}

/* A bit of struct plan_shape. */
static uint64_t bit_of(uint32_t pool)
{
    return UINT64_C(1) << (pool < OFFERED_POOLS ? pool : OFFERED_POOLS - 1);
}

/* The pools that its queue and its GPU type leave it, and how fast the fastest devices there are
 * for it. */
static uint64_t pools_of(struct plan_demand *demand, const struct sim *sim,
                         const struct work_job *job, double *fastest)
{
    const struct sim_queue *queue = &sim->queues[job->queue];
    uint64_t pools = 0;
    double slowest = HUGE_VAL;
    *fastest = 0;
    for (size_t k = 0; k < demand->kind_count; k++) {
        const struct fleet_node *node = &sim->fleet->nodes[demand->kinds[k]];
        uint64_t types = job->request.types;
        bool allowed = queue->pool_count == 0;
        for (uint32_t i = 0; i < queue->pool_count; i++)
            allowed |= queue->pools[i] == node->pool;
        if (!allowed || (types != 0 && (types >> node->gpu_type & 1) == 0))
            continue;
        pools |= bit_of(node->pool);
        double speed = sim_device_speed(sim, job, demand->kinds[k]);
        *fastest = fmax(*fastest, speed);
        slowest = fmin(slowest, speed);
    }
    demand->speeds_differ |= *fastest > slowest;
    *fastest = pools != 0 ? *fastest : 1;
    return pools;
}

/* An elastic job may use fewer GPUs, or finish earlier: neither takes more than this. */
static struct bound_job least_of(const struct work_job *job, int64_t run_ms)
{
    struct bound_job least = {job->eligible_ms, run_ms, job->gpu_milli, false};
    int32_t tasks = job->recorded_tasks;
    if (job->parts != NULL)
        least.gpu_milli = work_least_milli(job);
    else if (tasks > 0 && job->min_tasks < tasks)
        least.gpu_milli = job->gpu_milli * job->min_tasks / tasks;
    if (tasks > 0 && work_able_tasks(job) > tasks)
        least.run_ms = run_ms / work_able_tasks(job) * tasks;
    return least;
}

static void on_submitted(void *self, const struct sim *sim, const struct work_job *job)
{
    struct plan_demand *demand = self;
    if (job->client)
        return;
    demand->requests =
        mem_grow(demand->requests, &demand->capacity, demand->count + 1, sizeof *demand->requests);
    if (demand->kinds == NULL)
        find_kinds(demand, sim);
    struct plan_request *request = &demand->requests[demand->count++];
    double fastest;
    uint64_t pools = pools_of(demand, sim, job, &fastest);
    int64_t run_ms = (int64_t)floor((double)job->duration_ms / fastest);
    *request = (struct plan_request){.job = least_of(job, run_ms),
                                     .whole = {job->submit_ms, run_ms, job->gpu_milli, pools},
                                     .size = waits_size_of(job->gpu_milli),
                                     .queue = job->queue,
                                     .class = job->class,
                                     .counted = job->counted};
    /* It waited for others before: when it comes depends on the fleet. */
    request->job.loose = sim->dependencies != NULL && job->submit_ms != sim->now_ms;
    if (request->job.loose)
        request->job.arrival_ms = job->submit_ms;
}

/* Jobs that never start have no wait. */
static void strike_lost(const struct sim *sim, struct plan_demand *demand)
{
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if (job->state == WORK_PENDING && !job->client && job->number < demand->count)
            demand->requests[job->number].lost = sim_never_fits(sim, job);
    }
}

bool plan_demand(const struct scenario *scenario, int replica,
                 void (*use)(void *self, const struct plan_demand *, const struct sim *),
                 void *self, struct err *err)
{
    struct plan_demand demand = {.count = 0};
    const struct sim_observer observer = {.self = &demand, .submitted = on_submitted};
    struct simulation_options options = {
        .replica = replica, .observers = &observer, .observer_count = 1, .keep_going = cli_go_on};
    struct simulation s;
    bool ok;
    do {
        demand.count = 0;
        demand.kind_count = 0;
        free(demand.kinds);
        demand.kinds = NULL;
        ok = simulation_open(&s, scenario, &options, err) && simulation_run(&s, INT64_MAX, err);
    } while (!ok && simulation_again(&s, &options, err));
    if (ok) {
        strike_lost(s.sim, &demand);
        use(self, &demand, s.sim);
    }
    simulation_close(&s);
    free(demand.requests);
    free(demand.kinds);
    return ok;
}
