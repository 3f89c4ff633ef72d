/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads a snapshot: the text, its policy and topologies, then the parts in their files. */
#include "scenarios/schema/check.h"
#include "scenarios/schema/policy_file.h"
#include "scenarios/schema/resolve.h"
#include "scenarios/snapshot/internal.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- policy */

static const char *option_text(struct snap_reader *reader, const cJSON *value)
{
    if (cJSON_IsString(value))
        return value->valuestring;
    if (!cJSON_IsNumber(value))
        return cJSON_IsTrue(value) ? "true" : "false";
    char *text = snap_alloc(reader, 32, 1);
    if (floor(value->valuedouble) != value->valuedouble)
        return resolve_number(value->valuedouble, text);
    (void)snprintf(text, 32, "%.0f", value->valuedouble);
    return text;
}

/* The path of a library is relative to the snapshot. */
static const char *library_or_name(struct snap_reader *reader, const char *name)
{
    if (!policy_name_is_library(name))
        return name;
    char *path = policy_name_beside(reader->source.name, name);
    char *kept = snap_alloc(reader, strlen(path) + 1, 1);
    memcpy(kept, path, strlen(path));
    free(path);
    return kept;
}

static void read_policy(struct snap_reader *reader, const cJSON *policy)
{
    struct snapshot *s = &reader->s;
    const cJSON *options = json_member(policy, "options");
    s->policy.name = library_or_name(reader, snap_text(policy, "name"));
    s->policy.options = snap_alloc(reader, snap_size(options), sizeof *s->policy.options);
    for (const cJSON *option = options->child; option; option = option->next)
        s->policy.options[s->policy.option_count++] =
            (struct scen_option){.name = option->string, .value = option_text(reader, option)};
}

/* ---- topologies */

static bool read_topologies(struct snap_reader *reader, const cJSON *list)
{
    struct snapshot *s = &reader->s;
    s->topologies = snap_alloc(reader, snap_size(list), sizeof *s->topologies);
    for (const cJSON *entry = list->child; entry; entry = entry->next) {
        struct snap_topology *topology = &s->topologies[s->topology_count];
        const cJSON *levels = json_member(entry, "levels");
        (void)snprintf(reader->at, sizeof reader->at, "topologies[%zu]", s->topology_count);
        topology->name = snap_text(entry, "name");
        for (size_t i = 0; i < s->topology_count; i++) {
            if (strcmp(s->topologies[i].name, topology->name) == 0)
                return snap_fail(reader, ".name", "there are two topologies of the name '%.64s'",
                                 topology->name);
        }
        topology->levels = snap_alloc(reader, snap_size(levels), sizeof *topology->levels);
        for (const cJSON *level = levels->child; level; level = level->next) {
            for (uint32_t i = 0; i < topology->level_count; i++) {
                if (strcmp(topology->levels[i], level->valuestring) == 0)
                    return snap_fail(reader, ".levels", "the level '%.64s' is there twice",
                                     level->valuestring);
            }
            topology->levels[topology->level_count++] = level->valuestring;
        }
        s->topology_count++;
    }
    return true;
}

static int32_t find_level(const struct snap_topology *topology, const char *name)
{
    if (*name == '\0')
        return 0;
    for (uint32_t i = 0; topology && i < topology->level_count; i++) {
        if (strcmp(topology->levels[i], name) == 0)
            return (int32_t)i + 1;
    }
    return -1;
}

/*
 * `from` is null, "" or an object. The names need not exist (then the tasks cannot be placed), but
 * a level without a topology is an error.
 */
bool snap_read_constraint(struct snap_reader *reader, const cJSON *from, const char *path,
                          struct snap_constraint *constraint)
{
    const struct snapshot *s = &reader->s;
    *constraint = (struct snap_constraint){.topology = "", .required = "", .preferred = ""};
    if (cJSON_IsString(from) && *from->valuestring != '\0')
        return snap_fail(reader, path, "expected an object, \"\" or null, got \"%.64s\"",
                         from->valuestring);
    if (!cJSON_IsObject(from))
        return true;
    if (*snap_text(from, "topology") == '\0') {
        const char *level = *snap_text(from, "required") != '\0' ? snap_text(from, "required")
                                                                 : snap_text(from, "preferred");
        return *level == '\0' ||
               snap_fail(reader, path, "names the level '%.64s' and no topology that it is of%s",
                         level,
                         s->topology_count == 0 ? "; the snapshot has no \"topologies\"" : "");
    }
    constraint->topology = snap_text(from, "topology");
    constraint->required = snap_text(from, "required");
    constraint->preferred = snap_text(from, "preferred");
    const struct snap_topology *topology = NULL;
    for (size_t i = 0; i < s->topology_count && !topology; i++) {
        if (strcmp(s->topologies[i].name, constraint->topology) == 0)
            topology = &s->topologies[i];
    }
    constraint->at.topology = topology ? (int32_t)(topology - s->topologies) + 1 : -1;
    constraint->at.required = find_level(topology, constraint->required);
    constraint->at.preferred = find_level(topology, constraint->preferred);
    return true;
}

/* ---- jobs */

struct aged {
    int64_t own_rank;
    int64_t submit_ms;
    const char *id; /* unique */
    size_t job;
};

static int by_age(const void *a, const void *b)
{
    const struct aged *x = a, *y = b;
    if (x->own_rank != y->own_rank)
        return x->own_rank < y->own_rank ? -1 : 1;
    if (x->submit_ms != y->submit_ms)
        return x->submit_ms < y->submit_ms ? -1 : 1;
    return strcmp(x->id, y->id);
}

/* Ranks include age, so jobs dated into the future by a clock ahead of ours keep their order. */
static void rank_jobs(struct snapshot *s)
{
    struct aged *aged = mem_alloc(s->job_count + 1, sizeof *aged);
    for (size_t i = 0; i < s->job_count; i++)
        aged[i] = (struct aged){s->jobs[i].own_rank, s->jobs[i].submit_ms, s->jobs[i].id, i};
    qsort(aged, s->job_count, sizeof *aged, by_age);
    for (size_t i = 0; i < s->job_count; i++)
        s->jobs[aged[i].job].rank = i;
    free(aged);
}

static bool read_jobs(struct snap_reader *reader, const cJSON *list)
{
    struct snapshot *s = &reader->s;
    size_t count = snap_size(list);
    s->jobs = snap_alloc(reader, count, sizeof *s->jobs);
    for (const cJSON *entry = list->child; entry; entry = entry->next) {
        (void)snprintf(reader->at, sizeof reader->at, "jobs[%zu]", s->job_count);
        if (!snap_read_job(reader, entry, &s->jobs[s->job_count++]))
            return false;
    }
    if (count > 0 && !snap_number(reader, &s->job_ids, &s->job_of_name, &s->jobs[0].id, count,
                                  sizeof *s->jobs, "job", "id"))
        return false;
    rank_jobs(s);
    return snap_assign_devices(reader);
}

/* ---- the whole */

static bool read_all(struct snap_reader *reader)
{
    if (!snap_check(reader, &schema_snapshot))
        return false;
    reader->s.file = reader->source.name;
    reader->s.now_ms = snap_integer(reader->tree, "now_ms", 0);
    read_policy(reader, json_member(reader->tree, "policy"));
    return read_topologies(reader, json_member(reader->tree, "topologies")) &&
           snap_read_nodes(reader, json_member(reader->tree, "nodes")) &&
           snap_read_offers(reader, json_member(reader->tree, "offers")) &&
           snap_read_queues(reader, json_member(reader->tree, "queues")) &&
           read_jobs(reader, json_member(reader->tree, "jobs")) &&
           snap_read_history(reader, json_member(reader->tree, "history"));
}

static bool finish(struct snapshot **snapshot, struct snap_reader *reader, bool opened)
{
    if (opened && read_all(reader)) {
        reader->err = NULL; // the caller's, valid only during this call
        *snapshot = &reader->s;
        return true;
    }
    snap_close(reader);
    return false;
}

bool snapshot_load(struct snapshot **snapshot, const char *path, struct err *err)
{
    struct snap_reader *reader = mem_alloc(1, sizeof *reader);
    reader->err = err;
    return finish(snapshot, reader,
                  json_source_open_max(&reader->source, path, SNAPSHOT_MAX_BYTES, err));
}

bool snapshot_parse(struct snapshot **snapshot, const char *name, const char *text, size_t n,
                    struct err *err)
{
    struct snap_reader *reader = mem_alloc(1, sizeof *reader);
    reader->err = err;
    return finish(snapshot, reader, json_source_parse(&reader->source, name, text, n, err));
}

void snapshot_destroy(struct snapshot *snapshot)
{
    if (snapshot)
        snap_close((struct snap_reader *)(void *)snapshot);
}

void snapshot_digest(const struct snapshot *snapshot, struct digest *digest)
{
    const struct snap_reader *reader = (const struct snap_reader *)(const void *)snapshot;
    digest_add(digest, reader->source.text, reader->source.n);
}

const struct snap_job *snapshot_find_job(const struct snapshot *s, const char *id, struct err *err)
{
    uint32_t number = name_set_find(&s->job_ids, id);
    if (number != NAME_NONE)
        return &s->jobs[s->job_of_name[number]];
    char hint[160];
    text_suggest(hint, sizeof hint, id, s->job_ids.names, s->job_ids.count,
                 sizeof *s->job_ids.names);
    err_set(err, EXIT_INPUT, "%s: there is no job '%.64s'%s", s->file, id, hint);
    return NULL;
}

const char *snapshot_where(const struct snapshot *snapshot, const char *path, char *buffer,
                           size_t size)
{
    const struct snap_reader *reader = (const struct snap_reader *)(const void *)snapshot;
    (void)snprintf(buffer, size, "%s:%zu: %s", snapshot->file,
                   json_source_line(&reader->source, path), path);
    return buffer;
}
