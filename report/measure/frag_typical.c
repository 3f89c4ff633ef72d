/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The typical tasks of a workload: counts equal tasks and keeps the most common ones; definitions
 * in frag.h.
 */
#include "report/measure/frag.h"

#include "sim/base/mem.h"
#include "sim/work/request.h"
#include "traces/pod_sets.h"

#include <stdlib.h>
#include <string.h>

#define COVERED_PERCENT 95
#define FIRST_ROOM      1024

struct group {
    struct frag_task task;
    const char
        *spec; /* types as written in the trace: the same set in other words is another group */
};

/* Tasks in order of arrival; when the array is full, equal ones are merged. */
struct frag_counter {
    int node_gpus;
    struct group *groups;
    size_t count, capacity;
    struct symbols *specs;
};

static int larger_first(int64_t a, int64_t b)
{
    return (a < b) - (a > b);
}

static int by_shape(const void *a, const void *b)
{
    const struct group *x = a;
    const struct group *y = b;
    int order = larger_first(x->task.cpu_milli, y->task.cpu_milli);
    if (order == 0)
        order = larger_first(x->task.milli, y->task.milli);
    if (order == 0)
        order = larger_first(x->task.gpus, y->task.gpus);
    if (order == 0)
        order = larger_first(x->task.device_mem_mib, y->task.device_mem_mib);
    if (order == 0)
        order = strcmp(y->spec, x->spec);
    return order != 0 ? order : (x->task.types < y->task.types) - (x->task.types > y->task.types);
}

static int by_count(const void *a, const void *b)
{
    int order = larger_first((int64_t)((const struct group *)a)->task.count,
                             (int64_t)((const struct group *)b)->task.count);
    return order != 0 ? order : by_shape(a, b);
}

struct frag_counter *frag_counter_create(int node_gpus)
{
    struct frag_counter *c = mem_alloc(1, sizeof *c);
    *c = (struct frag_counter){
        .node_gpus = node_gpus, .specs = symbols_create(), .capacity = FIRST_ROOM};
    c->groups = mem_alloc(c->capacity, sizeof *c->groups);
    return c;
}

static void put_together(struct frag_counter *c)
{
    size_t groups = 0;
    qsort(c->groups, c->count, sizeof *c->groups, by_shape);
    for (size_t i = 0; i < c->count; i++)
        if (groups > 0 && by_shape(&c->groups[groups - 1], &c->groups[i]) == 0)
            c->groups[groups - 1].task.count += c->groups[i].task.count;
        else
            c->groups[groups++] = c->groups[i];
    c->count = groups;
}

static void make_room(struct frag_counter *c)
{
    put_together(c);
    if (c->count > c->capacity / 2) /* mostly distinct: merging again soon would not pay off */
        c->groups = mem_grow(c->groups, &c->capacity, c->capacity + 1, sizeof *c->groups);
}

void frag_counter_add_task(struct frag_counter *c, const struct frag_task *task, const char *spec)
{
    if (c->count == c->capacity)
        make_room(c);
    c->groups[c->count++] =
        (struct group){*task, symbols_name(c->specs, symbols_add(c->specs, spec, strlen(spec)))};
}

/* Types come from the job, whose text the reader has checked. */
static void add_roles(struct frag_counter *c, const struct trace_job *job)
{
    struct trace_roles roles;
    struct err ignored;
    bool read = trace_roles_read(job->roles, &roles, &ignored);
    for (int32_t i = 0; read && i < roles.role_count; i++) {
        const struct trace_role *from = &roles.roles[i];
        struct frag_task task = {.cpu_milli = from->cpu_milli,
                                 .gpus = from->gpus,
                                 .device_mem_mib = from->gpu_mem_mib,
                                 .types = from->gpus > 0 ? job->gpu_types : 0,
                                 .count = (uint64_t)from->tasks};
        task.milli = from->gpus == 0 ? 0 : from->gpu_milli > 0 ? from->gpu_milli : FLEET_WHOLE;
        frag_counter_add_task(c, &task, "");
    }
}

void frag_counter_add(struct frag_counter *c, const struct trace_job *job)
{
    if (job->roles[0] != '\0') {
        add_roles(c, job);
        return;
    }
    struct policy_role roles[2];
    int count = work_roles(job, c->node_gpus, false, roles);
    for (int i = 0; i < count; i++) {
        const struct policy_request *r = &roles[i].request;
        struct frag_task task = {.cpu_milli = r->cpu_milli,
                                 .gpus = r->devices,
                                 .milli = r->device_milli > 0 ? r->device_milli : FLEET_WHOLE,
                                 .device_mem_mib = r->device_mem_mib,
                                 .types = r->types,
                                 .count = (uint64_t)roles[i].tasks};
        task.milli = task.gpus > 0 ? task.milli : 0;
        frag_counter_add_task(c, &task, job->gpu_spec);
    }
}

static void free_counter(struct frag_counter *c)
{
    free(c->groups);
    symbols_destroy(c->specs);
    free(c);
}

void frag_counter_finish(struct frag_counter *c, struct frag_typical *t)
{
    uint64_t covered = 0;
    put_together(c);
    qsort(c->groups, c->count, sizeof *c->groups, by_count);
    *t = (struct frag_typical){.tasks = mem_alloc(c->count + 1, sizeof *t->tasks)};
    for (size_t i = 0; i < c->count; i++)
        t->all += c->groups[i].task.count;
    for (; t->count < c->count && covered * 100 < t->all * COVERED_PERCENT; t->count++) {
        t->tasks[t->count] = c->groups[t->count].task;
        covered += t->tasks[t->count].count;
    }
    double all = (double)t->all;
    for (size_t i = 0; i < t->count; i++) /* rounded as in the published program */
        t->tasks[i].weight = (double)t->tasks[i].count / all / ((double)covered / all);
    free_counter(c);
}

void frag_typical_init(struct frag_typical *t, const struct trace_job *jobs, size_t count,
                       int node_gpus)
{
    struct frag_counter *c = frag_counter_create(node_gpus);
    for (size_t i = 0; i < count; i++)
        frag_counter_add(c, &jobs[i]);
    frag_counter_finish(c, t);
}

void frag_typical_fini(struct frag_typical *t)
{
    free(t->tasks);
    *t = (struct frag_typical){0};
}
