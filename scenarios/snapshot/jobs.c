/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs of a snapshot: their values, roles (pod sets) and groups of roles. */
#include "scenarios/snapshot/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREEMPTIBLE_BELOW 100 /* priorities, if a job does not state it */

/* ---- roles ---- */

static int by_role_name(const void *a, const void *b)
{
    return strcmp(((const struct snap_role *)a)->name, ((const struct snap_role *)b)->name);
}

/* Roles that are not listed are those named by tasks. */
static void roles_of_tasks(struct snap_reader *reader, const cJSON *tasks, struct snap_job *job)
{
    static const char unnamed[] = "default";
    struct name_set names = {0};
    for (const cJSON *task = tasks->child; task; task = task->next) {
        const char *name = snap_text(task, "role");
        name_set_add(&names, name ? name : unnamed);
    }
    if (names.count == 0)
        name_set_add(&names, unnamed);
    name_set_seal(&names);
    job->roles = snap_alloc(reader, names.count, sizeof *job->roles);
    for (size_t i = 0; i < names.count; i++) {
        job->roles[i].name = names.names[i];
        job->roles[i].topology.topology = "";
    }
    job->role_count = (uint32_t)names.count;
    name_set_fini(&names);
}

static bool listed_roles(struct snap_reader *reader, const cJSON *list, struct snap_job *job)
{
    job->roles = snap_alloc(reader, snap_size(list), sizeof *job->roles);
    for (const cJSON *entry = list->child; entry; entry = entry->next) {
        struct snap_role *role = &job->roles[job->role_count];
        char path[64];
        (void)snprintf(path, sizeof path, ".roles[%u].topology", job->role_count++);
        role->name = snap_text(entry, "name");
        role->min_tasks = (int32_t)snap_integer(entry, "min_tasks", 0);
        if (!snap_read_constraint(reader, json_member(entry, "topology"), path, &role->topology))
            return false;
    }
    qsort(job->roles, job->role_count, sizeof *job->roles, by_role_name);
    for (uint32_t i = 1; i < job->role_count; i++) {
        if (strcmp(job->roles[i - 1].name, job->roles[i].name) == 0)
            return snap_fail(reader, ".roles", "there are two roles of the name '%.64s'",
                             job->roles[i].name);
    }
    return true;
}

/* ---- groups ---- */

static int by_member_name(const void *a, const void *b)
{
    const cJSON *x = *(const cJSON *const *)a, *y = *(const cJSON *const *)b;
    return strcmp(snap_text(x, "name"), snap_text(y, "name"));
}

static size_t count_groups(const cJSON *list)
{
    size_t count = 0;
    for (const cJSON *group = list->child; group; group = group->next)
        count += 1 + count_groups(json_member(group, "groups"));
    return count;
}

static bool unknown_role(struct snap_reader *reader, const char *path, const char *name,
                         const struct snap_job *job)
{
    struct name_set names = {0};
    for (uint32_t i = 0; i < job->role_count; i++)
        name_set_add(&names, job->roles[i].name);
    name_set_seal(&names);
    snap_unknown(reader, path, "role", name, &names);
    name_set_fini(&names);
    return false;
}

static bool put_roles(struct snap_reader *reader, const cJSON *names, int32_t group,
                      struct snap_job *job)
{
    for (const cJSON *name = names->child; name; name = name->next) {
        struct snap_role key = {.name = name->valuestring};
        struct snap_role *role =
            bsearch(&key, job->roles, job->role_count, sizeof *job->roles, by_role_name);
        if (!role)
            return unknown_role(reader, ".groups", name->valuestring, job);
        if (role->group != 0)
            return snap_fail(reader, ".groups", "the role '%.64s' stands in two groups",
                             role->name);
        role->group = group;
    }
    return true;
}

/*
 * Adds parents before their children, siblings by name. The depth of the text bounds the recursion.
 */
static bool add_groups(struct snap_reader *reader, const cJSON *list, int32_t parent,
                       struct snap_job *job)
{
    size_t count = snap_size(list), n = 0;
    const cJSON **sorted = snap_alloc(reader, count, sizeof *sorted);
    for (const cJSON *entry = list->child; entry; entry = entry->next)
        sorted[n++] = entry;
    if (count > 0)
        qsort(sorted, count, sizeof *sorted, by_member_name);
    for (size_t i = 0; i < count; i++) {
        struct snap_group *group = &job->groups[job->group_count++];
        int32_t number = (int32_t)job->group_count;
        *group = (struct snap_group){.name = snap_text(sorted[i], "name"), .parent = parent};
        for (const struct snap_group *other = job->groups; other < group; other++) {
            if (strcmp(other->name, group->name) == 0)
                return snap_fail(reader, ".groups", "there are two groups of the name '%.64s'",
                                 group->name);
        }
        if (!snap_read_constraint(reader, json_member(sorted[i], "topology"), ".groups",
                                  &group->topology) ||
            !put_roles(reader, json_member(sorted[i], "roles"), number, job) ||
            !add_groups(reader, json_member(sorted[i], "groups"), number, job))
            return false;
    }
    return true;
}

bool snap_read_roles(struct snap_reader *reader, const cJSON *from, struct snap_job *job)
{
    const cJSON *roles = json_member(from, "roles"), *groups = json_member(from, "groups");
    if (snap_size(roles) == 0)
        roles_of_tasks(reader, json_member(from, "tasks"), job);
    else if (!listed_roles(reader, roles, job))
        return false;
    size_t group_count = count_groups(groups);
    if (group_count > POLICY_MAX_GROUPS)
        return snap_fail(reader, ".groups", "expected at most %d groups, got %zu",
                         POLICY_MAX_GROUPS, group_count);
    job->groups = snap_alloc(reader, group_count, sizeof *job->groups);
    return add_groups(reader, groups, 0, job);
}

/* ---- the job ---- */

static void find_queue(const struct snapshot *s, struct snap_job *job)
{
    uint32_t number = name_set_find(&s->queue_names, job->queue_name);
    job->queue = number == NAME_NONE ? SNAP_NONE : s->queue_of_name[number];
    const struct snap_queue *queue = number == NAME_NONE ? NULL : &s->queues[job->queue];
    job->stray = !queue         ? SNAP_QUEUE_UNKNOWN
                 : queue->lost  ? SNAP_QUEUE_LOST
                 : queue->inner ? SNAP_QUEUE_INNER
                                : SNAP_IN_QUEUE;
}

/* To the core, 0 means the policy's limit, so a session without a limit is -1. */
static int64_t interactive_limit(const cJSON *from)
{
    int64_t ms = snap_ms(from, "interactive_limit_s", 0);
    return ms == 0 && json_member(from, "interactive_limit_s") ? -1 : ms;
}

bool snap_read_job(struct snap_reader *reader, const cJSON *from, struct snap_job *job)
{
    int64_t now = reader->s.now_ms;
    const cJSON *preemptible = json_member(from, "preemptible");
    *job = (struct snap_job){
        .id = snap_text(from, "id"),
        .queue_name = snap_text(from, "queue"),
        .priority = (int32_t)snap_integer(from, "priority", 0),
        .workload = snap_choice(from, "workload", "train|build|inference"),
        .submit_ms = snap_integer(from, "submit_ms", now),
        .eligible_ms = snap_integer(from, "eligible_ms", POLICY_NEVER),
        .last_start_ms = snap_integer(from, "last_start_ms", POLICY_NEVER),
        .stale_since_ms = snap_integer(from, "stale_since_ms", POLICY_NEVER),
        .stale = json_member(from, "stale_since_ms") != NULL,
        .run_ms = snap_ms(from, "run_s", -1),
        .deadline_ms = snap_integer(from, "deadline_ms", POLICY_NEVER),
        .suspended = cJSON_IsTrue(json_member(from, "suspended")),
        .limit_ms = snap_ms(from, "limit_s", snap_ms(from, "time_limit_s", -1)),
        .own_rank = snap_integer(from, "rank", INT64_MAX),
        .origin = snap_origin(from),
        .interactive_limit_ms = interactive_limit(from),
    };
    job->preemptible = preemptible ? cJSON_IsTrue(preemptible) : job->priority < PREEMPTIBLE_BELOW;
    find_queue(&reader->s, job);
    return snap_read_life(reader, from, &job->life) &&
           snap_read_constraint(reader, json_member(from, "topology"), ".topology",
                                &job->topology) &&
           snap_read_roles(reader, from, job) && snap_read_tasks(reader, from, job);
}
