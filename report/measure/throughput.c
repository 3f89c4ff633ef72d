/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up spans of work; the model is in throughput.h. */
#include "report/measure/throughput.h"

#include "sim/base/mem.h"
#include "sim/base/symbols.h"
#include "sim/speed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- collecting ---- */

static struct throughput_model *model_of(struct throughput *t, const struct sim *sim, uint32_t id)
{
    if (id >= t->model_count)
        t->models = mem_extend(t->models, &t->model_count, symbols_count(sim->config.names.models),
                               sizeof *t->models);
    return &t->models[id];
}

static struct throughput_cell *cell_of(struct throughput_model *model, int32_t gpus)
{
    size_t low = 0;
    size_t high = model->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (model->cells[middle].gpus < gpus)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < model->count && model->cells[low].gpus == gpus)
        return &model->cells[low];
    model->cells = mem_grow(model->cells, &model->capacity, model->count + 1, sizeof *model->cells);
    memmove(&model->cells[low + 1], &model->cells[low],
            (model->count - low) * sizeof *model->cells);
    model->count++;
    model->cells[low] = (struct throughput_cell){.gpus = gpus};
    return &model->cells[low];
}

/* Returns true the first time it sees the job. */
static bool is_new(struct throughput *t, const struct sim *sim, const struct work_job *job)
{
    uint32_t id = job->core.i;
    if (id >= t->seen_count)
        t->seen = mem_extend(t->seen, &t->seen_count, sim->work.capacity, sizeof *t->seen);
    if (t->seen[id] == job->core.gen + 1)
        return false;
    t->seen[id] = job->core.gen + 1;
    return true;
}

static void spent(void *self, const struct sim *sim, const struct work_job *job,
                  const struct sim_span *span)
{
    struct throughput *t = self;
    struct sim_rate rate;
    int64_t ms = span->spent.work_ms;
    if (span->milli == 0 || ms == 0 || !sim_rate_of(sim, job, &rate))
        return;
    struct throughput_model *model = model_of(t, sim, rate.model);
    struct throughput_cell *cell = cell_of(model, rate.gpus);
    double seconds = (double)ms / 1000;
    ledger_amount worked = (ledger_amount)span->milli * ms;
    model->jobs += is_new(t, sim, job);
    model->samples = rate.samples;
    cell->work_ms += ms;
    cell->worked += worked;
    cell->ideal += worked * span->speed_ppm / span->hardware_ppm;
    cell->steps += seconds / rate.step_s;
    cell->samples += seconds * rate.samples_per_s;
}

struct sim_observer throughput_observer(struct throughput *t)
{
    return (struct sim_observer){.self = t, .spent = spent};
}

void throughput_fini(struct throughput *t)
{
    for (size_t i = 0; i < t->model_count; i++)
        free(t->models[i].cells);
    free(t->models);
    free(t->seen);
    *t = (struct throughput){0};
}

/* ---- output ---- */

static double ratio(double a, double b)
{
    return b > 0 ? a / b : (double)NAN;
}

static void cell_json(const struct throughput_cell *cell, struct json *j)
{
    double seconds = (double)cell->work_ms / 1000;
    json_f64(j, "gpu_h", ledger_hours(cell->worked), 6);
    json_f64(j, "samples_per_s", ratio(cell->samples, seconds), 3);
    json_f64(j, "mean_step_s", ratio(seconds, cell->steps), 6);
    json_f64(j, "mean_slowdown", ratio((double)cell->worked, (double)cell->ideal), 6);
}

static void model_json(const struct throughput_model *model, const char *name, struct json *j)
{
    struct throughput_cell all = {0};
    for (size_t i = 0; i < model->count; i++) {
        const struct throughput_cell *cell = &model->cells[i];
        all.work_ms += cell->work_ms;
        all.worked += cell->worked;
        all.ideal += cell->ideal;
        all.steps += cell->steps;
        all.samples += cell->samples;
    }
    json_begin_object(j, name);
    json_u64(j, "jobs", model->jobs);
    json_text(j, "samples", model->samples);
    cell_json(&all, j);
    json_begin_object(j, "by_gpus");
    for (size_t i = 0; i < model->count; i++) {
        char gpus[16];
        (void)snprintf(gpus, sizeof gpus, "%d", model->cells[i].gpus);
        json_begin_object(j, gpus);
        cell_json(&model->cells[i], j);
        json_end_object(j);
    }
    json_end_object(j);
    json_end_object(j);
}

struct named {
    const char *name;
    const struct throughput_model *model;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name); /* unique */
}

void throughput_json(const struct throughput *t, const struct sim *sim, struct json *j,
                     const char *key)
{
    struct named *named = mem_alloc(t->model_count + 1, sizeof *named);
    size_t count = 0;
    for (size_t i = 0; i < t->model_count; i++)
        if (t->models[i].count > 0)
            named[count++] =
                (struct named){symbols_name(sim->config.names.models, (uint32_t)i), &t->models[i]};
    qsort(named, count, sizeof *named, by_name);
    if (count > 0)
        json_begin_object(j, key);
    for (size_t i = 0; i < count; i++)
        model_json(named[i].model, named[i].name, j);
    if (count > 0)
        json_end_object(j);
    free(named);
}
