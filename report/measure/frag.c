/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fragment of a node; definitions in frag.h. */
#include "report/measure/frag.h"

static double fragment(const struct fleet_node *node, const struct frag_task *task)
{
    int64_t left = (int64_t)node->gpus * FLEET_WHOLE - node->milli_used;
    bool cpu_short = node->cpu_milli >= 0 && node->cpu_milli - node->cpu_used < task->cpu_milli;
    bool allowed = task->types == 0 || (task->types >> node->gpu_type & 1) != 0;
    int milli = fleet_milli(node, task->milli, task->device_mem_mib); /* 0: its memory is unknown */
    if (task->gpus == 0 || !allowed || cpu_short || milli == 0)
        return (double)left;
    int fitting = 0;
    int64_t too_small = 0;
    for (int d = 0; d < node->gpus; d++) {
        int room = FLEET_WHOLE - node->used[d];
        fitting += room >= milli;
        too_small += room >= milli ? 0 : room;
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
