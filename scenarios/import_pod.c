/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pods that come one by one to a snapshot that is there; see import.h. */
#include "scenarios/import_kube.h"

#include <stdio.h>
#include <string.h>

static cJSON *find_task(cJSON *job, const char *id)
{
    cJSON *task;
    cJSON_ArrayForEach(task, cJSON_GetObjectItemCaseSensitive(job, "tasks"))
    {
        if (strcmp(import_text(task, "id"), id) == 0)
            return task;
    }
    return NULL;
}

/* Each node gets its name as a label, and the task wants one of the names. */
static void bind_to(struct import *import, cJSON *task, const char *const *nodes, size_t count)
{
    cJSON *node;
    cJSON_ArrayForEach(node, import->nodes)
    {
        cJSON *labels = import_object(node, "labels");
        import_put_text(labels, IMPORT_NODE_LABEL, import_text(node, "name"));
    }
    cJSON *affinity = import_object(task, "node_affinity");
    cJSON *names = cJSON_AddArrayToObject(affinity, IMPORT_NODE_LABEL);
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(names, cJSON_CreateString(nodes[i]));
}

bool import_ask(struct import *import, const cJSON *pod, const char *const *nodes, size_t count,
                char job_id[IMPORT_JOB_ID], struct err *err)
{
    const cJSON *meta = import_at(pod, "metadata");
    const char *name = import_text(meta, "name");
    import->file = "request";
    import->list = "Pod";
    import->index = 0;
    kube_job_of(meta, job_id);
    cJSON *job = import_find_job(import, job_id), *task = job ? find_task(job, name) : NULL;
    if (task)
        cJSON_Delete(cJSON_DetachItemViaPointer(cJSON_GetObjectItemCaseSensitive(job, "tasks"), task));
    if (!kube_add_pod(import, pod, err))
        return false;
    job = import_find_job(import, job_id);
    task = job ? find_task(job, name) : NULL;
    if (!task || *import_text(task, "node") != '\0')
        return import_fail(import, err, "a pod that has ended, is being deleted or is on a node already");
    bind_to(import, task, nodes, count);
    return true;
}

/* The pending task of that name in a job of the namespace. */
static cJSON *find_pending(struct import *import, const char *space, const char *pod, cJSON **its_job)
{
    size_t n = strlen(space);
    cJSON *job;
    cJSON_ArrayForEach(job, import->jobs)
    {
        const char *id = import_text(job, "id");
        if (strncmp(id, space, n) != 0 || id[n] != '/')
            continue;
        cJSON *task = find_task(job, pod);
        const char *state = task ? import_text(task, "state") : "";
        if (task && (*state == '\0' || strcmp(state, "pending") == 0)) {
            *its_job = job;
            return task;
        }
    }
    return NULL;
}

bool import_bound(struct import *import, const char *space, const char *pod, const char *uid,
                  const char *node)
{
    cJSON *job = NULL, *task = find_pending(import, space, pod, &job);
    const char *its = task ? import_text(task, "uid") : "";
    bool there = false;
    const cJSON *item;
    cJSON_ArrayForEach(item, import->nodes)
    {
        there = there || strcmp(import_text(item, "name"), node) == 0;
    }
    if (!task || !there || (*uid != '\0' && *its != '\0' && strcmp(uid, its) != 0))
        return false;
    import_put_text(task, "state", "running");
    import_put_text(task, "node", node);
    import_number(job, "last_start_ms", (double)import->now_ms);
    return true;
}
