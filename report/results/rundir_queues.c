/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The queues of a run, from queues.csv or the summary. A run has at most a few thousand, so they
 * are kept in memory.
 */
#include "report/results/rundir.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The member of struct rundir_queue for each numeric column. */
static const struct {
    const char *column;
    size_t offset;
} numbers[] = {
    {"jobs", offsetof(struct rundir_queue, jobs)},
    {"completed", offsetof(struct rundir_queue, completed)},
    {"quota_gpus", offsetof(struct rundir_queue, quota_gpus)},
    {"weight", offsetof(struct rundir_queue, weight)},
    {"entitled_gpu_h", offsetof(struct rundir_queue, entitled_gpu_h)},
    {"used_gpu_h", offsetof(struct rundir_queue, used_gpu_h)},
    {"share", offsetof(struct rundir_queue, share)},
};
#define NUMBERS (sizeof numbers / sizeof *numbers)

struct load {
    struct rundir_queue *queues;
    size_t count, capacity;
    size_t name, column[NUMBERS];
};

static double *number_in(struct rundir_queue *queue, size_t i)
{
    return (double *)(void *)((char *)queue + numbers[i].offset);
}

static struct rundir_queue *append(struct load *load, const char *name)
{
    load->queues = mem_grow(load->queues, &load->capacity, load->count + 1, sizeof *load->queues);
    struct rundir_queue *queue = &load->queues[load->count++];
    queue->name = mem_text(name);
    for (size_t i = 0; i < NUMBERS; i++)
        *number_in(queue, i) = (double)NAN;
    return queue;
}

static bool on_header(void *ctx, const struct rundir_row *row, struct err *err)
{
    struct load *load = ctx;
    for (size_t i = 0; i < NUMBERS; i++)
        load->column[i] = rundir_column(row, numbers[i].column);
    return rundir_need(row, "queue", &load->name, err);
}

static bool on_row(void *ctx, const struct rundir_row *row, struct err *err)
{
    struct load *load = ctx;
    struct rundir_queue *queue = append(load, row->field[load->name]);
    for (size_t i = 0; i < NUMBERS; i++)
        if (!rundir_number(row, load->column[i], number_in(queue, i), err))
            return false;
    return true;
}

static void from_summary(struct load *load, const cJSON *summary)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, json_at(summary, "fairness.queues"))
    {
        if (!item->string || !cJSON_IsObject(item))
            continue;
        struct rundir_queue *queue = append(load, item->string);
        for (size_t i = 0; i < NUMBERS; i++)
            *number_in(queue, i) = json_number_at(item, numbers[i].column);
    }
}

struct rundir_queue *rundir_queues(const struct rundir *run, size_t *count, char **damage)
{
    struct load load = {0};
    struct err err = {0};
    const struct rundir_reader reader = {.header = on_header, .row = on_row};
    enum rundir_read read = rundir_csv(run, "queues.csv", &reader, &load, &err);
    *damage = read == RUNDIR_DAMAGED ? mem_text(err.msg) : NULL;
    if (read != RUNDIR_READ) {
        rundir_queues_free(load.queues, load.count);
        load = (struct load){0};
        from_summary(&load, run->summary);
    }
    for (size_t i = 0; i < load.count; i++) {
        struct rundir_queue *queue = &load.queues[i];
        if (isnan(queue->share) && queue->entitled_gpu_h > 0)
            queue->share = queue->used_gpu_h / queue->entitled_gpu_h;
    }
    *count = load.count;
    return load.queues;
}

void rundir_queues_free(struct rundir_queue *queues, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(queues[i].name);
    free(queues);
}

struct ranked {
    double entitled, used;
    size_t index;
};

/* Never returns 0, since the last key is the position. NaN counts as 0. */
static int before(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->entitled > b->entitled || a->entitled < b->entitled)
        return a->entitled > b->entitled ? -1 : 1;
    if (a->used > b->used || a->used < b->used)
        return a->used > b->used ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

size_t *rundir_queue_ranks(const struct rundir_queue *queues, size_t count)
{
    struct ranked *ranked = mem_alloc(count + 1, sizeof *ranked);
    for (size_t i = 0; i < count; i++)
        ranked[i] = (struct ranked){
            .entitled = isnan(queues[i].entitled_gpu_h) ? 0 : queues[i].entitled_gpu_h,
            .used = isnan(queues[i].used_gpu_h) ? 0 : queues[i].used_gpu_h,
            .index = i,
        };
    qsort(ranked, count, sizeof *ranked, before);
    size_t *ranks = mem_alloc(count + 1, sizeof *ranks);
    for (size_t i = 0; i < count; i++)
        ranks[i] = ranked[i].index;
    free(ranked);
    return ranks;
}
