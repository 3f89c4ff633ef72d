/* SPDX-License-Identifier: MIT */
/* A snapshot of Slurm's state; see view.h. */
#include "policies/adapters/slurm/view.h"

#include "policies/adapters/slurm/memory.h"

#include <stdlib.h>
#include <string.h>

static void *keep(struct view *view, void *block)
{
    view->blocks = memory_resize(view->blocks, view->block_count + 1, sizeof *view->blocks);
    view->blocks[view->block_count++] = block;
    return block;
}

void *view_get(struct view *view, size_t count, size_t size)
{
    return keep(view, memory_get(count, size));
}

const char *view_text(struct view *view, const char *text)
{
    return text == NULL || *text == '\0' ? "" : keep(view, memory_text(text));
}

void view_fini(struct view *view)
{
    for (size_t i = 0; i < view->block_count; i++)
        free(view->blocks[i]);
    free(view->blocks);
    *view = (struct view){.nodes = NULL};
}

int view_compare_keys(struct view_key a, struct view_key b)
{
    if (a.job != b.job)
        return a.job < b.job ? -1 : 1;
    return a.task < b.task ? -1 : a.task > b.task;
}

static int compare_jobs(const void *a, const void *b)
{
    return view_compare_keys(((const struct view_job *)a)->key, ((const struct view_job *)b)->key);
}

void view_sort_jobs(struct view *view)
{
    if (view->job_count > 1)
        qsort(view->jobs, view->job_count, sizeof *view->jobs, compare_jobs);
}

uint32_t view_find_node(const struct view *view, const char *name)
{
    for (size_t low = 0, high = view->node_count; low < high;) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(view->nodes[middle].name, name);
        if (order == 0)
            return (uint32_t)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return UINT32_MAX;
}

const struct view_partition *view_find_partition(const struct view *view, const char *name)
{
    for (size_t i = 0; i < view->partition_count; i++)
        if (strcmp(view->partitions[i].name, name) == 0)
            return &view->partitions[i];
    return NULL;
}
