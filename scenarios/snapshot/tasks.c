/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks of a job in a snapshot: their requests, where they run, and their order in the core. */
#include "scenarios/snapshot/internal.h"
#include "scenarios/snapshot/mig_names.h"

#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- requests ---- */

int64_t snap_gpu_milli(const struct snap_request *request)
{
    int64_t milli = request->device_milli > 0 ? request->device_milli : POLICY_WHOLE;
    int64_t sum = request->device_mem_mib > 0 ? 0 : request->devices * milli;
    for (size_t i = 0; i < request->mig_count; i++) {
        struct mig_profile profile;
        if (mig_parse(request->mig[i].profile, &profile))
            sum += (int64_t)request->mig[i].count * profile.compute_slices * POLICY_WHOLE;
    }
    return sum;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_term_key(const void *a, const void *b)
{
    return strcmp(((const struct snap_term *)a)->key, ((const struct snap_term *)b)->key);
}

/* Both ways of requesting labels become terms; if a key is in both, both apply. */
static void read_terms(struct snap_reader *reader, const cJSON *from, struct snap_request *request)
{
    const cJSON *labels = json_member(from, "node_labels"),
                *affinity = json_member(from, "node_affinity");
    request->terms =
        snap_alloc(reader, snap_size(labels) + snap_size(affinity), sizeof *request->terms);
    for (const cJSON *label = labels->child; label; label = label->next) {
        const char **value = snap_alloc(reader, 1, sizeof *value);
        *value = label->valuestring;
        request->terms[request->term_count++] = (struct snap_term){label->string, value, 1};
    }
    for (const cJSON *entry = affinity ? affinity->child : NULL; entry; entry = entry->next) {
        struct snap_term term = {.key = entry->string};
        term.values = snap_alloc(reader, snap_size(entry), sizeof *term.values);
        for (const cJSON *value = entry->child; value; value = value->next)
            term.values[term.value_count++] = value->valuestring;
        if (term.value_count > 0)
            qsort(term.values, term.value_count, sizeof *term.values, by_text);
        request->terms[request->term_count++] = term;
    }
    // Terms of the same key keep their order: labels before affinities, both sorted.
    struct snap_term *terms = request->terms;
    for (size_t i = 1; i < request->term_count; i++) {
        for (size_t k = i; k > 0 && by_term_key(&terms[k - 1], &terms[k]) > 0; k--) {
            struct snap_term other = terms[k];
            terms[k] = terms[k - 1];
            terms[k - 1] = other;
        }
    }
}

/* The four ways of requesting devices exclude one another. */
static bool read_devices(struct snap_reader *reader, const cJSON *from, const char *path,
                         struct snap_request *request)
{
    static const char *const keys[] = {"gpus", "gpu_milli", "gpu_mem_mib", "mig"};
    const cJSON *mig = json_member(from, "mig");
    int32_t whole = (int32_t)snap_integer(from, "gpus", 0);
    int32_t wanted = (int32_t)snap_integer(from, "devices_wanted", 1);
    request->device_milli = (int32_t)snap_integer(from, "gpu_milli", 0);
    request->device_mem_mib = snap_integer(from, "gpu_mem_mib", 0);
    request->mig = snap_counts(reader, mig, &request->mig_count);
    bool given[] = {whole > 0, request->device_milli > 0, request->device_mem_mib > 0,
                    request->mig_count > 0};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (given[i] && first)
            return snap_fail(reader, path, "give either '%s' or '%s', not both", first, keys[i]);
        first = given[i] ? keys[i] : first;
    }
    if ((given[1] || given[2]) && wanted == 0)
        return snap_fail(reader, path, "devices_wanted: expected at least 1 for '%s', got 0",
                         first);
    request->devices = given[1] || given[2] ? wanted : whole;
    for (size_t i = 0; i < request->mig_count; i++) {
        struct mig_profile parsed;
        if (!mig_parse(request->mig[i].profile, &parsed))
            return snap_fail(reader, path,
                             "mig: '%.64s' is not a MIG profile, expected one such as 3g.40gb",
                             request->mig[i].profile);
    }
    return true;
}

bool snap_read_request(struct snap_reader *reader, const cJSON *from, const char *path,
                       struct snap_request *request)
{
    *request = (struct snap_request){
        .cpu_milli = snap_integer(from, "cpu_milli", 0),
        .mem_mib = snap_integer(from, "mem_mib", 0),
        .gpu_types = snap_text(from, "gpu_types"),
    };
    if (!read_devices(reader, from, path, request))
        return false;
    read_terms(reader, from, request);
    return true;
}

/* ---- where a task runs ---- */

static int32_t count_bits(uint64_t set)
{
    int32_t n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

static bool read_place(struct snap_reader *reader, const cJSON *from, const char *path,
                       struct snap_task *task)
{
    struct snapshot *s = &reader->s;
    const char *name = snap_text(from, "node");
    uint32_t number = name_set_find(&s->node_names, name);
    if (number == NAME_NONE && *name == '\0')
        return snap_fail(reader, path, "the task %s, so it needs a 'node'",
                         task->state == SNAP_RUNNING ? "runs" : "is being released");
    if (number == NAME_NONE)
        return snap_unknown(reader, path, "node", name, &s->node_names);
    task->node = s->node_of_name[number];
    task->devices = snap_device_set(json_member(from, "devices"));
    const struct snap_node *node = &s->nodes[task->node];
    const struct snap_request *request = &task->request;
    int32_t named = count_bits(task->devices);
    if (request->mig_count > 0) {
        // Instances in fixed numbers are not distinguished.
        task->devices = node->mig == POLICY_MIG_FREE ? task->devices : 0;
        return true;
    }
    bool part = request->device_mem_mib > 0 ||
                (request->device_milli > 0 && request->device_milli < POLICY_WHOLE);
    if (node->gpus < 64 && task->devices >> node->gpus != 0)
        return snap_fail(reader, path, "devices: the node '%.64s' has %d devices, numbered from 0",
                         node->name, node->gpus);
    if (named != request->devices && (named > 0 || part))
        return snap_fail(reader, path, "devices: expected the %d that it holds, got %d",
                         request->devices, named);
    reader->taken[task->node] |= task->devices;
    return true;
}

/* ---- tasks ---- */

static int by_role_name(const void *a, const void *b)
{
    return strcmp(((const struct snap_role *)a)->name, ((const struct snap_role *)b)->name);
}

static bool find_role(struct snap_reader *reader, const char *name, const char *path,
                      const struct snap_job *job, uint32_t *role)
{
    struct snap_role key = {.name = name                   ? name
                                    : job->role_count == 1 ? job->roles[0].name
                                                           : "default"};
    const struct snap_role *found =
        bsearch(&key, job->roles, job->role_count, sizeof *job->roles, by_role_name);
    if (found) {
        *role = (uint32_t)(found - job->roles);
        return true;
    }
    if (!name)
        return snap_fail(reader, path, "the key 'role' is missing: the job has %u roles",
                         job->role_count);
    struct name_set names = {0};
    for (uint32_t i = 0; i < job->role_count; i++)
        name_set_add(&names, job->roles[i].name);
    name_set_seal(&names);
    snap_unknown(reader, path, "role", name, &names);
    name_set_fini(&names);
    return false;
}

static bool read_task(struct snap_reader *reader, const cJSON *from, size_t index,
                      const struct snap_job *job, struct snap_task *task)
{
    char path[32];
    (void)snprintf(path, sizeof path, ".tasks[%zu]", index);
    *task = (struct snap_task){
        .id = snap_text(from, "id"),
        .uid = snap_text(from, "uid"),
        .priority = (int32_t)snap_integer(from, "priority", 0),
        .state = (enum snap_task_state)snap_choice(
            from, "state", "pending|gated|running|releasing|succeeded|failed"),
        .node = SNAP_NONE,
        .release_ms = snap_integer(from, "release_ms", POLICY_NEVER),
    };
    return find_role(reader, snap_text(from, "role"), path, job, &task->role) &&
           snap_read_request(reader, from, path, &task->request) &&
           (!snap_holds(task) || read_place(reader, from, path, task));
}

/* By role, then in order of start; tasks that only complete a gang come last. */
static int by_number(const void *a, const void *b)
{
    const struct snap_task *x = a, *y = b;
    if (x->role != y->role)
        return x->role < y->role ? -1 : 1;
    if (!x->id || !y->id)
        return (x->id == NULL) - (y->id == NULL);
    if (x->priority != y->priority)
        return x->priority > y->priority ? -1 : 1;
    return strcmp(x->id, y->id);
}

/*
 * A role with fewer tasks than its minimum gets one task that never starts, however many are
 * missing: that keeps it incomplete.
 */
static bool lacks_tasks(const struct snap_role *role)
{
    return role->tasks == 0 || role->min_tasks > (int32_t)role->tasks;
}

static bool unique_ids(struct snap_reader *reader, const struct snap_task *tasks, uint32_t count)
{
    struct name_set ids = {0};
    for (uint32_t i = 0; i < count; i++)
        name_set_add(&ids, tasks[i].id);
    name_set_seal(&ids);
    bool unique = ids.count == count;
    bool *seen = mem_alloc(ids.count + 1, sizeof *seen);
    for (uint32_t i = 0; i < count && !unique; i++) {
        uint32_t number = name_set_find(&ids, tasks[i].id);
        if (seen[number]) {
            snap_fail(reader, ".tasks", "there are two tasks of the id '%.64s'", tasks[i].id);
            break;
        }
        seen[number] = true;
    }
    free(seen);
    name_set_fini(&ids);
    return unique;
}

bool snap_read_tasks(struct snap_reader *reader, const cJSON *from, struct snap_job *job)
{
    const cJSON *list = json_member(from, "tasks");
    uint32_t listed = (uint32_t)snap_size(list), n = 0;
    struct snap_task *tasks = mem_alloc((size_t)listed + 1, sizeof *tasks);
    bool ok = true;
    for (const cJSON *entry = list->child; entry && ok; entry = entry->next, n++) {
        ok = read_task(reader, entry, n, job, &tasks[n]);
        if (ok)
            job->roles[tasks[n].role].tasks++;
    }
    ok = ok && unique_ids(reader, tasks, listed);
    job->task_count = listed;
    for (uint32_t r = 0; r < job->role_count; r++)
        job->task_count += lacks_tasks(&job->roles[r]);
    job->tasks = ok ? snap_alloc(reader, job->task_count, sizeof *job->tasks) : NULL;
    if (ok && listed > 0)
        memcpy(job->tasks, tasks, listed * sizeof *tasks);
    free(tasks);
    if (!ok)
        return false;
    for (uint32_t r = 0; r < job->role_count; r++) {
        struct snap_role *role = &job->roles[r];
        if (lacks_tasks(role)) { // its request does not matter: nothing
            job->tasks[listed++] = (struct snap_task){
                .role = r, .state = SNAP_GATED, .node = SNAP_NONE, .request = {.gpu_types = ""}};
            role->tasks++;
        }
        role->min_tasks = role->min_tasks > 0 ? role->min_tasks : (int32_t)role->tasks;
        role->first_task = r == 0 ? 0 : job->roles[r - 1].first_task + job->roles[r - 1].tasks;
    }
    qsort(job->tasks, job->task_count, sizeof *job->tasks, by_number);
    return true;
}
