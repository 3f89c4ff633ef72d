/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A snapshot as the first file: it is taken unchanged, and later files can refer to its jobs and
 * queues by name. Only what is used is checked here; the resulting snapshot is checked when it is
 * read.
 */
#include "scenarios/import/internal.h"

#include <string.h>

/* Returns the list at that key, creating it if absent; NULL if it is something else. */
static cJSON *list_of(cJSON *root, const char *key)
{
    cJSON *list = cJSON_GetObjectItemCaseSensitive(root, key);
    if (!list)
        return cJSON_AddArrayToObject(root, key);
    return cJSON_IsArray(list) ? list : NULL;
}

static void strip(cJSON *object, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cJSON_DeleteItemFromObjectCaseSensitive(object, keys[i]);
}

/* Members that only the importer uses must not come from a file. */
static void strip_job(cJSON *job, cJSON *tasks)
{
    static const char *const own[] = {IMPORT_CLASS, IMPORT_GROUP_CLASS, IMPORT_GROUP_PREEMPTIBLE,
                                      IMPORT_GROUPED};
    static const char *const of_role[] = {IMPORT_OPTIONAL};
    static const char *const of_task[] = {IMPORT_SUBGROUP, IMPORT_DEVICE_GROUPS, IMPORT_RULES,
                                          IMPORT_DELETED};
    cJSON *item;
    strip(job, own, sizeof own / sizeof *own);
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(job, "roles"))
    {
        strip(item, of_role, sizeof of_role / sizeof *of_role);
    }
    cJSON_ArrayForEach(item, tasks)
    {
        strip(item, of_task, sizeof of_task / sizeof *of_task);
    }
}

static bool know_jobs(struct import *import, struct err *err)
{
    cJSON *job;
    import->list = "jobs";
    import->index = 0;
    cJSON_ArrayForEach(job, import->jobs)
    {
        cJSON *tasks = cJSON_IsObject(job) ? list_of(job, "tasks") : NULL;
        if (!tasks || *import_text(job, "id") == '\0' || !import_know_job(import, job))
            return import_fail(import, err, "expected a job with tasks and an id of its own");
        if (!cJSON_IsString(import_at(job, "queue")))
            import_put_text(job, "queue", "default");
        strip_job(job, tasks);
        import->index++;
    }
    return true;
}

bool import_base(struct import *import, const cJSON *root, struct err *err)
{
    const cJSON *queue, *now = import_at(root, "now_ms");
    if (import->nodes->child || import->queues->child || import->jobs->child)
        return err_set(err, EXIT_INPUT, "%s: a snapshot has to be the first of the files",
                       import->file);
    cJSON *copy = cJSON_Duplicate(root, true);
    BUG_ON(!copy);
    cJSON_Delete(import->root);
    import->root = copy;
    cJSON *nodes = list_of(copy, "nodes"), *queues = list_of(copy, "queues"),
          *jobs = list_of(copy, "jobs");
    if (!nodes || !queues || !jobs) {
        // the importer stays valid, and empty
        cJSON_Delete(copy);
        import->root = cJSON_CreateObject();
        import->nodes = list_of(import->root, "nodes");
        import->queues = list_of(import->root, "queues");
        import->jobs = list_of(import->root, "jobs");
        return err_set(err, EXIT_INPUT, "%s: nodes, queues and jobs: expected lists", import->file);
    }
    import->nodes = nodes;
    import->queues = queues;
    import->jobs = jobs;
    cJSON_ArrayForEach(queue, queues)
    {
        import_know_queue(import, import_text(queue, "name"));
    }
    if (cJSON_IsNumber(now) && now->valuedouble > 0 && now->valuedouble < 9e15)
        import_event(import, (int64_t)now->valuedouble);
    return know_jobs(import, err);
}
