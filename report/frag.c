/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Typical tasks and the fragment of a node; definitions in frag.h. */
#include "report/frag.h"

#include "sim/base/mem.h"

#include <stdlib.h>

#define COVERED_PERCENT 95

static struct frag_task shape_of(const struct trace_job *job)
{
    struct frag_task task = {.cpu_milli = job->cpu_milli, .types = job->gpu_types, .count = 1};
    task.gpus = job->gpus_total == TRACE_UNKNOWN ? job->gpus : (int)job->gpus_total;
    task.milli = task.gpus == 0 ? 0 : job->gpu_milli > 0 ? job->gpu_milli : FLEET_WHOLE;
    return task;
}

static int larger_first(int64_t a, int64_t b)
{
    return (a < b) - (a > b);
}

static int by_shape(const void *a, const void *b)
{
    const struct frag_task *x = a;
    const struct frag_task *y = b;
    int order = larger_first(x->cpu_milli, y->cpu_milli);
    if (order == 0)
        order = larger_first(x->milli, y->milli);
    if (order == 0)
        order = larger_first(x->gpus, y->gpus);
    return order != 0 ? order : (x->types < y->types) - (x->types > y->types);
}

static int by_count(const void *a, const void *b)
{
    int order = larger_first((int64_t)((const struct frag_task *)a)->count,
                             (int64_t)((const struct frag_task *)b)->count);
    return order != 0 ? order : by_shape(a, b);
}

void frag_typical_init(struct frag_typical *t, const struct trace_job *jobs, size_t count)
{
    struct frag_task *all = mem_alloc(count + 1, sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[i] = shape_of(&jobs[i]);
    qsort(all, count, sizeof *all, by_shape);
    size_t groups = 0;
    for (size_t i = 0; i < count; i++)
        if (groups > 0 && by_shape(&all[groups - 1], &all[i]) == 0)
            all[groups - 1].count++;
        else
            all[groups++] = all[i];
    qsort(all, groups, sizeof *all, by_count);
    uint64_t covered = 0;
    t->count = 0;
    while (t->count < groups && covered * 100 < (uint64_t)count * COVERED_PERCENT)
        covered += all[t->count++].count;
    for (size_t i = 0; i < t->count; i++)
        all[i].weight = (double)all[i].count / (double)covered;
    t->tasks = all;
}

void frag_typical_fini(struct frag_typical *t)
{
    free(t->tasks);
    *t = (struct frag_typical){0};
}

static double fragment(const struct fleet_node *node, const struct frag_task *task)
{
    int64_t left = (int64_t)node->gpus * FLEET_WHOLE - node->milli_used;
    bool cpu_short = node->cpu_milli >= 0 && node->cpu_milli - node->cpu_used < task->cpu_milli;
    bool allowed = task->types == 0 || (task->types >> node->gpu_type & 1) != 0;
    if (task->gpus == 0 || !allowed || cpu_short)
        return (double)left;
    int fitting = 0;
    int64_t too_small = 0;
    for (int d = 0; d < node->gpus; d++) {
        int room = FLEET_WHOLE - node->used[d];
        fitting += room >= task->milli;
        too_small += room >= task->milli ? 0 : room;
    }
    return fitting < task->gpus ? (double)left : (double)too_small;
}

double frag_of_node(const struct frag_typical *t, const struct fleet_node *node)
{
    double sum = 0;
    for (size_t i = 0; i < t->count; i++)
        sum += t->tasks[i].weight * fragment(node, &t->tasks[i]);
    return sum;
}
