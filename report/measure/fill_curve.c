/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curve of a packing study; see frag.h. */
#include "report/measure/frag.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

void fill_curve_init(struct fill_curve *c, const struct sim *sim, const struct trace_job *jobs,
                     size_t count)
{
    *c = (struct fill_curve){0};
    frag_typical_init(&c->typical, jobs, count, fleet_most_gpus(sim->fleet));
    c->node_frag = mem_alloc(sim->fleet->node_count, sizeof *c->node_frag);
    for (size_t i = 0; i < sim->fleet->node_count; i++) {
        c->node_frag[i] = frag_of_node(&c->typical, &sim->fleet->nodes[i]);
        c->frag += c->node_frag[i];
    }
}

/* Published logs have two decimals. */
static double two_decimals(double x)
{
    return rint(x * 100.0) / 100.0;
}

static void record(struct fill_curve *c, const struct sim *sim, const struct work_job *job)
{
    double capacity = (double)sim->fleet->milli;
    double idle = (double)(sim->fleet->milli - sim->fleet->milli_used);
    c->arrived_milli += job->gpu_milli;
    double bucket = rint(100.0 * (double)c->arrived_milli / capacity); /* half to even */
    if (!(bucket < FILL_BUCKETS)) /* also true for NaN, in a fleet without devices */
        return;
    size_t b = (size_t)bucket;
    c->buckets[b].alloc += two_decimals(100.0 * (double)sim->fleet->milli_used / capacity);
    c->buckets[b].ratio += idle > 0 ? two_decimals(100.0 * c->frag / idle) : 0.0;
    c->buckets[b].amount += 100.0 * two_decimals(c->frag) / capacity;
    c->buckets[b].arrivals++;
}

static void started(void *self, const struct sim *sim, const struct work_job *job)
{
    struct fill_curve *c = self;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        uint32_t node = sim->work.tasks[id].node;
        if (node == WORK_NONE)
            continue;
        double now = frag_of_node(&c->typical, &sim->fleet->nodes[node]);
        c->frag += now - c->node_frag[node];
        c->node_frag[node] = now;
    }
    record(c, sim, job);
}

static void dropped(void *self, const struct sim *sim, const struct work_job *job)
{
    struct fill_curve *c = self;
    c->failed++;
    record(c, sim, job);
}

struct sim_observer fill_curve_observer(struct fill_curve *c)
{
    return (struct sim_observer){.self = c, .started = started, .dropped = dropped};
}

/* Sums a bucket, and its neighbours if it has no arrivals; returns the number of arrivals. */
static uint64_t bucket_sums(const struct fill_curve *c, int b, double sums[3])
{
    bool empty = c->buckets[b].arrivals == 0;
    uint64_t arrivals = 0;
    sums[0] = sums[1] = sums[2] = 0;
    for (int i = empty ? b - 1 : b; i <= (empty ? b + 1 : b); i++) {
        if (i < 0 || i >= FILL_BUCKETS)
            continue;
        arrivals += c->buckets[i].arrivals;
        sums[0] += c->buckets[i].alloc;
        sums[1] += c->buckets[i].ratio;
        sums[2] += c->buckets[i].amount;
    }
    return arrivals;
}

void fill_curve_means(const struct fill_curve *c, const struct sim *sim, double *ratio,
                      double *gpus)
{
    double arrivals = 0, shares = 0, amounts = 0;
    for (int b = 0; b < FILL_BUCKETS; b++) {
        arrivals += (double)c->buckets[b].arrivals;
        shares += c->buckets[b].ratio;
        amounts += c->buckets[b].amount;
    }
    *ratio = arrivals > 0 ? shares / arrivals / 100 : (double)NAN;
    *gpus =
        arrivals > 0 ? amounts / arrivals / 100 * (double)sim->fleet->milli / 1000 : (double)NAN;
}

void fill_curve_json(const struct fill_curve *c, const struct sim *sim, struct json *j)
{
    json_begin_object(j, "fill");
    json_begin_array(j, "curve");
    for (int b = 0; b < FILL_BUCKETS; b++) {
        double sums[3];
        double n = (double)bucket_sums(c, b, sums);
        json_begin_object(j, NULL);
        json_i64(j, "arrived_pct", b);
        json_f64(j, "alloc_pct", n > 0 ? two_decimals(sums[0] / n) : (double)NAN, 2);
        json_f64(j, "frag_ratio_pct", n > 0 ? sums[1] / n : (double)NAN, 6);
        json_f64(j, "frag_amount_pct", n > 0 ? two_decimals(sums[2] / n) : (double)NAN, 2);
        json_end_object(j);
    }
    json_end_array(j);
    json_i64(j, "failed_tasks", (int64_t)c->failed);
    json_f64(j, "arrived_gpus", (double)c->arrived_milli / 1000.0, 3);
    json_f64(j, "allocated_gpus", (double)sim->fleet->milli_used / 1000.0, 3);
    json_f64(j, "fragment_gpus", c->frag / 1000.0, 5);
    json_end_object(j);
}

void fill_curve_fini(struct fill_curve *c)
{
    frag_typical_fini(&c->typical);
    free(c->node_frag);
}
