/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The nodes on which durations were recorded (workload.recorded_on). The default comes from the
 * scenario's file as written: changing the fleet on the command line changes how fast jobs run, but
 * never the meaning of their durations.
 *
 *     fleet.pools       the node of the first pool with GPUs
 *     fleet.pools_file  the first pool with GPUs: their number and type
 *     fleet.nodes_file  the first node with GPUs, of a list or of a snapshot: their number, type
 * and memory
 *
 * It is written into the resolved scenario, so that a run directory's own scenario gives the same
 * result.
 */
#include "scenarios/load/fill.h"
#include "scenarios/load/listed_nodes.h"
#include "scenarios/snapshot/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the default ---- */

static cJSON *node_with(int64_t gpus, const char *type, int64_t mem_mib)
{
    cJSON *node = cJSON_CreateObject();
    cJSON_AddNumberToObject(node, "gpus", (double)gpus);
    cJSON_AddStringToObject(node, "gpu_type", *type ? type : "any");
    if (mem_mib > 0)
        cJSON_AddNumberToObject(node, "gpu_mem_mib", (double)mem_mib);
    return node;
}

/* A node of the catalogue has GPUs; an invalid node is refused later. */
static cJSON *of_pools(const cJSON *pools)
{
    for (const cJSON *pool = pools->child; pool; pool = pool->next) {
        const cJSON *node = json_member(pool, "node");
        const cJSON *gpus = cJSON_IsObject(node) ? json_member(node, "gpus") : NULL;
        if (cJSON_IsString(node) || (cJSON_IsNumber(gpus) && gpus->valuedouble > 0))
            return cJSON_Duplicate(node, true);
    }
    return NULL;
}

static cJSON *of_pools_file(const char *file, struct err *err)
{
    struct trace_pool *rows = NULL;
    size_t count = 0, i = 0;
    if (!trace_read_pools(file, &rows, &count, err))
        return NULL;
    while (i < count && rows[i].gpus_per_node <= 0)
        i++;
    cJSON *node = i < count ? node_with(rows[i].gpus_per_node, rows[i].gpu_type, 0) : NULL;
    free(rows);
    return node;
}

static cJSON *of_list(const char *file, struct err *err)
{
    struct trace_node *rows = NULL;
    size_t count = 0, i = 0;
    if (!trace_read_nodes(file, &rows, &count, err))
        return NULL;
    while (i < count && rows[i].gpus <= 0)
        i++;
    cJSON *node = NULL;
    if (i < count) {
        const struct listed_gpu *known = listed_gpu_find(rows[i].gpu_type);
        node = node_with(rows[i].gpus, known ? known->known_as : rows[i].gpu_type, 0);
    }
    free(rows);
    return node;
}

static cJSON *of_snapshot(struct build *build, const char *path, const char *name)
{
    const struct snapshot *s = build_snapshot(build, path, name);
    for (size_t i = 0; s && i < s->node_count; i++)
        if (s->nodes[i].gpus > 0)
            return node_with(s->nodes[i].gpus, s->nodes[i].gpu_type, s->nodes[i].gpu_mem_mib);
    return NULL;
}

/* Returns NULL also if a file cannot be read: its reader reports that. */
static cJSON *first_node(struct build *build)
{
    const cJSON *fleet = json_member(build->layers.merged, "fleet");
    const cJSON *pools = json_member(fleet, "pools"), *file = json_member(fleet, "pools_file"),
                *list = json_member(fleet, "nodes_file"), *format = json_member(fleet, "format");
    const cJSON *start = json_find(build->layers.merged, "start.snapshot");
    if (cJSON_IsArray(pools))
        return of_pools(pools);
    if (!build->files || !(file || list))
        return NULL;
    struct err ignored = {0}, *err = build->err;
    cJSON *node = NULL;
    build->err = &ignored;
    if (file)
        node = of_pools_file(build_file(build, "fleet.pools_file", file->valuestring), &ignored);
    else if (!cJSON_IsString(format) || strcmp(format->valuestring, "snapshot") != 0)
        node = of_list(build_file(build, "fleet.nodes_file", list->valuestring), &ignored);
    else
        node =
            of_snapshot(build,
                        cJSON_IsString(start) && strcmp(start->valuestring, list->valuestring) == 0
                            ? "start.snapshot"
                            : "fleet.nodes_file",
                        list->valuestring);
    build->err = err;
    return node;
}

void recorded_remember(struct build *build)
{
    build->recorded_on = first_node(build);
}

/* ---- parts without a node ---- */

static void complete_part(struct build *build, cJSON *part)
{
    if (!cJSON_IsObject(part) || json_member(part, "recorded_on"))
        return;
    cJSON_DeleteItemFromObjectCaseSensitive(part, "recorded_on"); // a null counts as absent
    cJSON_AddItemToObject(part, "recorded_on", cJSON_Duplicate(build->recorded_on, true));
    build->scenario.recorded_assumed = true;
}

void recorded_complete(struct build *build)
{
    if (!build->recorded_on)
        build->recorded_on = first_node(build); // the only fleet comes from the command line
    if (!build->recorded_on)
        return;
    cJSON *merged = build->layers.merged, *workload = json_member(merged, "workload");
    if (!workload) {
        cJSON_DeleteItemFromObjectCaseSensitive(merged, "workload");
        cJSON_AddItemToObject(merged, "workload", cJSON_CreateObject());
        workload = json_member(merged, "workload");
    }
    if (!cJSON_IsArray(workload))
        complete_part(build, workload);
    for (cJSON *part = cJSON_IsArray(workload) ? workload->child : NULL; part; part = part->next)
        complete_part(build, part);
}

/* ---- the typed structs ---- */

/* The first part's applies to all jobs that do not state it, including those of a snapshot. */
bool fill_recorded_on(struct build *build, const char *part, const cJSON *tree,
                      struct scen_source *source)
{
    const cJSON *value = json_member(tree, "recorded_on");
    char path[96];
    if (!value)
        return true;
    (void)snprintf(path, sizeof path, "%s.recorded_on", part);
    struct scen_node *node = build_alloc(build, 1, sizeof *node);
    if (!build_node(build, path, value, node))
        return false;
    if (node->gpus < 1)
        return build_fail(build, path,
                          "a node without GPUs; expected one on which the jobs can have run");
    source->recorded_on = node;
    source->recorded_name = *node->name ? node->name : build_text(build, path);
    if (!build->scenario.recorded_on)
        build->scenario.recorded_on = node;
    return true;
}
