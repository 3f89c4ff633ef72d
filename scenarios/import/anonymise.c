/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pseudonyms in a snapshot; see anonymise.h. */
#include "scenarios/import/anonymise.h"

#include "scenarios/json/source.h"
#include "sim/base/json.h"
#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { NODES, QUEUES, JOBS, TASKS, UIDS, USERS, LABELS, KINDS };
static const struct {
    const char *plural, *singular;
} words[KINDS] = {
    [NODES] = {"nodes", "node"},    [QUEUES] = {"queues", "queue"}, [JOBS] = {"jobs", "job"},
    [TASKS] = {"tasks", "task"},    [UIDS] = {"uids", "uid"},       [USERS] = {"users", "user"},
    [LABELS] = {"labels", "label"},
};

struct set {
    char **names; /* sorted and unique once all are collected */
    size_t count, capacity;
};

struct naming {
    struct set sets[KINDS];
    bool replaces; /* false: it still collects */
};

/* ---- one name ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort(struct set *set)
{
    size_t kept = 0;
    if (set->count > 0)
        qsort(set->names, set->count, sizeof *set->names, by_text);
    for (size_t i = 0; i < set->count; i++)
        if (kept == 0 || strcmp(set->names[kept - 1], set->names[i]) != 0)
            set->names[kept++] = set->names[i];
        else
            free(set->names[i]);
    set->count = kept;
}

/* All numbers have the same number of digits, so texts sort like numbers. */
static char *pseudonym(enum kind kind, const struct set *set, size_t i)
{
    int digits = snprintf(NULL, 0, "%zu", set->count);
    return mem_format("%s-%0*zu", words[kind].singular, digits, i + 1);
}

/* "" is not a name, and stays. */
static void visit(struct naming *n, enum kind kind, cJSON *value)
{
    struct set *set = &n->sets[kind];
    if (!cJSON_IsString(value) || value->valuestring[0] == '\0')
        return;
    if (!n->replaces) {
        set->names = mem_grow(set->names, &set->capacity, set->count + 1, sizeof *set->names);
        set->names[set->count++] = mem_text(value->valuestring);
        return;
    }
    char **found =
        bsearch(&value->valuestring, set->names, set->count, sizeof *set->names, by_text);
    char *text = pseudonym(kind, set, (size_t)(found - set->names));
    cJSON_SetValuestring(value, text);
    free(text);
}

/* ---- the tree ---- */

static void visit_member(struct naming *n, enum kind kind, const cJSON *object, const char *key)
{
    visit(n, kind, cJSON_GetObjectItemCaseSensitive(object, key));
}

/* Visits all texts in an object of label values, or of lists of them. */
static void visit_labels(struct naming *n, const cJSON *labels)
{
    cJSON *entry, *value;
    cJSON_ArrayForEach(entry, labels)
    {
        visit(n, LABELS, entry);
        for (value = cJSON_IsArray(entry) ? entry->child : NULL; value != NULL; value = value->next)
            visit(n, LABELS, value);
    }
}

/* A job without a queue is in "default", which gets a pseudonym too. */
static void visit_job(struct naming *n, cJSON *job)
{
    const cJSON *task;
    if (json_member(job, "queue") == NULL) {
        cJSON_DeleteItemFromObjectCaseSensitive(job, "queue");
        cJSON_AddStringToObject(job, "queue", "default");
    }
    visit_member(n, JOBS, job, "id");
    visit_member(n, QUEUES, job, "queue");
    visit_member(n, USERS, job, "user");
    cJSON_ArrayForEach(task, json_member(job, "tasks"))
    {
        visit_member(n, TASKS, task, "id");
        visit_member(n, UIDS, task, "uid");
        visit_member(n, NODES, task, "node");
        visit_labels(n, json_member(task, "node_labels"));
        visit_labels(n, json_member(task, "node_affinity"));
    }
}

static void visit_all(struct naming *n, const cJSON *snapshot)
{
    cJSON *entry;
    cJSON_ArrayForEach(entry, json_member(snapshot, "nodes"))
    {
        visit_member(n, NODES, entry, "name");
        visit_labels(n, json_member(entry, "labels"));
    }
    cJSON_ArrayForEach(entry, json_member(snapshot, "queues"))
    {
        visit_member(n, QUEUES, entry, "name");
        visit_member(n, QUEUES, entry, "parent");
    }
    cJSON_ArrayForEach(entry, json_member(snapshot, "jobs"))
    {
        visit_job(n, entry);
    }
    cJSON_ArrayForEach(entry, json_member(snapshot, "history"))
    {
        visit_member(n, JOBS, entry, "job");
        visit_member(n, JOBS, entry, "other");
        visit_member(n, QUEUES, entry, "queue");
        visit_member(n, USERS, entry, "user");
        visit_member(n, NODES, entry, "node");
    }
}

static void print_key(const struct naming *n, struct out *key)
{
    struct json j;
    json_init(&j, key, 1);
    json_begin_object(&j, NULL);
    for (int kind = 0; kind < KINDS; kind++) {
        json_begin_object(&j, words[kind].plural);
        for (size_t i = 0; i < n->sets[kind].count; i++) {
            char *text = pseudonym((enum kind)kind, &n->sets[kind], i);
            json_text(&j, text, n->sets[kind].names[i]);
            free(text);
        }
        json_end_object(&j);
    }
    json_end_object(&j);
    out_text(key, "\n");
}

void anonymise(cJSON *snapshot, struct out *key)
{
    struct naming n = {.replaces = false};
    visit_all(&n, snapshot);
    for (int kind = 0; kind < KINDS; kind++)
        sort(&n.sets[kind]);
    n.replaces = true;
    visit_all(&n, snapshot);
    print_key(&n, key);
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < n.sets[kind].count; i++)
            free(n.sets[kind].names[i]);
        free(n.sets[kind].names);
    }
}
