/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing the snapshot of a recorded world; see recorded_cluster.h. */
#include "sim/replay/recorded_cluster.h"

#include "sim/base/json.h"
#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>

#define NAME 40 /* room for "label-4294967295" and the like */

bool recorded_same_request(const struct policy_request *a, const struct policy_request *b)
{
    return a->devices == b->devices && a->device_milli == b->device_milli &&
           a->cpu_milli == b->cpu_milli && a->mem_mib == b->mem_mib && a->types == b->types &&
           a->device_mem_mib == b->device_mem_mib;
}

static const char *numbered(char buffer[NAME], const char *kind, uint32_t number)
{
    (void)snprintf(buffer, NAME, "%s-%u", kind, (unsigned)number);
    return buffer;
}

/* ---- nodes and queues ---- */

static void put_node(struct json *j, const struct recorded_node *node)
{
    const struct policy_node_spec *spec = &node->spec;
    char name[NAME], value[NAME];
    json_begin_object(j, NULL);
    json_text(j, "name", node->name);
    json_i64(j, "gpus", spec->devices);
    json_text(j, "gpu_type", numbered(name, "type", spec->type));
    json_i64(j, "gpu_mem_mib", spec->device_mem_mib);
    json_i64(j, "cpu_milli", spec->cpu_milli);
    json_i64(j, "mem_mib", spec->mem_mib);
    json_i64(j, "max_tasks", spec->max_tasks);
    json_text(j, "mig", spec->mig == POLICY_MIG_SINGLE ? "single" : "off");
    json_text(j, "pool", numbered(name, "pool", spec->pool));
    json_bool(j, "whole_only", spec->whole_only);
    json_i64(j, "rank", spec->rank);
    json_begin_object(j, "labels");
    for (uint32_t i = 0; i < spec->label_count; i++)
        json_text(j, numbered(name, "label", spec->labels[i].key),
                  numbered(value, "value", spec->labels[i].value));
    json_end_object(j);
    json_end_object(j);
}

/* Weights are numbers in a snapshot, and thousandths in the policy. */
static void put_share(struct json *j, const char *key, const struct policy_share *share,
                      int64_t fixed)
{
    json_begin_object(j, key);
    json_i64(j, "quota", share->quota);
    json_i64(j, "limit", share->limit);
    json_seconds(j, "weight", share->weight);
    if (fixed > 0)
        json_i64(j, "fixed", fixed);
    json_end_object(j);
}

static void put_queue(struct json *j, const struct recorded *r, const struct recorded_queue *queue)
{
    const struct policy_queue_spec *spec = &queue->spec;
    char name[NAME];
    json_begin_object(j, NULL);
    json_text(j, "name", queue->name);
    json_text(j, "parent", queue->parent != SYMBOL_NONE ? r->queues[queue->parent].name : "");
    json_i64(j, "priority", spec->priority);
    json_i64(j, "created_ms", spec->created);
    json_i64(j, "rank", spec->rank);
    put_share(j, "gpu", &spec->gpu, spec->fixed_milli);
    put_share(j, "cpu", &spec->cpu, 0);
    put_share(j, "mem", &spec->mem, 0);
    if (spec->preempt_min_runtime_ms >= 0)
        json_seconds(j, "preempt_min_runtime_s", spec->preempt_min_runtime_ms);
    if (spec->reclaim_min_runtime_ms >= 0)
        json_seconds(j, "reclaim_min_runtime_s", spec->reclaim_min_runtime_ms);
    json_begin_array(j, "pools");
    for (uint32_t i = 0; i < spec->pool_count; i++)
        json_text(j, NULL, numbered(name, "pool", queue->pools[i]));
    json_end_array(j);
    json_end_object(j);
}

/* ---- jobs ---- */

static const struct recorded_place *place_of(const struct recorded_job *job, uint32_t task)
{
    for (size_t i = 0; job->was_found && i < job->place_count; i++)
        if (job->places[i].task == task)
            return &job->places[i];
    return NULL;
}

static void put_request(struct json *j, const struct policy_request *request)
{
    bool shares = request->device_milli % 1000 != 0 || request->device_mem_mib > 0;
    struct out *types = out_memory();
    json_i64(j, shares ? "devices_wanted" : "gpus", request->devices);
    if (shares && request->device_mem_mib > 0)
        json_i64(j, "gpu_mem_mib", request->device_mem_mib);
    else if (shares)
        json_i64(j, "gpu_milli", request->device_milli);
    json_i64(j, "cpu_milli", request->cpu_milli);
    json_i64(j, "mem_mib", request->mem_mib);
    bool first = true;
    for (uint32_t type = 0; type < 64; type++)
        if (request->types >> type & 1) {
            out_format(types, "%stype-%u", first ? "" : "|", (unsigned)type);
            first = false;
        }
    json_text(j, "gpu_types", out_memory_text(types, NULL));
    out_discard(types);
}

static void put_task(struct json *j, const struct recorded *r, const struct recorded_job *job,
                     uint32_t set, uint32_t role, uint32_t task)
{
    const struct recorded_place *place = place_of(job, task);
    char name[NAME];
    json_begin_object(j, NULL);
    json_text(j, "id", numbered(name, "task", task));
    json_text(j, "role", numbered(name, "role", set));
    json_text(j, "state", place != NULL ? "running" : "pending");
    if (place != NULL) {
        json_text(j, "node", r->nodes[place->node].name);
        json_begin_array(j, "devices");
        for (int device = 0; device < 64; device++)
            if (place->devices >> device & 1)
                json_i64(j, NULL, device);
        json_end_array(j);
    }
    put_request(j, &job->roles[role].request);
    json_end_object(j);
}

static void put_times(struct json *j, const struct recorded_job *job)
{
    const struct policy_job_spec *spec = &job->spec;
    json_i64(j, "submit_ms", spec->submitted);
    if (job->was_found)
        json_i64(j, "last_start_ms", job->first_started_ms);
    if (spec->eligible != 0 && spec->eligible > spec->submitted)
        json_i64(j, "eligible_ms", spec->eligible);
    if (spec->run_ms >= 0)
        json_seconds(j, "run_s", spec->run_ms);
    if (spec->limit_ms >= 0)
        json_seconds(j, "limit_s", spec->limit_ms);
    if (spec->estimate_ms > 0)
        json_seconds(j, "estimate_s", spec->estimate_ms);
    json_seconds(j, "duration_s", job->run_ms);
    json_text(j, "status", job->failed ? "failed" : "completed");
}

static void put_job(struct json *j, const struct recorded *r, const struct recorded_job *job,
                    uint64_t rank)
{
    static const char *const workloads[] = {
        [POLICY_TRAIN] = "train", [POLICY_BUILD] = "build", [POLICY_INFERENCE] = "inference"};
    const struct policy_job_spec *spec = &job->spec;
    char name[NAME];
    uint32_t task = 0, set = 0;
    json_begin_object(j, NULL);
    json_text(j, "id", job->name);
    json_text(j, "queue", r->queues[job->queue].name);
    json_u64(j, "rank", rank);
    json_i64(j, "priority", spec->priority);
    json_bool(j, "preemptible", spec->preemptible);
    json_text(j, "workload", workloads[spec->workload]);
    if (spec->user > 0)
        json_text(j, "user", numbered(name, "user", spec->user));
    put_times(j, job);
    json_begin_array(j, "roles");
    for (uint32_t i = 0; i < spec->role_count; i++) {
        if (job->roles[i].joined)
            continue;
        json_begin_object(j, NULL);
        json_text(j, "name", numbered(name, "role", i));
        json_i64(j, "min_tasks", job->roles[i].min_tasks);
        json_end_object(j);
    }
    json_end_array(j);
    json_begin_array(j, "tasks");
    for (uint32_t i = 0; i < spec->role_count; i++) {
        set = job->roles[i].joined ? set : i; /* the first role of the pod set names it */
        for (int32_t k = 0; k < job->roles[i].tasks; k++)
            put_task(j, r, job, set, i, task++);
    }
    json_end_array(j);
    json_end_object(j);
}

static int compare_ranks(const void *left, const void *right)
{
    const struct recorded_job *a = *(const struct recorded_job *const *)left;
    const struct recorded_job *b = *(const struct recorded_job *const *)right;
    if (a->spec.rank != b->spec.rank)
        return a->spec.rank < b->spec.rank ? -1 : 1;
    return a < b ? -1 : 1;
}

/* Ranks in a journal have 64 bits, those of a snapshot 53: small numbers express the same order. */
static void put_jobs(struct json *j, const struct recorded *r)
{
    const struct recorded_job **early = mem_alloc(r->job_count + 1, sizeof *early);
    size_t count = 0;
    for (size_t i = 0; i < r->job_count; i++)
        if (r->jobs[i].is_early && r->jobs[i].runs > 0)
            early[count++] = &r->jobs[i];
    qsort(early, count, sizeof *early, compare_ranks);
    json_begin_array(j, "jobs");
    for (size_t i = 0; i < count; i++)
        put_job(j, r, early[i], i);
    json_end_array(j);
    free(early);
}

bool recorded_write_cluster(const struct recorded *r, const char *dir, struct err *err)
{
    struct out *out = out_open_in(dir, "cluster.json", err);
    struct json j;
    if (out == NULL)
        return false;
    json_init(&j, out, 1);
    json_begin_object(&j, NULL);
    json_i64(&j, "fauxfleet_snapshot", 1);
    json_i64(&j, "now_ms", r->begin_ms);
    json_begin_array(&j, "nodes");
    for (size_t i = 0; i < r->node_count; i++)
        put_node(&j, &r->nodes[i]);
    json_end_array(&j);
    json_begin_array(&j, "queues");
    for (size_t i = 0; i < r->queue_count; i++)
        put_queue(&j, r, &r->queues[i]);
    json_end_array(&j);
    put_jobs(&j, r);
    json_end_object(&j);
    out_char(out, '\n');
    return out_close(out, err);
}
