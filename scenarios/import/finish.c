/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known only after all files are read; see internal.h. */
#include "scenarios/import/internal.h"

#include "scenarios/import/rules.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PRIORITY 1e9

void import_class(cJSON *job, const char *name)
{
    import_put_text(job, IMPORT_CLASS, name);
}

void import_class_value(struct import *import, const char *name, const cJSON *value,
                        bool is_default)
{
    if (!cJSON_IsNumber(value) || *name == '\0')
        return;
    double priority = fmax(-MOST_PRIORITY, fmin(MOST_PRIORITY, value->valuedouble));
    import_number(import->classes, name, priority);
    if (is_default)
        import_number(import->classes, "", priority);
}

void import_alias(struct import *import, const char *space, const char *name, const char *queue)
{
    char *key = mem_format("%s/%s", *space ? space : "default", name);
    import_put_text(import->aliases, key, queue);
    free(key);
}

/* The key for succeeded tasks. Neither a job's id nor a role contains a newline. */
static char *ended_key(const char *job, const char *subgroup)
{
    return mem_format("%s\n%s", job, *subgroup ? subgroup : "default");
}

void import_ended(struct import *import, const char *job, const char *subgroup)
{
    char *key = ended_key(job, subgroup);
    uint32_t before = symbols_count(import->ended_ids);
    uint32_t symbol = symbols_add(import->ended_ids, key, strlen(key));
    free(key);
    if (symbol == before) {
        import->ended = mem_grow(import->ended, &import->ended_capacity, symbol + (size_t)1,
                                 sizeof *import->ended);
        import->ended[symbol] = 0;
    }
    import->ended[symbol]++;
}

/* ---- jobs ---- */

/* Returns NULL if its priority is not given. */
static const double *class_value(const struct import *import, const char *name)
{
    static const struct {
        const char *name;
        double value;
    } known[] = {
        {"", 50}, // KAI's default for groups without a class
        {"train", 50},
        {"build-preemptible", 75},
        {"build", 100},
        {"inference", 125},
        {"system-node-critical", MOST_PRIORITY},
        {"system-cluster-critical", MOST_PRIORITY},
    };
    const cJSON *value = import_at(import->classes, name);
    if (value)
        return &value->valuedouble;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return &known[i].value;
    return NULL;
}

/* Sets the class of its group, else that of its pods, else KAI's default for groups. */
static void resolve_class(struct import *import, cJSON *job)
{
    cJSON *own = cJSON_DetachItemFromObjectCaseSensitive(job, IMPORT_CLASS);
    cJSON *group = cJSON_DetachItemFromObjectCaseSensitive(job, IMPORT_GROUP_CLASS);
    const cJSON *had = import_at(job, "priority");
    bool silent = !cJSON_IsNumber(had) || fabs(had->valuedouble) <= 0; /* its pods have no class */
    const char *name = group && *group->valuestring != '\0' ? group->valuestring
                       : own                                ? own->valuestring
                       : group && silent                    ? ""
                                                            : NULL;
    const double *value = name ? class_value(import, name) : NULL;
    if (value) {
        import_number(job, "priority", *value);
    } else if (name) {
        char path[200];
        (void)snprintf(path, sizeof path, "priorityClassName '%.100s'", name);
        import_subject(import, "job", "", import_text(job, "id"));
        import_note_field(import, path,
                          "no file describes it: the priority is that of its pods, else 0");
    }
    cJSON_Delete(own);
    cJSON_Delete(group);
}

/* The setting of a KAI group takes precedence over its pods. */
static void resolve_preemptible(cJSON *job)
{
    cJSON *group = cJSON_DetachItemFromObjectCaseSensitive(job, IMPORT_GROUP_PREEMPTIBLE);
    if (group && *group->valuestring != '\0') {
        cJSON_DeleteItemFromObjectCaseSensitive(job, "preemptible");
        cJSON_AddBoolToObject(job, "preemptible",
                              strcmp(group->valuestring, "non-preemptible") != 0);
    }
    cJSON_Delete(group);
}

/* Without its group the size of the gang is unknown: all of its pods are required. */
static void note_lost_group(struct import *import, cJSON *job)
{
    cJSON *grouped = cJSON_DetachItemFromObjectCaseSensitive(job, IMPORT_GROUPED);
    if (cJSON_IsFalse(grouped)) {
        import_subject(import, "podgroup", "", import_text(job, "id"));
        import_note_field(import, "no file describes it", "all its pods have to start together");
    }
    cJSON_Delete(grouped);
}

/* Local queues of Kueue refer to another queue. */
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

/*
 * Ended tasks are no longer needed; a role whose tasks have all ended exists only while it has
 * tasks.
 */
static void lower_minimums(const struct import *import, cJSON *job)
{
    cJSON *role;
    cJSON_ArrayForEach(role, cJSON_GetObjectItemCaseSensitive(job, "roles"))
    {
        char *key = ended_key(import_text(job, "id"), import_text(role, "name"));
        uint32_t symbol = symbols_find(import->ended_ids, key, strlen(key));
        const cJSON *least = import_at(role, "min_tasks");
        free(key);
        if (symbol == SYMBOL_NONE || !cJSON_IsNumber(least))
            continue;
        double rest = least->valuedouble - import->ended[symbol];
        import_number(role, "min_tasks", fmax(1, rest));
        if (rest <= 0 && !import_at(role, IMPORT_OPTIONAL))
            cJSON_AddTrueToObject(role, IMPORT_OPTIONAL);
    }
}

static bool has_role(const cJSON *roles, const char *name)
{
    const cJSON *role;
    bool found = false;
    cJSON_ArrayForEach(role, roles)
    {
        found = found || strcmp(import_text(role, "name"), name) == 0;
    }
    return found;
}

/* A task without a role of its job counts for the first one. */
static void resolve_subgroup(struct import *import, const cJSON *job, cJSON *task,
                             const cJSON *roles)
{
    cJSON *name = cJSON_DetachItemFromObjectCaseSensitive(task, IMPORT_SUBGROUP);
    const char *wanted = name && name->valuestring ? name->valuestring : "default";
    if (has_role(roles, wanted)) {
        import_put_text(task, "role", wanted);
    } else if (roles && !import_at(task, "role")) {
        const char *first = import_text(cJSON_GetArrayItem(roles, 0), "name");
        char what[200];
        (void)snprintf(what, sizeof what, "'%.60s' is not a subgroup with pods: counts for '%.60s'",
                       wanted, first);
        import_task_subject(import, job, task);
        import_note_field(import, "subgroup", what);
        cJSON_AddStringToObject(task, "role", first);
    }
    cJSON_Delete(name);
}

static bool has_tasks(const cJSON *job, const char *role)
{
    const cJSON *task;
    cJSON_ArrayForEach(task, import_at(job, "tasks"))
    {
        if (strcmp(import_text(task, "role"), role) == 0)
            return true;
    }
    return false;
}

/* Removes the role from whichever group contains it. */
static void forget_role(cJSON *in, const char *name)
{
    cJSON *roles = cJSON_GetObjectItemCaseSensitive(in, "roles"), *role, *group;
    cJSON_ArrayForEach(role, roles)
    {
        if (cJSON_IsString(role) && strcmp(role->valuestring, name) == 0) {
            cJSON_Delete(cJSON_DetachItemViaPointer(roles, role));
            break;
        }
    }
    cJSON_ArrayForEach(group, cJSON_GetObjectItemCaseSensitive(in, "groups"))
    {
        forget_role(group, name);
    }
}

static void drop_empty_roles(cJSON *job)
{
    cJSON *roles = cJSON_GetObjectItemCaseSensitive(job, "roles"),
          *role = roles ? roles->child : NULL, *next;
    for (; role; role = next) {
        cJSON *optional = cJSON_DetachItemFromObjectCaseSensitive(role, IMPORT_OPTIONAL);
        next = role->next;
        if (optional && !has_tasks(job, import_text(role, "name"))) {
            forget_role(job, import_text(role, "name"));
            cJSON_Delete(cJSON_DetachItemViaPointer(roles, role));
        }
        cJSON_Delete(optional);
    }
}

static void resolve_job(struct import *import, cJSON *job)
{
    const cJSON *roles = import_at(job, "roles");
    cJSON *task;
    resolve_class(import, job);
    resolve_preemptible(job);
    note_lost_group(import, job);
    resolve_queue(import, job);
    lower_minimums(import, job);
    cJSON_ArrayForEach(task, cJSON_GetObjectItemCaseSensitive(job, "tasks"))
    {
        resolve_subgroup(import, job, task, roles);
    }
    drop_empty_roles(job);
}

/* Some pods may belong to another scheduler than the one that carries out the decisions. */
static void note_schedulers(struct import *import)
{
    const cJSON *name;
    if (cJSON_GetArraySize(import->schedulers) < 2)
        return;
    cJSON_ArrayForEach(name, import->schedulers)
    {
        import_subject(import, "pods of schedulerName", "", name->string);
        import_note_field(import, "spec.schedulerName",
                          "pending pods of all of them are decided on");
    }
}

void import_finish(struct import *import)
{
    cJSON *job;
    cJSON_ArrayForEach(job, import->jobs)
    {
        resolve_job(import, job);
    }
    note_schedulers(import);
    import_stuck(import);
    import_place_shares(import);
    import_fit_nodes(import);
    import_rules_apply(import);
}
