/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cluster objects are not printed at one instant, and not everything that runs on a node is still
 * allocatable there: a device failed under its pod, a reserve was raised, a node is gone but its
 * pods are still listed. Such a snapshot would be inconsistent. So tasks on nodes that no file
 * describes are left out, and a node has at least what its tasks hold; devices added for that
 * reason accept no new task.
 */
#include "scenarios/import/internal.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DEVICES 64

struct used {
    cJSON *node, *mig; /* instances by profile */
    double gpus, cpu_milli, mem_mib, tasks;
    uint64_t shared; /* devices with shares on them */
};

static double number(const cJSON *object, const char *key)
{
    const cJSON *value = import_at(object, key);
    return cJSON_IsNumber(value) ? value->valuedouble : 0;
}

static void add_task(struct used *used, const cJSON *task)
{
    bool shares = number(task, "gpu_milli") > 0 || number(task, "gpu_mem_mib") > 0;
    const cJSON *item, *devices = shares ? import_at(task, "devices") : NULL;
    cJSON_ArrayForEach(item, devices)
    {
        if (cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < MOST_DEVICES)
            used->shared |= UINT64_C(1) << item->valueint;
    }
    cJSON_ArrayForEach(item, import_members(import_at(task, "mig")))
    {
        if (cJSON_IsNumber(item))
            import_number(used->mig, item->string,
                          number(used->mig, item->string) + item->valuedouble);
    }
    used->gpus += shares ? 0 : number(task, "gpus");
    used->cpu_milli += number(task, "cpu_milli");
    used->mem_mib += number(task, "mem_mib");
    used->tasks++;
}

/* Raises a value; returns true if the node had less. A missing value, or -1, is unlimited. */
static bool raise(cJSON *object, const char *key, double value)
{
    const cJSON *had = import_at(object, key);
    if (!cJSON_IsNumber(had) || had->valuedouble < 0 || had->valuedouble >= value)
        return false;
    import_number(object, key, value);
    return true;
}

static bool raise_gpus(cJSON *node, double value)
{
    double had = number(node, "gpus");
    if (value > MOST_DEVICES || !raise(node, "gpus", value))
        return false;
    cJSON *ill = cJSON_GetObjectItemCaseSensitive(node, "unusable_devices");
    if (!cJSON_IsArray(ill))
        ill = cJSON_AddArrayToObject(node, "unusable_devices");
    for (int i = (int)had; i < (int)value; i++)
        cJSON_AddItemToArray(ill, cJSON_CreateNumber(i));
    return true;
}

static void settle(struct import *import, const struct used *used)
{
    const cJSON *item;
    cJSON *profiles = cJSON_GetObjectItemCaseSensitive(used->node, "mig_profiles");
    bool raised = raise_gpus(used->node, used->gpus + __builtin_popcountll(used->shared));
    raised = raise(used->node, "cpu_milli", used->cpu_milli) || raised;
    raised = raise(used->node, "mem_mib", used->mem_mib) || raised;
    raised = raise(used->node, "max_tasks", used->tasks) || raised;
    cJSON_ArrayForEach(item, used->mig)
    {
        raised = raise(profiles, item->string, item->valuedouble) || raised;
    }
    if (raised)
        import_note(import, "nodes with less than their tasks hold count with as much");
}

static bool holds(const cJSON *task)
{
    const char *state = import_text(task, "state");
    return strcmp(state, "running") == 0 || strcmp(state, "releasing") == 0;
}

static void add_tasks(struct import *import, cJSON *tasks, const struct symbols *names,
                      struct used *used)
{
    cJSON *task = tasks ? tasks->child : NULL, *next;
    for (; task; task = next) {
        const char *node = import_text(task, "node");
        uint32_t symbol = holds(task) ? symbols_find(names, node, strlen(node)) : SYMBOL_NONE;
        next = task->next;
        if (symbol != SYMBOL_NONE) {
            add_task(&used[symbol], task);
        } else if (holds(task)) {
            import_note(import, "tasks on nodes that no file describes are skipped");
            cJSON_Delete(cJSON_DetachItemViaPointer(tasks, task));
        }
    }
}

void import_fit_nodes(struct import *import)
{
    struct symbols *names = symbols_create();
    struct used *used = NULL;
    size_t capacity = 0;
    cJSON *node, *job;
    cJSON_ArrayForEach(node, import->nodes)
    {
        const char *name = import_text(node, "name");
        uint32_t before = symbols_count(names), symbol = symbols_add(names, name, strlen(name));
        used = mem_grow(used, &capacity, symbol + (size_t)1, sizeof *used);
        if (symbol == before)
            used[symbol] = (struct used){.node = node, .mig = cJSON_CreateObject()};
    }
    const cJSON *jobs = used ? import->jobs : NULL; /* if there are no nodes at all, a file was
                                                       forgotten; that must not be hidden */
    cJSON_ArrayForEach(job, jobs)
    {
        add_tasks(import, cJSON_GetObjectItemCaseSensitive(job, "tasks"), names, used);
    }
    for (uint32_t i = 0; i < symbols_count(names); i++) {
        settle(import, &used[i]);
        cJSON_Delete(used[i].mig);
    }
    free(used);
    symbols_destroy(names);
}
