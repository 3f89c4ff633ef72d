/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work that must be served; see offered.h. */
#include "sim/plan/offered.h"

#include "sim/base/mem.h"
#include "sim/plan/demand.h"
#include "sim/plan/question.h"
#include "sim/program/signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool grows(const struct variant *v, const char *pool)
{
    bool named = false;
    for (size_t i = 0; i < v->count; i++)
        named |= v->entries[i].count < 0 && strcmp(v->entries[i].pool, pool) == 0;
    return named;
}

static void shape_of(const struct plan_world *world, const struct scenario *sc,
                     const struct variant *v, struct plan_shape *shape)
{
    *shape = (struct plan_shape){.count = sc->pool_count < OFFERED_POOLS ? sc->pool_count
                                                                         : OFFERED_POOLS};
    for (size_t i = 0; i < sc->pool_count; i++) {
        struct offered_pool *pool = &shape->pools[i < OFFERED_POOLS ? i : OFFERED_POOLS - 1];
        double milli = (double)sc->pools[i].node.gpus * 1000;
        if (v->all)
            pool->added_milli +=
                milli * (double)world->given->pools[i].count / (double)plan_nodes_of(world->given);
        else if (grows(v, sc->pools[i].name))
            pool->added_milli += milli / (double)v->growing;
        else
            pool->fixed_milli += (double)(sc->pools[i].count - plan_spares(sc, i)) * milli;
    }
    if (sc->node_count == 0)
        return;
    shape->count = 1;
    shape->pools[0].added_milli = (double)plan_gpus_of(sc) * 1000 / (double)sc->node_count;
}

struct offering {
    const struct scenario *scenario;
    const struct plan_shape *shape;
    int64_t slack_ms;
    struct offered *offered;
};

/* A generated load continues to its horizon; of a trace nothing is known beyond the last
 * submission. */
static void offer(void *self, const struct plan_demand *demand, const struct sim *sim)
{
    struct offering *o = self;
    const struct scen_window *measured = &o->scenario->window;
    struct offered_window window = {.from_ms = sim->first_submit_ms + measured->warmup_ms,
                                    .to_ms = INT64_MIN,
                                    .whole = true,
                                    .slack_ms = o->slack_ms};
    struct offered_job *jobs = mem_alloc(demand->count + 1, sizeof *jobs);
    size_t count = 0;
    for (size_t i = 0; i < demand->count; i++) {
        const struct offered_job *job = &demand->requests[i].whole;
        window.to_ms = job->submit_ms > window.to_ms ? job->submit_ms : window.to_ms;
        if (job->pools != 0)
            jobs[count++] = *job;
    }
    if (measured->horizon_ms > 0)
        window.to_ms = sim->first_submit_ms + measured->horizon_ms;
    for (size_t i = 0; i < o->scenario->source_count; i++)
        window.whole &= o->scenario->sources[i].trace == NULL;
    *o->offered = offered_load(jobs, count, &window, o->shape->pools, o->shape->count);
    o->offered->fastest = demand->speeds_differ;
    free(jobs);
}

/* How long the targets let jobs wait; negative: no target says. */
static int64_t slack_of(const struct capacity *c)
{
    double slack = -0.001;
    for (size_t t = 0; t < c->target_count; t++)
        if (plan_limits_wait(&c->targets[t]) && c->targets[t].limit > slack)
            slack = c->targets[t].limit;
    return slack < 1e12 ? (int64_t)(slack * 1000) : INT64_C(1000000000000000);
}

bool plan_offered(struct capacity *c, const struct plan_world *world, const struct variant *variant,
                  struct plan_shape *shape, bool *interrupted, struct err *err)
{
    int64_t least = plan_world_least(world, variant), slack = slack_of(c);
    struct scenario *scenario;
    c->offered = (struct offered){.gpus = (double)NAN, .nodes = (double)NAN};
    if (!plan_world_load(world, variant, c->given > least ? c->given : least, true, &scenario, err))
        return false;
    shape_of(world, scenario, variant, shape);
    struct offering o = {scenario, shape, slack > 0 ? slack : 0, &c->offered};
    bool ok = scenario->closed || plan_demand(scenario, 1, offer, &o, err);
    scenario_destroy(scenario);
    *interrupted = cli_interrupted() != 0;
    return ok && !*interrupted;
}

int64_t plan_start(const struct capacity *c, int64_t least, int64_t spares)
{
    if (!(c->offered.nodes > 0) || slack_of(c) < 0)
        return least;
    int64_t nodes = (int64_t)ceil(c->offered.nodes - 1e-9) + spares;
    return nodes > least ? nodes : least;
}

int64_t plan_nodes_for(const struct plan_shape *shape, int64_t spares, int64_t gpu_milli)
{
    double fixed = 0, added = 0;
    for (size_t i = 0; i < shape->count; i++) {
        fixed += shape->pools[i].fixed_milli;
        added += shape->pools[i].added_milli;
    }
    double nodes = added > 0 ? ceil(((double)gpu_milli - fixed) / added - 1e-9) : 0;
    return (nodes > 1 ? (int64_t)nodes : 1) + spares;
}
