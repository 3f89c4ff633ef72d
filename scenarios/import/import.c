/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects the importer for a file, and holds the snapshot that the files fill; see import.h. */
#include "scenarios/import/anonymise.h"
#include "scenarios/import/internal.h"

#include "scenarios/json/source.h"
#include "scenarios/snapshot/snapshot.h"
#include "sim/base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct import *import_create(void)
{
    struct import *import = mem_alloc(1, sizeof *import);
    import->root = cJSON_CreateObject();
    cJSON_AddNumberToObject(import->root, "fauxfleet_snapshot", 1);
    cJSON_AddNumberToObject(import->root, "now_ms", 0);
    import->nodes = cJSON_AddArrayToObject(import->root, "nodes");
    import->queues = cJSON_AddArrayToObject(import->root, "queues");
    import->jobs = cJSON_AddArrayToObject(import->root, "jobs");
    import->queue_names = symbols_create();
    import->meant_queues = symbols_create();
    import->job_ids = symbols_create();
    import->ended_ids = symbols_create();
    import->rule_names = symbols_create();
    import->classes = cJSON_CreateObject();
    import->aliases = cJSON_CreateObject();
    import->schedulers = cJSON_CreateObject();
    import->field_names = symbols_create();
    import->serial = 1;
    return import;
}

void import_destroy(struct import *import)
{
    if (!import)
        return;
    cJSON_Delete(import->root);
    import_notes_fini(import);
    symbols_destroy(import->queue_names);
    symbols_destroy(import->meant_queues);
    symbols_destroy(import->job_ids);
    for (uint32_t i = 0; i < symbols_count(import->rule_names); i++)
        cJSON_Delete(import->rules[i]);
    symbols_destroy(import->ended_ids);
    symbols_destroy(import->rule_names);
    cJSON_Delete(import->classes);
    cJSON_Delete(import->aliases);
    cJSON_Delete(import->schedulers);
    free(import->rules);
    free(import->ended);
    free(import->queue_given);
    free(import->queue_wanted);
    free(import->job_of);
    free(import);
}

/* ---- adding ---- */

bool import_fail(struct import *import, struct err *err, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return err_set(err, EXIT_INPUT, "%s: %s[%zu]: %s", import->file, import->list, import->index,
                   message);
}

const cJSON *import_at(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

const char *import_text(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(import_at(object, key));
    return text ? text : "";
}

const cJSON *import_members(const cJSON *value)
{
    return cJSON_IsObject(value) ? value : NULL;
}

cJSON *import_object(cJSON *object, const char *key)
{
    cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);
    if (cJSON_IsObject(member))
        return member;
    cJSON_DeleteItemFromObjectCaseSensitive(object, key);
    return cJSON_AddObjectToObject(object, key);
}

void import_put_text(cJSON *object, const char *key, const char *text)
{
    cJSON_DeleteItemFromObjectCaseSensitive(object, key);
    cJSON_AddStringToObject(object, key, text);
}

void import_number(cJSON *object, const char *key, double value)
{
    cJSON_DeleteItemFromObjectCaseSensitive(object, key);
    cJSON_AddNumberToObject(object, key, value);
}

void import_latest(cJSON *object, const char *key, int64_t ms)
{
    const cJSON *had = import_at(object, key);
    if (!cJSON_IsNumber(had) || (double)ms > had->valuedouble)
        import_number(object, key, (double)ms);
}

void import_earliest(cJSON *object, const char *key, int64_t ms)
{
    const cJSON *had = import_at(object, key);
    if (!cJSON_IsNumber(had) || (double)ms < had->valuedouble)
        import_number(object, key, (double)ms);
}

void import_event(struct import *import, int64_t ms)
{
    import->now_ms = ms > import->now_ms ? ms : import->now_ms;
}

static uint32_t queue_symbol(struct import *import, const char *name)
{
    uint32_t symbol = symbols_add(import->queue_names, name, strlen(name));
    size_t known = import->queue_capacity, room = known;
    import->queue_given = mem_grow(import->queue_given, &import->queue_capacity, symbol + (size_t)1,
                                   sizeof *import->queue_given);
    import->queue_wanted =
        mem_grow(import->queue_wanted, &room, symbol + (size_t)1, sizeof *import->queue_wanted);
    for (; known < import->queue_capacity; known++)
        import->queue_given[known] = import->queue_wanted[known] = false;
    return symbol;
}

bool import_know_job(struct import *import, cJSON *job)
{
    const char *id = import_text(job, "id");
    uint32_t before = symbols_count(import->job_ids),
             symbol = symbols_add(import->job_ids, id, strlen(id));
    if (symbol < before)
        return false;
    import->job_of =
        mem_grow(import->job_of, &import->job_capacity, symbol + (size_t)1, sizeof *import->job_of);
    import->job_of[symbol] = job;
    return true;
}

void import_know_queue(struct import *import, const char *name)
{
    uint32_t symbol = queue_symbol(import, name); // may move queue_given
    import->queue_given[symbol] = true;
}

cJSON *import_find_job(const struct import *import, const char *id)
{
    uint32_t symbol = symbols_find(import->job_ids, id, strlen(id));
    return symbol == SYMBOL_NONE ? NULL : import->job_of[symbol];
}

cJSON *import_job(struct import *import, const char *id, const char *queue)
{
    cJSON *job = import_find_job(import, id);
    if (job)
        return job;
    job = cJSON_CreateObject();
    cJSON_AddStringToObject(job, "id", id);
    (void)import_know_job(import, job);
    cJSON_AddStringToObject(job, "queue", queue);
    cJSON_AddItemToArray(import->jobs, job);
    cJSON_AddArrayToObject(job, "tasks");
    return job;
}

void import_queue_of(cJSON *job, const char *queue)
{
    cJSON_ReplaceItemInObjectCaseSensitive(job, "queue", cJSON_CreateString(queue));
}

void import_queue_meant(struct import *import, const char *name)
{
    if (*name != '\0')
        (void)symbols_add(import->meant_queues, name, strlen(name));
}

void import_queue_name(struct import *import, const char *name)
{
    uint32_t symbol = queue_symbol(import, name); // may move queue_wanted
    import->queue_wanted[symbol] = true;
}

cJSON *import_queue(struct import *import, const char *name)
{
    cJSON *queue = cJSON_CreateObject();
    import_know_queue(import, name);
    cJSON_AddStringToObject(queue, "name", name);
    cJSON_AddItemToArray(import->queues, queue);
    return queue;
}

cJSON *import_node(struct import *import, const char *name)
{
    cJSON *node = cJSON_CreateObject();
    cJSON_AddStringToObject(node, "name", name);
    cJSON_AddItemToArray(import->nodes, node);
    return node;
}

cJSON *import_task(cJSON *job, const char *id, const char *state, const char *node)
{
    cJSON *task = cJSON_CreateObject();
    cJSON_AddStringToObject(task, "id", id);
    cJSON_AddStringToObject(task, "state", state);
    if (*node != '\0')
        cJSON_AddStringToObject(task, "node", node);
    cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(job, "tasks"), task);
    return task;
}

/* ---- files ---- */

static bool add_tree(struct import *import, const struct json_source *source, struct err *err)
{
    import->file = source->name;
    if (import_at(source->root, "fauxfleet_snapshot"))
        return import_base(import, source->root, err);
    if (*import_text(source->root, "kind") != '\0' &&
        *import_text(source->root, "apiVersion") != '\0')
        return import_kube(import, source->root, err);
    if (import_at(source->root, "jobs") || import_at(source->root, "nodes") ||
        import_at(source->root, "sinfo"))
        return import_slurm(import, source->root, err);
    return err_set(err, EXIT_INPUT,
                   "%s: expected what 'kubectl get ... -o json', 'squeue --json' or 'scontrol show "
                   "nodes --json' print: an object with \"kind\" and \"apiVersion\", with \"jobs\" "
                   "or with \"nodes\"",
                   source->name);
}

bool import_parse(struct import *import, const char *name, const char *text, size_t n,
                  struct err *err)
{
    struct json_source source = {0};
    bool ok = json_source_parse(&source, name, text, n, err) && add_tree(import, &source, err);
    json_source_close(&source);
    return ok;
}

bool import_add(struct import *import, const char *path, struct err *err)
{
    struct json_source source = {0};
    bool ok = json_source_open_max(&source, path, SNAPSHOT_MAX_BYTES, err) &&
              add_tree(import, &source, err);
    json_source_close(&source);
    return ok;
}

/* A queue without a description has neither quota nor limit. */
static void make_queue(struct import *import, const char *name)
{
    cJSON *gpu = cJSON_AddObjectToObject(import_queue(import, name), "gpu");
    cJSON_AddNumberToObject(gpu, "quota", -1);
    if (symbols_find(import->meant_queues, name, strlen(name)) == SYMBOL_NONE)
        return;
    import_subject(import, "queue", "", name);
    import_note_field(import, "no file describes it", "it has no quota and no limit");
}

void import_print(struct import *import, struct out *out, struct out *key)
{
    import_finish(import);
    for (uint32_t i = 0; i < symbols_count(import->queue_names); i++)
        if (!import->queue_given[i] && import->queue_wanted[i])
            make_queue(import, symbols_name(import->queue_names, i));
    import_number(import->root, "now_ms", (double)import->now_ms);
    import_notes_finish(import);
    if (key != NULL)
        anonymise(import->root, key);
    char *text = cJSON_Print(import->root);
    BUG_ON(!text);
    out_text(out, text);
    out_char(out, '\n');
    cJSON_free(text);
}

const struct trace_note *import_notes(const struct import *import, size_t *count)
{
    *count = import->notes.count;
    return import->notes.notes;
}
