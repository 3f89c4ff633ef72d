/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion times of jobs in the shared run and alone; see rho.h. */
#include "report/measure/rho.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rho_init(struct rho *r)
{
    *r = (struct rho){.wanted = true, .ids = symbols_create()};
}

void rho_fini(struct rho *r)
{
    if (r->ids != NULL)
        symbols_destroy(r->ids);
    free(r->jobs);
    free(r->slices);
    *r = (struct rho){0};
}

static void ended(void *self, const struct sim *sim, const struct work_job *job)
{
    struct rho *r = self;
    (void)sim;
    if (!job->counted || job->first_start_ms == WORK_NEVER)
        return;
    const char *id = work_id(job);
    size_t known = symbols_count(r->ids);
    uint32_t at = symbols_add(r->ids, id, strlen(id));
    if (at < known) /* ids are unique; of duplicates, the first counts */
        return;
    r->jobs = mem_grow(r->jobs, &r->capacity, (size_t)at + 1, sizeof *r->jobs);
    r->jobs[at] = (struct rho_job){.shared_ms = job->end_ms - job->submit_ms,
                                   .alone_ms = -1,
                                   .ideal_ms = job->duration_ms,
                                   .gpu_milli = job->gpu_milli,
                                   .queue = job->queue};
}

static void ended_alone(void *self, const struct sim *sim, const struct work_job *job)
{
    struct rho_alone *alone = self;
    const char *id = work_id(job);
    if (job->client || job->first_start_ms == WORK_NEVER ||
        strcmp(sim->queues[job->queue].name, alone->queue) != 0)
        return;
    uint32_t at = symbols_find(alone->rho->ids, id, strlen(id));
    if (at != SYMBOL_NONE && !(alone->rho->jobs[at].alone_ms >= 0))
        alone->rho->jobs[at].alone_ms = (double)(job->end_ms - job->submit_ms);
}

struct sim_observer rho_observer(struct rho *r)
{
    return (struct sim_observer){.self = r, .ended = ended};
}

struct sim_observer rho_alone_observer(struct rho_alone *alone)
{
    return (struct sim_observer){.self = alone, .ended = ended_alone};
}

void rho_leave_open(struct rho *r, const char *id)
{
    uint32_t at = symbols_find(r->ids, id, strlen(id));
    if (at != SYMBOL_NONE && r->jobs[at].alone_ms < 0)
        r->jobs[at].alone_ms = (double)NAN;
}

void rho_finish(struct rho *r, const struct sim *shared, const int64_t *slices)
{
    r->queue_count = shared->queue_count;
    r->slices = mem_alloc(r->queue_count + 1, sizeof *r->slices);
    if (r->queue_count > 0)
        memcpy(r->slices, slices, r->queue_count * sizeof *slices);
    for (size_t i = 0; i < symbols_count(r->ids); i++) {
        struct rho_job *job = &r->jobs[i];
        int64_t slice = r->slices[job->queue];
        if (!(job->alone_ms < 0) || slice <= 0)
            continue;
        double turns = job->gpu_milli > slice ? (double)job->gpu_milli / (double)slice : 1;
        job->alone_ms = (double)job->ideal_ms * turns;
        r->beyond++;
    }
}

int64_t rho_least_milli(const struct rho *r, uint32_t queue)
{
    int64_t least = -1;
    for (size_t i = 0; i < symbols_count(r->ids); i++)
        if (r->jobs[i].queue == queue && (least < 0 || r->jobs[i].gpu_milli < least))
            least = r->jobs[i].gpu_milli;
    return least;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y); /* equal values are interchangeable */
}

struct rho_figures rho_figures_of(const struct rho *r, uint32_t queue)
{
    struct rho_figures f = {0, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    size_t all = r->wanted ? symbols_count(r->ids) : 0;
    double *values = mem_alloc(all + 1, sizeof *values), sum = 0;
    size_t n = 0, above = 0;
    for (size_t i = 0; i < all; i++) {
        const struct rho_job *job = &r->jobs[i];
        if (!(job->alone_ms > 0) || (queue != WORK_NONE && job->queue != queue))
            continue;
        values[n] = (double)job->shared_ms / job->alone_ms;
        sum += values[n];
        above += values[n] > 1;
        n++;
    }
    qsort(values, n, sizeof *values, by_size);
    if (n > 0)
        f = (struct rho_figures){.jobs = n,
                                 .mean = sum / (double)n,
                                 .p95 = values[(n * 95 + 99) / 100 - 1],
                                 .max = values[n - 1],
                                 .above = (double)above / (double)n};
    free(values);
    return f;
}

void rho_json(const struct rho *r, uint32_t queue, struct json *j)
{
    struct rho_figures f = rho_figures_of(r, queue);
    json_begin_object(j, "rho");
    json_f64(j, "mean", f.mean, 6);
    json_f64(j, "p95", f.p95, 6);
    json_f64(j, "max", f.max, 6);
    json_f64(j, "share_above_1", f.above, 6);
    if (r->wanted) {
        json_u64(j, "jobs", f.jobs);
        if (queue == WORK_NONE)
            json_u64(j, "beyond_slice", r->beyond);
        else
            json_f64(j, "slice_gpus", (double)r->slices[queue] / 1000, 3);
    }
    json_end_object(j);
}
