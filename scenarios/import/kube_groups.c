/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pod groups of KAI, Volcano and coscheduling as gangs of jobs; see kube.h.
 *
 * A KAI pod group may be a tree of subgroups: leaves are roles, what is above them are groups of
 * the job. A gang of the core is whole when each role has its minimum, which is at least one task,
 * so
 *
 *     minMember 0 or none     of the group: every pod starts on its own, as with 1 of a subgroup:
 *                             counts as 1 while it has pods; without pods it is left out
 *     minSubGroup             fewer subgroups than there are cannot be said: all are required
 */
#include "scenarios/import/kube.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MEMBERS   1e6
#define MOST_SUBGROUPS 4096
#define MOST_DEPTH     7 /* nesting of groups that a snapshot allows */

void kube_add_role(cJSON *roles, const char *name, double least, const cJSON *constraint)
{
    cJSON *role = cJSON_CreateObject();
    cJSON_AddStringToObject(role, "name", name);
    cJSON_AddNumberToObject(role, "min_tasks", floor(least));
    kube_put_constraint(role, constraint);
    cJSON_AddItemToArray(roles, role);
}

void kube_put_constraint(cJSON *to, const cJSON *from)
{
    static const char *const keys[3][2] = {{"topology", "topology"},
                                           {"requiredTopologyLevel", "required"},
                                           {"preferredTopologyLevel", "preferred"}};
    if (*import_text(from, "topology") == '\0')
        return;
    cJSON *constraint = cJSON_AddObjectToObject(to, "topology");
    for (size_t i = 0; i < 3; i++)
        cJSON_AddStringToObject(constraint, keys[i][1], import_text(from, keys[i][0]));
}

/* A level has no meaning without its topology. */
static void note_constraint(struct import *import, const cJSON *from, const char *path)
{
    bool level = *import_text(from, "requiredTopologyLevel") != '\0' ||
                 *import_text(from, "preferredTopologyLevel") != '\0';
    if (level && *import_text(from, "topology") == '\0')
        import_note_field(import, path, "a level without a topology is not imported");
}

/* Sets 0 if it is not stated. */
static bool read_least(struct import *import, const cJSON *spec, double *least, struct err *err)
{
    const cJSON *value = import_at(spec, "minMember");
    *least = 0;
    if (!value || cJSON_IsNull(value))
        return true;
    if (!cJSON_IsNumber(value) ||
        !(value->valuedouble >= 0 && value->valuedouble <= MOST_MEMBERS) ||
        value->valuedouble > floor(value->valuedouble))
        return import_fail(import, err, "minMember: expected a whole number from 0 to 1000000");
    *least = value->valuedouble;
    return true;
}

/* ---- subgroups ---- */

struct subgroup {
    const cJSON *from;
    const char *name;
    double least;
    size_t parent;   /* its index, or NONE */
    size_t children; /* its direct subgroups */
    size_t depth;    /* number of subgroups above it */
    cJSON *group;    /* the resulting group, unless it is a role */
};

#define NONE SIZE_MAX

static size_t find_subgroup(const struct subgroup *all, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].name, name) == 0)
            return i;
    return NONE;
}

static void note_subgroup(struct import *import, const struct subgroup *one, const char *field,
                          const char *what)
{
    char path[200];
    (void)snprintf(path, sizeof path, "spec.subGroups[%.100s].%s", one->name, field);
    import_note_field(import, path, what);
}

/* Reads subgroups with a name; those that KAI would refuse are noted and left out. */
static bool read_subgroups(struct import *import, const cJSON *list, struct subgroup *all,
                           size_t *count, struct err *err)
{
    const cJSON *item;
    *count = 0;
    cJSON_ArrayForEach(item, list)
    {
        struct subgroup one = {.from = item, .name = import_text(item, "name"), .parent = NONE};
        if (*one.name == '\0' || find_subgroup(all, *count, one.name) != NONE ||
            *count == MOST_SUBGROUPS) {
            note_subgroup(import, &one, "name", "one without a name of its own is not imported");
            continue;
        }
        if (!read_least(import, item, &one.least, err))
            return false;
        all[(*count)++] = one;
    }
    return true;
}

/*
 * Returns the number of subgroups above one; NONE for a cycle, or if a snapshot does not allow as
 * many.
 */
static size_t depth_of(const struct subgroup *all, const struct subgroup *one)
{
    size_t depth = 0;
    for (; one->parent != NONE && depth <= MOST_DEPTH; depth++)
        one = &all[one->parent];
    return depth > MOST_DEPTH ? NONE : depth;
}

static void find_parents(struct import *import, struct subgroup *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *parent = import_text(all[i].from, "parent");
        all[i].parent = *parent != '\0' ? find_subgroup(all, count, parent) : NONE;
        if (*parent != '\0' && all[i].parent == NONE)
            note_subgroup(import, &all[i], "parent",
                          "there is no such subgroup: placed under the group itself");
    }
    for (size_t i = 0; i < count; i++) {
        all[i].depth = depth_of(all, &all[i]);
        if (all[i].depth == NONE) {
            note_subgroup(import, &all[i], "parent",
                          "in a circle, or too deep: stands under the group itself");
            all[i].parent = NONE;
            all[i].depth = 0;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (all[i].parent != NONE)
            all[all[i].parent].children++;
}

/* All existing ones are required. */
static void note_least(struct import *import, const cJSON *from, size_t children, const char *path)
{
    const cJSON *least = import_at(from, "minSubGroup");
    char what[100];
    if (!cJSON_IsNumber(least) || least->valuedouble >= (double)children)
        return;
    (void)snprintf(what, sizeof what, "%.0f of %zu: not imported, all are required",
                   least->valuedouble, children);
    import_note_field(import, path, what);
}

static void note_minimums(struct import *import, const struct subgroup *one)
{
    char path[200];
    (void)snprintf(path, sizeof path, "spec.subGroups[%.100s].minSubGroup", one->name);
    note_least(import, one->from, one->children, path);
    if (one->children > 0 && one->least > 0)
        note_subgroup(import, one, "minMember", "not imported: it has subgroups of its own");
    if (one->children == 0 && one->least < 1)
        note_subgroup(import, one, "minMember",
                      "0 or missing: counts as 1 while the subgroup has pods");
    (void)snprintf(path, sizeof path, "spec.subGroups[%.100s].topologyConstraint", one->name);
    note_constraint(import, import_at(one->from, "topologyConstraint"), path);
}

/* Returns the list of that name in the parent of the subgroup. */
static cJSON *list_in(cJSON *job, const struct subgroup *all, const struct subgroup *one,
                      const char *key)
{
    cJSON *owner = one->parent == NONE ? job : all[one->parent].group;
    cJSON *list = cJSON_GetObjectItemCaseSensitive(owner, key);
    return list ? list : cJSON_AddArrayToObject(owner, key);
}

static void add_group(cJSON *job, struct subgroup *all, struct subgroup *one)
{
    one->group = cJSON_CreateObject();
    cJSON_AddStringToObject(one->group, "name", one->name);
    kube_put_constraint(one->group, import_at(one->from, "topologyConstraint"));
    cJSON_AddItemToArray(list_in(job, all, one, "groups"), one->group);
}

static void add_leaf(cJSON *job, cJSON *roles, const struct subgroup *all,
                     const struct subgroup *one)
{
    kube_add_role(roles, one->name, fmax(1, one->least),
                  import_at(one->from, "topologyConstraint"));
    if (one->least < 1)
        cJSON_AddTrueToObject(cJSON_GetArrayItem(roles, cJSON_GetArraySize(roles) - 1),
                              IMPORT_OPTIONAL);
    if (one->parent != NONE)
        cJSON_AddItemToArray(list_in(job, all, one, "roles"), cJSON_CreateString(one->name));
}

/* Adds parents before their children. */
static void put_tree(struct import *import, cJSON *job, cJSON *roles, struct subgroup *all,
                     size_t count)
{
    for (size_t depth = 0; depth <= MOST_DEPTH; depth++)
        for (size_t i = 0; i < count; i++)
            if (all[i].depth == depth && all[i].children > 0)
                add_group(job, all, &all[i]);
    for (size_t i = 0; i < count; i++) {
        note_minimums(import, &all[i]);
        if (all[i].children == 0)
            add_leaf(job, roles, all, &all[i]);
    }
}

static bool put_gang(struct import *import, cJSON *job, const cJSON *spec, struct err *err)
{
    const cJSON *list = import_at(spec, "subGroups");
    size_t count = 0, top = 0;
    double least;
    struct subgroup *all = mem_alloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *all);
    if (!read_least(import, spec, &least, err) || !read_subgroups(import, list, all, &count, err)) {
        free(all);
        return false;
    }
    find_parents(import, all, count);
    for (size_t i = 0; i < count; i++)
        top += all[i].parent == NONE;
    note_least(import, spec, top, "spec.minSubGroup");
    cJSON_DeleteItemFromObjectCaseSensitive(job, "roles");
    cJSON_DeleteItemFromObjectCaseSensitive(job, "groups");
    cJSON *roles = cJSON_AddArrayToObject(job, "roles");
    put_tree(import, job, roles, all, count);
    if (!roles->child)
        kube_add_role(roles, "default", fmax(1, least), NULL);
    free(all);
    return true;
}

/* ---- the rest ---- */

/* Reads a time in an annotation; an invalid one is noted. */
static int64_t noted_time(struct import *import, const cJSON *meta, const char *key)
{
    const char *text = import_text(import_at(meta, "annotations"), key);
    int64_t ms = INT64_MIN;
    if (*text == '\0' || kube_moment(text, &ms))
        return ms;
    char path[100];
    (void)snprintf(path, sizeof path, "metadata.annotations.%s", key);
    import_note_field(import, path, "not imported: expected a time such as 2026-01-31T12:00:00Z");
    return INT64_MIN;
}

/*
 * Writes when KAI last started it, and since when it has been below its minimum; omitted for a
 * group that never goes stale.
 */
static void put_dates(struct import *import, cJSON *job, const cJSON *meta, const cJSON *spec)
{
    int64_t started_ms = noted_time(import, meta, "kai.scheduler/last-start-timestamp");
    int64_t stale_ms = noted_time(import, meta, "kai.scheduler/stale-podgroup-timestamp");
    bool patient = *import_text(spec, "stalenessGracePeriod") == '-';
    if (started_ms != INT64_MIN) {
        import_event(import, started_ms);
        import_latest(job, "last_start_ms", started_ms);
    }
    if (stale_ms != INT64_MIN && !patient) {
        import_event(import, stale_ms);
        import_number(job, "stale_since_ms", (double)stale_ms);
    }
}

/* Settings of the group take precedence over its pods. */
static void put_standing(cJSON *job, const cJSON *from, const cJSON *spec)
{
    bool kai = kube_is_of(from, "scheduling.run.ai");
    cJSON_DeleteItemFromObjectCaseSensitive(job, IMPORT_GROUPED);
    cJSON_AddTrueToObject(job, IMPORT_GROUPED);
    if (kai || *import_text(spec, "priorityClassName") != '\0')
        import_put_text(job, IMPORT_GROUP_CLASS, import_text(spec, "priorityClassName"));
    if (kai)
        import_put_text(job, IMPORT_GROUP_PREEMPTIBLE, import_text(spec, "preemptibility"));
}

bool kube_add_group(struct import *import, const cJSON *from, struct err *err)
{
    const cJSON *meta = import_at(from, "metadata"), *spec = import_at(from, "spec");
    const cJSON *constraint = import_at(spec, "topologyConstraint");
    char id[KUBE_JOB_ID];
    int64_t created_ms;
    kube_job_id(meta, import_text(meta, "name"), id);
    if (!kube_read_moment(import, meta, "creationTimestamp", &created_ms, err))
        return false;
    cJSON *job = import_job(import, id, kube_queue_of(import, meta));
    import_queue_meant(import, import_text(spec, "queue"));
    if (*import_text(spec, "queue") != '\0')
        import_queue_of(job, import_text(spec, "queue"));
    import_event(import, created_ms);
    if (created_ms != INT64_MIN)
        import_earliest(job, "submit_ms", created_ms);
    if (!import_at(job, "topology"))
        kube_put_constraint(job, constraint);
    note_constraint(import, constraint, "spec.topologyConstraint");
    kube_put_origin(job, from);
    put_standing(job, from, spec);
    put_dates(import, job, meta, spec);
    return put_gang(import, job, spec, err);
}
