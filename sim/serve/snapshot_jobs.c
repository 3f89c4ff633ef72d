/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs of the state, with the facts about their tasks, as a snapshot has them; see snapshot.h. */
#include "sim/serve/snapshot.h"

#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DEPTH                                                                                 \
    16 /* of groups: as deep as the JSON writer allows inside their enclosing                      \
          objects */

/* State of one task. */
struct seat {
    const char *state;
    uint32_t node;
    uint64_t devices;
    const struct policy_role *role;
    uint32_t set; /* its pod set: the number of the role that begins it */
};

/* ---- tasks ---- */

static uint32_t task_count(const struct policy_job_spec *spec)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < spec->role_count; i++)
        count += (uint32_t)spec->roles[i].tasks;
    return count;
}

static struct seat *list_tasks(const struct policy_job_spec *spec)
{
    struct seat *seats = mem_alloc(task_count(spec) + 1, sizeof *seats);
    uint32_t task = 0, set = 0;
    for (uint32_t i = 0; i < spec->role_count; i++) {
        set = spec->roles[i].joined ? set : i;
        for (int32_t k = 0; k < spec->roles[i].tasks; k++)
            seats[task++] = (struct seat){
                .state = "pending", .node = POLICY_NO_ID, .role = &spec->roles[i], .set = set};
    }
    return seats;
}

static void take_fact(struct seat *seat, const struct fact *f)
{
    switch (f->kind) {
    case FACT_TASK_RUNNING:
        seat->state = "running";
        seat->node = f->node.i;
        seat->devices = f->devices;
        break;
    case FACT_TASK_RELEASING:
        seat->state = "releasing";
        break;
    case FACT_TASK_GATED:
        seat->state = f->state != 0 ? "gated" : "pending";
        break;
    case FACT_TASK_ENDED:
        seat->state = f->state == POLICY_FAILED ? "failed" : "succeeded";
        break;
    default:
        break;
    }
}

static void put_types(uint64_t set, struct json *j)
{
    struct out *names = out_memory();
    for (uint64_t rest = set; rest != 0; rest &= rest - 1)
        out_format(names, "%stype-%d", rest == set ? "" : "|", __builtin_ctzll(rest));
    if (set != 0)
        json_text(j, "gpu_types", out_memory_text(names, NULL));
    out_discard(names);
}

static bool wants_mig(const struct policy_request *r)
{
    bool wants = false;
    for (int i = 0; r->mig != NULL && i < POLICY_MAX_PROFILES; i++)
        wants = wants || r->mig[i] > 0;
    return wants;
}

static void put_devices(const struct shot *shot, const struct policy_request *r, struct json *j)
{
    bool shares = r->device_milli > 0 && r->device_milli < POLICY_WHOLE;
    if (wants_mig(r)) {
        json_begin_object(j, "mig");
        for (int i = 0; i < POLICY_MAX_PROFILES; i++)
            if (r->mig[i] > 0)
                json_i64(j, shot->profiles[i], r->mig[i]);
        json_end_object(j);
    } else if (r->devices > 0 && (r->device_mem_mib > 0 || shares)) {
        json_i64(j, shares ? "gpu_milli" : "gpu_mem_mib",
                 shares ? r->device_milli : r->device_mem_mib);
        json_i64(j, "devices_wanted", r->devices);
    } else {
        json_i64(j, "gpus", r->devices);
    }
}

static void put_request(const struct shot *shot, const struct policy_request *r, struct json *j)
{
    char text[16];
    put_devices(shot, r, j);
    json_i64(j, "cpu_milli", r->cpu_milli);
    json_i64(j, "mem_mib", r->mem_mib);
    put_types(r->types, j);
    json_begin_object(j, "node_affinity");
    for (uint32_t i = 0; i < r->term_count; i++) {
        shot_label(text, r->terms[i].key);
        json_begin_array(j, text);
        for (uint32_t k = 0; k < r->terms[i].value_count; k++) {
            shot_label(text, r->terms[i].values[k]);
            json_text(j, NULL, text);
        }
        json_end_array(j);
    }
    json_end_object(j);
}

static void put_task(const struct shot *shot, const char *job, uint32_t number,
                     const struct seat *seat, struct json *j)
{
    char role[16];
    char *id = mem_format("%s-%06u", job, (unsigned)number);
    (void)snprintf(role, sizeof role, "r%04u", (unsigned)seat->set);
    json_begin_object(j, NULL);
    json_text(j, "id", id);
    json_text(j, "role", role);
    json_text(j, "state", seat->state);
    bool holds = strcmp(seat->state, "running") == 0 || strcmp(seat->state, "releasing") == 0;
    if (holds)
        json_text(j, "node", shot_name(shot->nodes, seat->node, 0));
    json_begin_array(j, "devices");
    for (uint64_t rest = holds ? seat->devices : 0; rest != 0; rest &= rest - 1)
        json_i64(j, NULL, __builtin_ctzll(rest));
    json_end_array(j);
    put_request(shot, &seat->role->request, j);
    json_end_object(j);
    free(id);
}

/* ---- roles and groups ---- */

static void put_roles(struct shot *shot, const struct policy_job_spec *spec, struct json *j)
{
    char name[16];
    json_begin_array(j, "roles");
    for (uint32_t i = 0; i < spec->role_count; i++) {
        if (spec->roles[i].joined)
            continue;
        (void)snprintf(name, sizeof name, "r%04u", (unsigned)i);
        json_begin_object(j, NULL);
        json_text(j, "name", name);
        json_i64(j, "min_tasks", spec->roles[i].min_tasks);
        shot_constraint(shot, &spec->roles[i].topology, j);
        json_end_object(j);
    }
    json_end_array(j);
}

/* Groups whose parent is `parent` (1 + its index, 0: the job), with their contents. */
static void put_groups(struct shot *shot, const struct policy_job_spec *spec, int32_t parent,
                       int depth, struct json *j)
{
    char name[16];
    if (depth == MOST_DEPTH && !shot->failed)
        shot->failed =
            !err_set(shot->err, EXIT_INPUT, "groups more than %d deep are in no snapshot", depth);
    if (shot->failed)
        return;
    json_begin_array(j, "groups");
    for (uint32_t i = 0; i < spec->group_count; i++) {
        if (spec->groups[i].parent != parent)
            continue;
        (void)snprintf(name, sizeof name, "g%03u", (unsigned)i);
        json_begin_object(j, NULL);
        json_text(j, "name", name);
        shot_constraint(shot, &spec->groups[i].topology, j);
        json_begin_array(j, "roles");
        for (uint32_t r = 0; r < spec->role_count; r++) {
            (void)snprintf(name, sizeof name, "r%04u", (unsigned)r);
            if (!spec->roles[r].joined && spec->roles[r].group == (int32_t)i + 1)
                json_text(j, NULL, name);
        }
        json_end_array(j);
        put_groups(shot, spec, (int32_t)i + 1, depth + 1, j);
        json_end_object(j);
    }
    json_end_array(j);
}

/* ---- the job ---- */

/* What facts after the job's own say about it. */
struct found {
    policy_time last_start, stale_since;
    bool runs, is_stale, suspended;
    int32_t priority;
};

static struct found read_facts(const struct shot *shot, size_t first, struct seat *seats,
                               uint32_t tasks)
{
    const struct policy_job_spec *spec = shot->lines[first].fact.spec;
    struct found found = {.last_start = POLICY_NEVER, .priority = spec->priority};
    for (size_t i = first + 1; i < shot->count; i++) {
        const struct fact *f = &shot->lines[i].fact;
        bool is_about = f->kind == FACT_TASK_RUNNING || f->kind == FACT_TASK_RELEASING ||
                        f->kind == FACT_TASK_GATED || f->kind == FACT_TASK_ENDED;
        if (f->kind == FACT_STALE_SINCE) {
            found.is_stale = true;
            found.stale_since = f->value;
        } else if (f->kind == FACT_JOB_PRIORITY) {
            found.priority = f->state;
        } else if (f->kind == FACT_JOB_SUSPEND) {
            found.suspended = f->state != 0;
        } else if (is_about && f->task < tasks) {
            take_fact(&seats[f->task], f);
        } else if (f->kind != FACT_PROGRESS) {
            break;
        }
        if (f->kind == FACT_TASK_RUNNING) {
            found.runs = true;
            found.last_start = f->value;
        }
    }
    return found;
}

static int64_t place_of(const struct shot *shot, uint64_t rank)
{
    size_t low = 0;
    for (size_t high = shot->rank_count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (shot->ranks[middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return (int64_t)low;
}

static void put_times(const struct policy_job_spec *spec, const struct found *found, struct json *j)
{
    json_i64(j, "submit_ms", spec->submitted);
    if (spec->eligible != 0 && spec->eligible > spec->submitted) /* age may count from there */
        json_i64(j, "eligible_ms", spec->eligible);
    if (found->runs && found->last_start != POLICY_NEVER)
        json_i64(j, "last_start_ms", found->last_start);
    if (found->is_stale && found->stale_since != POLICY_NEVER)
        json_i64(j, "stale_since_ms", found->stale_since);
    if (spec->run_ms >= 0)
        json_seconds(j, "run_s", spec->run_ms);
    if (spec->limit_ms >= 0)
        json_seconds(j, "time_limit_s", spec->limit_ms);
    if (spec->deadline != 0)
        json_i64(j, "deadline_ms", spec->deadline);
    if (spec->estimate_ms > 0)
        json_seconds(j, "estimate_s", spec->estimate_ms);
    if (spec->interactive_limit_ms != 0)
        json_seconds(j, "interactive_limit_s",
                     spec->interactive_limit_ms > 0 ? spec->interactive_limit_ms : 0);
}

void shot_job(struct shot *shot, size_t first, struct json *j)
{
    static const char *const workloads[] = {"train", "build", "inference"};
    const struct fact *f = &shot->lines[first].fact;
    const struct policy_job_spec *spec = f->spec;
    const char *name = shot_name(shot->jobs, f->job.i, f->job.gen);
    uint32_t tasks = task_count(spec);
    struct seat *seats = list_tasks(spec);
    const struct found found = read_facts(shot, first, seats, tasks);
    char user[SHOT_USER];
    (void)snprintf(user, sizeof user, "user-%u", (unsigned)spec->user);
    json_begin_object(j, NULL);
    json_text(j, "id", name);
    json_text(j, "queue", shot_name(shot->queues, spec->queue.i, 0));
    json_i64(j, "priority", found.priority);
    json_bool(j, "preemptible", spec->preemptible);
    if (found.suspended)
        json_bool(j, "suspended", true);
    put_times(spec, &found, j);
    json_i64(j, "rank", place_of(shot, spec->rank));
    json_text(j, "workload", workloads[spec->workload]);
    if (spec->user != 0)
        json_text(j, "user", user);
    shot_constraint(shot, &spec->topology, j);
    put_groups(shot, spec, 0, 0, j);
    put_roles(shot, spec, j);
    json_begin_array(j, "tasks");
    for (uint32_t i = 0; i < tasks; i++)
        put_task(shot, name, i, &seats[i], j);
    json_end_array(j);
    json_end_object(j);
    free(seats);
}
