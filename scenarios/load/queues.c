/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues, from the scenario or a file: their names, parents and bound pools. */
#include "scenarios/load/fill.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns ", did you mean ..." with the names of a table. */
static const char *suggest(const struct symbols *known, const char *name, char hint[128])
{
    uint32_t count = symbols_count(known);
    const char **names = mem_alloc(count, sizeof *names);
    for (uint32_t i = 0; i < count; i++)
        names[i] = symbols_name(known, i);
    text_suggest(hint, 128, name, names, count, sizeof *names);
    free(names);
    return hint;
}

static bool bind_pools(struct build *build, const char *path, const cJSON *list,
                       struct scen_queue *queue)
{
    size_t count = (size_t)cJSON_GetArraySize(list), n = 0;
    if (count == 0)
        return true;
    const char **pools = build_alloc(build, count, sizeof *pools);
    for (const cJSON *entry = list->child; entry; entry = entry->next) {
        const char *name = entry->valuestring;
        char at[96], hint[128];
        (void)snprintf(at, sizeof at, "%s.pools[%zu]", path, n);
        // without files, the pools of a list are unknown
        bool known = symbols_find(build->pools, name, strlen(name)) != SYMBOL_NONE || !build->files;
        if (!known)
            return build_fail(build, at, "unknown pool '%.64s'%s", name,
                              suggest(build->pools, name, hint));
        for (size_t i = 0; i < n; i++) {
            if (strcmp(pools[i], name) == 0)
                return build_fail(build, at, "the pool '%.64s' is named twice", name);
        }
        pools[n++] = name;
    }
    queue->pools = pools;
    queue->pool_count = n;
    return true;
}

/* Returns false if the name is already used. */
static bool add_queue(struct build *build, const struct scen_queue *queue)
{
    struct scenario *scenario = &build->scenario;
    size_t length = strlen(queue->name);
    if (symbols_find(build->queues, queue->name, length) != SYMBOL_NONE)
        return false;
    symbols_add(build->queues, queue->name, length);
    scenario->queues[scenario->queue_count++] = *queue;
    return true;
}

/* Sessions that are not preemptible get at most the quota, so keeping more would be useless. */
static bool check_fixed(struct build *build, const char *path, const struct scen_queue *queue)
{
    bool limited = queue->gpu_limit_milli >= 0 && queue->fixed_milli > queue->gpu_limit_milli;
    bool over = queue->gpu_quota_milli >= 0 && queue->fixed_milli > queue->gpu_quota_milli;
    int64_t most = over ? queue->gpu_quota_milli : queue->gpu_limit_milli;
    char at[80];
    if (!limited && !over)
        return true;
    (void)snprintf(at, sizeof at, "%s.gpu.fixed", path);
    return build_fail(
        build, at, "%g GPUs are kept for sessions that never get more than the queue's %s of %g",
        (double)queue->fixed_milli / 1000.0, over ? "quota" : "limit", (double)most / 1000.0);
}

static bool fill_list(struct build *build, const cJSON *list)
{
    size_t i = 0;
    build->scenario.queues =
        build_alloc(build, (size_t)cJSON_GetArraySize(list), sizeof(struct scen_queue));
    for (const cJSON *entry = list->child; entry; entry = entry->next, i++) {
        const cJSON *gpu = json_member(entry, "gpu"), *cpu = json_member(entry, "cpu");
        const cJSON *mem = json_member(entry, "mem"), *pools = json_member(entry, "pools");
        struct scen_queue queue = {
            .name = fill_text(entry, "name"),
            .parent = fill_text(entry, "parent"),
            .priority = (int)fill_integer(entry, "priority"),
            .created_ms = fill_integer(entry, "created_ms"),
            .gpu_quota_milli = fill_scaled(gpu, "quota", 1000),
            .gpu_limit_milli = fill_scaled(gpu, "limit", 1000),
            .gpu_weight_milli = fill_scaled(gpu, "weight", 1000),
            .cpu_quota_milli = fill_scaled(cpu, "quota", 1000),
            .cpu_limit_milli = fill_scaled(cpu, "limit", 1000),
            .cpu_weight_milli = fill_scaled(cpu, "weight", 1000),
            .mem_quota_mib = fill_scaled(mem, "quota", 1),
            .mem_limit_mib = fill_scaled(mem, "limit", 1),
            .mem_weight_milli = fill_scaled(mem, "weight", 1000),
            .preempt_min_runtime_ms = fill_ms(entry, "preempt_min_runtime_s", -1),
            .reclaim_min_runtime_ms = fill_ms(entry, "reclaim_min_runtime_s", -1),
            .fixed_milli = fill_scaled(gpu, "fixed", 1000),
            .suspended = cJSON_IsTrue(json_member(entry, "suspended")),
            .ordered_pools = true,
            .strict_order = cJSON_IsBool(json_member(entry, "strict")),
            .others_too = cJSON_IsFalse(json_member(entry, "strict")),
            .spans_pools = cJSON_IsTrue(json_member(entry, "gangs_span_pools")),
        };
        char path[64], at[80];
        (void)snprintf(path, sizeof path, "queues[%zu]", i);
        (void)snprintf(at, sizeof at, "%s.name", path);
        if (!add_queue(build, &queue))
            return build_fail(build, at, "there are two queues of the name '%.64s'", queue.name);
        if (json_member(entry, "strict") != NULL && pools == NULL)
            return build_fail(build, path, "`strict` goes with `pools`");
        if (pools && !bind_pools(build, path, pools, &build->scenario.queues[i]))
            return false;
        if (!fill_pool_quotas(build, path, json_member(gpu, "by_pool"),
                              &build->scenario.queues[i]) ||
            !check_fixed(build, path, &build->scenario.queues[i]))
            return false;
    }
    return true;
}

/*
 * The source of the queues: rows[i] is the i-th queue of a file; NULL if they are in the scenario.
 */
struct queue_list {
    const char *file;
    const struct trace_queue *rows;
};

static void digest_queue(struct build *build, const struct trace_queue *row)
{
    char text[96];
    (void)snprintf(text, sizeof text, "%" PRId64 ",%" PRId64 ",%" PRId64, row->quota_milli,
                   row->limit_milli, row->weight_milli);
    digest_add(&build->digest, row->name, strlen(row->name) + 1);
    digest_add(&build->digest, row->parent, strlen(row->parent) + 1);
    digest_add(&build->digest, text, strlen(text) + 1);
}

static bool read_queues(struct build *build, struct queue_list *list, const char *name)
{
    static const char path[] = "queues_file";
    struct trace_queue *rows = NULL;
    size_t count = 0;
    list->file = build_file(build, path, name);
    if (!trace_read_queues(list->file, &rows, &count, build->err))
        return build_blame(build, path);
    build_keep(build, rows);
    list->rows = rows;
    build->scenario.queues = build_alloc(build, count, sizeof(struct scen_queue));
    for (size_t i = 0; i < count; i++) {
        struct scen_queue queue = {
            .name = rows[i].name,
            .parent = rows[i].parent,
            .priority = 100,
            .gpu_quota_milli = rows[i].quota_milli,
            .gpu_limit_milli = rows[i].limit_milli,
            .gpu_weight_milli = rows[i].weight_milli,
            .cpu_quota_milli = -1,
            .cpu_limit_milli = -1,
            .cpu_weight_milli = 1000,
            .mem_quota_mib = -1,
            .mem_limit_mib = -1,
            .mem_weight_milli = 1000,
            .preempt_min_runtime_ms = -1,
            .reclaim_min_runtime_ms = -1,
        };
        if (!add_queue(build, &queue))
            return build_fail_row(build, path, list->file, &rows[i].origin, rows[i].origin.name,
                                  "there are two queues of the name '%.64s'", queue.name);
        digest_queue(build, &rows[i]);
    }
    return true;
}

/* Sets the error about the parent of the i-th queue, with the location of its source. */
static bool fail_parent(struct build *build, const struct queue_list *list, size_t i,
                        const char *message)
{
    char path[64];
    (void)snprintf(path, sizeof path, "queues[%zu].parent", i);
    if (!list->rows)
        return build_fail(build, path, "%s", message);
    const struct trace_origin *origin = &list->rows[i].origin;
    return build_fail_row(build, "queues_file", list->file, origin, origin->other, "%s", message);
}

/* Ids of queues are their indexes in the array: both grow together in add_queue(). */
static bool check_parents(struct build *build, const struct queue_list *list, uint32_t *parents)
{
    const struct scenario *scenario = &build->scenario;
    for (size_t i = 0; i < scenario->queue_count; i++) {
        const struct scen_queue *queue = &scenario->queues[i];
        char message[256], hint[128];
        parents[i] = SYMBOL_NONE;
        if (*queue->parent == '\0')
            continue;
        parents[i] = symbols_find(build->queues, queue->parent, strlen(queue->parent));
        if (parents[i] != SYMBOL_NONE)
            continue;
        (void)snprintf(message, sizeof message, "unknown queue '%.64s'%s", queue->parent,
                       suggest(build->queues, queue->parent, hint));
        return fail_parent(build, list, i, message);
    }
    return true;
}

/*
 * Every walk upwards must reach a root. Walks mark their path, and stop where an earlier one has
 * been.
 */
static bool check_circles(struct build *build, const struct queue_list *list,
                          const uint32_t *parents, size_t *walked)
{
    for (size_t i = 0; i < build->scenario.queue_count; i++) {
        size_t at = i;
        while (walked[at] == 0) {
            walked[at] = i + 1;
            if (parents[at] == SYMBOL_NONE)
                break;
            at = parents[at];
        }
        if (walked[at] == i + 1 && parents[at] != SYMBOL_NONE) {
            char message[128];
            (void)snprintf(message, sizeof message, "the queue '%.64s' is its own ancestor",
                           build->scenario.queues[at].name);
            return fail_parent(build, list, at, message);
        }
    }
    return true;
}

bool fill_queues(struct build *build)
{
    const cJSON *queues = json_member(build->tree, "queues");
    const char *file = fill_text(build->tree, "queues_file");
    build->scenario.queues_from_trace = !file && !cJSON_IsArray(queues);
    if (cJSON_IsArray(queues) && !fill_list(build, queues))
        return false;
    struct queue_list list = {0};
    if (file && build->files && !read_queues(build, &list, file))
        return false;
    size_t count = build->scenario.queue_count;
    uint32_t *parents = mem_alloc(count, sizeof *parents);
    size_t *walked = mem_alloc(count, sizeof *walked);
    bool ok = check_parents(build, &list, parents) && check_circles(build, &list, parents, walked);
    free(parents);
    free(walked);
    return ok;
}
