/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can only be said when all files are read; see import_internal.h. */
#include "scenarios/import_internal.h"

#include "scenarios/import_rules.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void import_class(cJSON *job, const char *name)
{
    import_put_text(job, IMPORT_CLASS, name);
}

void import_class_value(struct import *import, const char *name, const cJSON *value)
{
    if (cJSON_IsNumber(value) && *name != '\0')
        import_number(import->classes, name, fmax(-1e9, fmin(1e9, value->valuedouble)));
}

void import_alias(struct import *import, const char *space, const char *name, const char *queue)
{
    char *key = mem_format("%s/%s", *space ? space : "default", name);
    import_put_text(import->aliases, key, queue);
    free(key);
}

void import_ended(struct import *import, const char *job)
{
    uint32_t before = symbols_count(import->ended_ids);
    uint32_t symbol = symbols_add(import->ended_ids, job, strlen(job));
    if (symbol == before) {
        import->ended =
            mem_grow(import->ended, &import->ended_capacity, symbol + (size_t)1, sizeof *import->ended);
        import->ended[symbol] = 0;
    }
    import->ended[symbol]++;
}

/* ---- jobs ---- */

static void resolve_class(struct import *import, cJSON *job)
{
    cJSON *name = cJSON_DetachItemFromObjectCaseSensitive(job, IMPORT_CLASS);
    const cJSON *value = name ? import_at(import->classes, name->valuestring) : NULL;
    if (value)
        import_number(job, "priority", value->valuedouble);
    else if (name)
        import_note(import, "a priority class that no file describes counts as priority 0");
    cJSON_Delete(name);
}

/* Local queues of Kueue stand for another one. */
static void resolve_queue(struct import *import, cJSON *job)
{
    const char *id = import_text(job, "id"), *slash = strchr(id, '/');
    char *key = mem_format("%.*s/%s", slash ? (int)(slash - id) : 0, id, import_text(job, "queue"));
    const char *queue = import_text(import->aliases, key);
    if (*queue != '\0')
        import_queue_of(job, queue);
    import_queue_name(import, import_text(job, "queue"));
    free(key);
}

/* What has ended is not needed again. */
static void lower_minimum(struct import *import, cJSON *job)
{
    const char *id = import_text(job, "id");
    uint32_t symbol = symbols_find(import->ended_ids, id, strlen(id));
    cJSON *roles = cJSON_GetObjectItemCaseSensitive(job, "roles");
    const cJSON *least = import_at(cJSON_GetArrayItem(roles, 0), "min_tasks");
    if (symbol == SYMBOL_NONE || !least)
        return;
    if (cJSON_GetArraySize(roles) == 1)
        import_number(cJSON_GetArrayItem(roles, 0), "min_tasks",
                      fmax(1, least->valuedouble - import->ended[symbol]));
    else
        import_note(import, "tasks that have ended are not deducted from the minimums of subgroups");
}

/* Tasks of a job with subgroups that name none of them make one more, all of which is wanted. */
static void resolve_subgroup(struct import *import, cJSON *task, cJSON *roles)
{
    cJSON *name = cJSON_DetachItemFromObjectCaseSensitive(task, IMPORT_SUBGROUP), *role;
    const char *wanted = name && name->valuestring ? name->valuestring : "default";
    bool found = false;
    cJSON_ArrayForEach(role, roles)
    {
        found = found || strcmp(import_text(role, "name"), wanted) == 0;
    }
    if (found) {
        import_put_text(task, "role", wanted);
    } else if (roles && !import_at(task, "role")) {
        import_note(import, "a task of no subgroup of its group counts to the first");
        cJSON_AddStringToObject(task, "role", import_text(cJSON_GetArrayItem(roles, 0), "name"));
    }
    cJSON_Delete(name);
}

void import_finish(struct import *import)
{
    cJSON *job, *task;
    cJSON_ArrayForEach(job, import->jobs)
    {
        cJSON *roles = cJSON_GetObjectItemCaseSensitive(job, "roles");
        resolve_class(import, job);
        resolve_queue(import, job);
        lower_minimum(import, job);
        cJSON_ArrayForEach(task, cJSON_GetObjectItemCaseSensitive(job, "tasks"))
        {
            resolve_subgroup(import, task, roles);
        }
    }
    import_place_shares(import);
    import_fit_nodes(import);
    import_rules_apply(import);
}
