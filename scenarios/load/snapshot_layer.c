/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts a snapshot to fleet, queues and policy of a scenario; see snapshot_layer.h. */
#include "scenarios/load/snapshot_layer.h"

#include "scenarios/snapshot/snapshot.h"
#include "sim/base/file.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PEEK 65536 /* a snapshot identifies itself within this many bytes */

/* ---- queues ---- */

/* Converts amounts in thousandths to plain ones; -1 stays. */
static void put_share(cJSON *queue, const char *key, const struct policy_share *share, double unit,
                      int64_t fixed)
{
    cJSON *to = cJSON_AddObjectToObject(queue, key);
    cJSON_AddNumberToObject(to, "quota", share->quota < 0 ? -1 : (double)share->quota / unit);
    cJSON_AddNumberToObject(to, "limit", share->limit < 0 ? -1 : (double)share->limit / unit);
    cJSON_AddNumberToObject(to, "weight", (double)share->weight / 1000);
    if (fixed > 0)
        cJSON_AddNumberToObject(to, "fixed", (double)fixed / unit);
}

static void put_runtime(cJSON *queue, const char *key, int64_t ms)
{
    if (ms != POLICY_INHERIT)
        cJSON_AddNumberToObject(queue, key, (double)ms / 1000);
}

static const char *pool_name(const char *pool)
{
    return *pool != '\0' ? pool : "all"; /* like nodes without a pool */
}

static void put_pool_quotas(cJSON *queue, const struct snap_queue *from)
{
    cJSON *to = cJSON_AddObjectToObject(cJSON_GetObjectItem(queue, "gpu"), "by_pool");
    for (size_t i = 0, end; i < from->by_pool_count; i = end) {
        char *key = mem_text(pool_name(from->by_pool[i].pool));
        for (end = i + 1; end < from->by_pool_count && from->by_pool[end].joined; end++) {
            char *longer = mem_format("%s|%s", key, pool_name(from->by_pool[end].pool));
            free(key);
            key = longer;
        }
        cJSON_AddNumberToObject(to, key, (double)from->by_pool[i].quota_milli / 1000);
        free(key);
    }
}

static cJSON *queue_of(const struct snap_queue *from)
{
    cJSON *queue = cJSON_CreateObject();
    cJSON_AddStringToObject(queue, "name", from->name);
    cJSON_AddStringToObject(queue, "parent", from->parent);
    cJSON_AddNumberToObject(queue, "priority", from->priority);
    cJSON_AddNumberToObject(queue, "created_ms", (double)from->created_ms);
    put_share(queue, "gpu", &from->gpu, 1000, from->fixed_milli);
    put_share(queue, "cpu", &from->cpu, 1000, 0);
    put_share(queue, "mem", &from->mem, 1, 0);
    if (from->by_pool_count > 0)
        put_pool_quotas(queue, from);
    if (from->strict_order)
        cJSON_AddTrueToObject(queue, "strict"); /* all pools that it may use are named */
    if (from->spans_pools)
        cJSON_AddTrueToObject(queue, "gangs_span_pools");
    if (from->suspended)
        cJSON_AddTrueToObject(queue, "suspended");
    put_runtime(queue, "preempt_min_runtime_s", from->preempt_min_runtime_ms);
    put_runtime(queue, "reclaim_min_runtime_s", from->reclaim_min_runtime_ms);
    cJSON *pools = from->pool_count > 0 ? cJSON_AddArrayToObject(queue, "pools") : NULL;
    for (size_t i = 0; i < from->pool_count; i++)
        cJSON_AddItemToArray(pools, cJSON_CreateString(pool_name(from->pools[i])));
    return queue;
}

static bool has_strays(const struct snapshot *s)
{
    for (size_t j = 0; j < s->job_count; j++)
        for (uint32_t t = 0; s->jobs[j].stray != SNAP_IN_QUEUE && t < s->jobs[j].task_count; t++)
            if (snap_holds(&s->jobs[j].tasks[t]))
                return true;
    return false;
}

static cJSON *stray_queue(void)
{
    const struct snap_queue none = {.name = SNAPSHOT_NO_QUEUE,
                                    .parent = "",
                                    .priority = -1000000000,
                                    .gpu = {0, POLICY_UNLIMITED, 0},
                                    .cpu = {POLICY_UNLIMITED, POLICY_UNLIMITED, 0},
                                    .mem = {POLICY_UNLIMITED, POLICY_UNLIMITED, 0},
                                    .preempt_min_runtime_ms = POLICY_INHERIT,
                                    .reclaim_min_runtime_ms = POLICY_INHERIT};
    return queue_of(&none);
}

/*
 * Returns the queues in the order in which they are added to a core. NULL: there are none, and jobs
 * name theirs.
 */
static cJSON *queues_of(const struct snapshot *s)
{
    if (s->queue_count == 0)
        return NULL;
    cJSON *queues = cJSON_CreateArray();
    for (size_t i = 0; i < s->queue_count; i++) {
        const struct snap_queue *queue = &s->queues[s->queue_order[i]];
        if (!queue->lost)
            cJSON_AddItemToArray(queues, queue_of(queue));
    }
    if (has_strays(s))
        cJSON_AddItemToArray(queues, stray_queue());
    return queues;
}

/* ---- the layer ---- */

static void add(cJSON *merged, const char *key, cJSON *value)
{
    cJSON_DeleteItemFromObjectCaseSensitive(merged, key); // a null counts as absent
    cJSON_AddItemToObject(merged, key, value);
}

static void add_policy(cJSON *merged, const struct snapshot *s)
{
    if (!json_member(merged, "policy"))
        add(merged, "policy", cJSON_CreateObject());
    cJSON *policy = json_member(merged, "policy");
    if (json_member(policy, "name"))
        return;
    add(policy, "name", cJSON_CreateString(s->policy.name));
    cJSON *options = cJSON_CreateObject();
    for (size_t i = 0; i < s->policy.option_count; i++)
        cJSON_AddStringToObject(options, s->policy.options[i].name, s->policy.options[i].value);
    if (!json_member(policy, "options"))
        add(policy, "options", options);
    else
        cJSON_Delete(options);
}

bool build_layer(struct build *build)
{
    static const char path[] = "start.snapshot";
    cJSON *merged = build->layers.merged;
    const cJSON *name = json_find(merged, path);
    if (!name || !build->files)
        return true;
    const struct snapshot *s = build_snapshot(build, path, name->valuestring);
    if (!s)
        return false;
    if (!json_member(merged, "fleet"))
        add(merged, "fleet", cJSON_CreateObject());
    cJSON *fleet = json_member(merged, "fleet"), *queues = NULL;
    if (!json_member(fleet, "pools") && !json_member(fleet, "pools_file") &&
        !json_member(fleet, "nodes_file")) {
        add(fleet, "nodes_file", cJSON_CreateString(name->valuestring));
        add(fleet, "format", cJSON_CreateString("snapshot"));
    }
    if (!json_member(merged, "queues") && !json_member(merged, "queues_file"))
        queues = queues_of(s);
    if (queues)
        add(merged, "queues", queues);
    add_policy(merged, s);
    return true;
}

/* ---- a snapshot in place of a scenario ---- */

/* A pipe can be read only once, so it is left to the full reader. */
bool snapshot_is_one(const char *path, bool *is, struct err *err)
{
    struct stat status;
    *is = false;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return true;
    char *text = mem_alloc(PEEK + 1, 1);
    enum file_found found = file_head(path, text, PEEK + 1, err);
    *is = strstr(text, "\"fauxfleet_snapshot\"") && !strstr(text, "\"fauxfleet_scenario\"");
    free(text);
    return found == FILE_FOUND;
}

char *snapshot_scenario(const char *path)
{
    const char *slash = strrchr(path, '/');
    cJSON *tree = cJSON_CreateObject(), *start = cJSON_CreateObject();
    cJSON_AddNumberToObject(tree, "fauxfleet_scenario", 1);
    cJSON_AddStringToObject(start, "snapshot", slash ? slash + 1 : path);
    cJSON_AddItemToObject(tree, "start", start);
    char *text = cJSON_PrintUnformatted(tree);
    cJSON_Delete(tree);
    return text;
}
