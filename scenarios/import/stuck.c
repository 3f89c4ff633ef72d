/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A deleted pod should be gone after its grace period. If its grace period ended long ago, it is
 * stuck: its node does not respond, or a finalizer keeps it. Its devices may never become free, so
 * no task may be nominated for them, and evicting it again is useless. It becomes a separate job
 * that runs and may not be evicted. Like KAI, the limit is two minutes after the deletionTimestamp,
 * which includes the grace period.
 */
#include "scenarios/import/internal.h"

#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STUCK_MS 120000

/* Returns an id that no job has. A pod's name contains no blank. */
static char *own_id(const struct import *import, const char *id, const char *pod)
{
    const char *slash = strchr(id, '/');
    int n = slash ? (int)(slash - id) : 0;
    char *own = mem_format("%.*s/%s", n, id, pod);
    while (import_find_job(import, own)) {
        char *longer = mem_format("%s (stuck)", own);
        free(own);
        own = longer;
    }
    return own;
}

static cJSON *job_of_its_own(struct import *import, const cJSON *job, const char *pod)
{
    static const char *const kept[] = {"priority", "submit_ms", "last_start_ms"};
    char *id = own_id(import, import_text(job, "id"), pod);
    cJSON *own = import_job(import, id, import_text(job, "queue"));
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (import_at(job, kept[i]))
            cJSON_AddItemToObject(own, kept[i], cJSON_Duplicate(import_at(job, kept[i]), true));
    free(id);
    return own;
}

static void keep(struct import *import, cJSON *job, cJSON *task, double ago_ms)
{
    char what[100];
    (void)snprintf(what, sizeof what, "over for %.0f s: keeps what it holds, and cannot be evicted",
                   ago_ms / 1000);
    import_task_subject(import, job, task);
    import_note_field(import, "metadata.deletionTimestamp", what);
    import_put_text(task, "state", "running");
    cJSON_DeleteItemFromObjectCaseSensitive(task, "release_ms");
    cJSON_DeleteItemFromObjectCaseSensitive(task, "role");
    cJSON *tasks = cJSON_GetObjectItemCaseSensitive(job, "tasks");
    bool alone = cJSON_GetArraySize(tasks) == 1 && !import_at(job, "roles");
    if (!alone) {
        (void)cJSON_DetachItemViaPointer(tasks, task);
        job = job_of_its_own(import, job, import_text(task, "id"));
        cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(job, "tasks"), task);
    }
    cJSON_DeleteItemFromObjectCaseSensitive(job, "preemptible");
    cJSON_AddFalseToObject(job, "preemptible");
}

void import_stuck(struct import *import)
{
    cJSON *job;
    cJSON_ArrayForEach(job, import->jobs)
    {
        cJSON *tasks = cJSON_GetObjectItemCaseSensitive(job, "tasks"),
              *task = tasks ? tasks->child : NULL, *next;
        for (; task; task = next) {
            cJSON *deleted = cJSON_DetachItemFromObjectCaseSensitive(task, IMPORT_DELETED);
            double ago_ms = deleted ? (double)import->now_ms - deleted->valuedouble : 0;
            next = task->next;
            cJSON_Delete(deleted);
            if (ago_ms > STUCK_MS)
                keep(import, job, task, ago_ms);
        }
    }
}
