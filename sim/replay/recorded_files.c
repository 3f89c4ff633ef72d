/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a recorded world; see recorded_files.h. The snapshot is written by
 * recorded_cluster.c. */
#include "sim/replay/recorded_files.h"

#include "scenarios/schema/policy_file.h"
#include "sim/base/json.h"
#include "sim/base/mem.h"
#include "sim/program/overrides.h"
#include "sim/replay/recorded_cluster.h"
#include "traces/trace_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t recorded_never_started(const struct recorded *r)
{
    uint64_t count = 0;
    for (size_t i = 0; i < r->job_count; i++)
        count += r->jobs[i].runs == 0;
    return count;
}

/* ---- jobs that came later ---- */

static uint32_t numbered(struct symbols *names, const char *kind, uint64_t number)
{
    char name[40];
    int n = snprintf(name, sizeof name, "%s-%llu", kind, (unsigned long long)number);
    return symbols_add(names, name, (size_t)n);
}

/* Roles with equal requests become one; otherwise a trace can only express GPUs. */
static void shape(struct trace_job *to, const struct recorded_job *job)
{
    const struct policy_request *one = &job->roles[0].request;
    bool alike = true;
    int64_t devices = 0;
    to->tasks = to->min_tasks = 0;
    for (uint32_t i = 0; i < job->spec.role_count; i++) {
        const struct policy_role *role = &job->roles[i];
        alike = alike && recorded_same_request(one, &role->request);
        devices += (int64_t)role->tasks * role->request.devices;
        to->tasks += role->tasks;
        to->min_tasks += role->joined ? 0 : role->min_tasks;
    }
    to->max_tasks = to->tasks;
    if (!alike) {
        to->tasks = to->min_tasks = to->max_tasks = 1;
        to->gpus_total = devices;
        return;
    }
    to->gpus = one->devices;
    to->gpu_milli = one->device_milli % 1000;
    to->gpu_mem_mib = one->device_mem_mib;
    to->cpu_milli = one->cpu_milli;
    to->mem_mib = one->mem_mib;
}

static void row_of(struct trace_job *to, const struct recorded *r, const struct recorded_job *job,
                   const struct trace_names *names)
{
    static const enum trace_class classes[] = {[POLICY_TRAIN] = TRACE_CLASS_UNSET,
                                               [POLICY_BUILD] = TRACE_BUILD,
                                               [POLICY_INFERENCE] = TRACE_INFERENCE};
    const struct policy_job_spec *spec = &job->spec;
    const char *queue = r->queues[job->queue].name;
    trace_job_init(to);
    shape(to, job);
    to->id = job->name;
    to->queue = symbols_add(names->queues, queue, strlen(queue));
    to->user = spec->user > 0 ? numbered(names->users, "user", spec->user)
                              : symbols_add(names->users, "", 0);
    to->class = classes[spec->workload];
    to->status = job->failed ? TRACE_FAILED : TRACE_COMPLETED;
    to->priority = spec->priority;
    to->preemptible = spec->preemptible;
    to->submit_ms = spec->submitted > r->begin_ms ? spec->submitted : r->begin_ms + 1;
    to->eligible_ms = job->told_ms > to->submit_ms ? job->told_ms : to->submit_ms;
    if (spec->eligible > to->eligible_ms)
        to->eligible_ms = spec->eligible;
    to->duration_ms = job->run_ms;
    to->limit_ms = spec->limit_ms >= 0 ? spec->limit_ms : TRACE_UNKNOWN;
    to->estimate_ms = spec->estimate_ms > 0 ? spec->estimate_ms : TRACE_UNKNOWN;
    to->start_ms = job->first_started_ms;
    for (uint32_t type = 0; type < 64; type++)
        if (job->roles[0].request.types >> type & 1)
            to->gpu_types |= UINT64_C(1) << numbered(names->gpu_types, "type", type);
}

/* In the order in which the policy takes jobs of equal age. */
static int compare_jobs(const void *left, const void *right)
{
    const struct recorded_job *a = *(const struct recorded_job *const *)left;
    const struct recorded_job *b = *(const struct recorded_job *const *)right;
    if (a->spec.submitted != b->spec.submitted)
        return a->spec.submitted < b->spec.submitted ? -1 : 1;
    if (a->spec.rank != b->spec.rank)
        return a->spec.rank < b->spec.rank ? -1 : 1;
    return a < b ? -1 : 1;
}

static bool write_jobs(const struct recorded *r, const char *dir, size_t *count, struct err *err)
{
    struct out *out = out_open_in(dir, "jobs.csv", err);
    if (out == NULL)
        return false;
    const struct trace_names names = {symbols_create(), symbols_create(), symbols_create(),
                                      symbols_create(), symbols_create()};
    const struct recorded_job **later = mem_alloc(r->job_count + 1, sizeof *later);
    for (size_t i = 0; i < r->job_count; i++)
        if (!r->jobs[i].is_early && r->jobs[i].runs > 0)
            later[(*count)++] = &r->jobs[i];
    qsort(later, *count, sizeof *later, compare_jobs);
    trace_write_header(out, 0);
    for (size_t i = 0; i < *count; i++) {
        struct trace_job row;
        row_of(&row, r, later[i], &names);
        trace_write_job(out, &row, &names, 0);
    }
    free(later);
    symbols_destroy(names.queues);
    symbols_destroy(names.users);
    symbols_destroy(names.gpu_types);
    symbols_destroy(names.models);
    symbols_destroy(names.nodes);
    return out_close(out, err);
}

/* ---- outages ---- */

static bool write_outages(const struct recorded *r, const char *dir, size_t *count, struct err *err)
{
    struct out *out = out_memory();
    out_text(out, "node,down_s,up_s\n");
    for (size_t i = 0; i < r->outage_count; i++) {
        const struct recorded_outage *o = &r->outages[i];
        if (o->up_ms <= r->begin_ms)
            continue;
        out_csv(out, r->nodes[o->node].name);
        out_char(out, ',');
        out_seconds(out, o->down_ms > r->begin_ms ? o->down_ms : r->begin_ms);
        out_char(out, ',');
        if (o->up_ms < INT64_MAX)
            out_seconds(out, o->up_ms);
        out_char(out, '\n');
        ++*count;
    }
    bool ok = *count == 0 || out_write_in(dir, "outages.csv", out_memory_text(out, NULL), err);
    out_discard(out);
    return ok;
}

/* ---- the whole ---- */

/* Absolute path of a shared library, for readers in other directories. */
static void put_policy(struct json *j, struct recorded *r)
{
    char *path = policy_name_is_library(r->policy) ? overrides_absolute(r->policy) : NULL;
    json_begin_object(j, "policy");
    json_text(j, "name", path != NULL ? path : r->policy);
    json_seconds(j, "grace_s", spans_quantile(&r->stops, 0.5));
    json_begin_object(j, "options");
    for (size_t i = 0; i < r->option_count; i++)
        json_text(j, r->option_names[i], r->option_values[i]);
    json_end_object(j);
    json_end_object(j);
    free(path);
}

static bool write_scenario(struct recorded *r, const char *dir, const char *name, bool later,
                           bool outages, struct err *err)
{
    struct out *out = out_open_in(dir, "scenario.json", err);
    int64_t overhead_ms = spans_quantile(&r->starts, 0.5);
    struct json j;
    if (out == NULL)
        return false;
    json_init(&j, out, 1);
    json_begin_object(&j, NULL);
    json_i64(&j, "fauxfleet_scenario", 1);
    json_text(&j, "name", name);
    json_begin_object(&j, "start");
    json_text(&j, "snapshot", "cluster.json");
    json_end_object(&j);
    if (later) {
        json_begin_object(&j, "workload");
        json_text(&j, "trace", "jobs.csv");
        json_text(&j, "format", "native");
        json_end_object(&j);
    }
    put_policy(&j, r);
    if (outages)
        json_text(&j, "outages_file", "outages.csv");
    if (!r->goes_on) {
        json_begin_object(&j, "checkpoint");
        json_i64(&j, "interval", 0);
        json_i64(&j, "restart", 0);
        json_bool(&j, "on_evict", false);
        json_end_object(&j);
    }
    if (overhead_ms > 0) {
        json_begin_object(&j, "startup");
        json_seconds(&j, "image", overhead_ms);
        json_end_object(&j);
    }
    json_end_object(&j);
    out_char(out, '\n');
    return out_close(out, err);
}

bool recorded_write(struct recorded *r, const char *dir, const char *name, struct err *err)
{
    size_t later = 0, outages = 0;
    return recorded_write_cluster(r, dir, err) && write_jobs(r, dir, &later, err) &&
           write_outages(r, dir, &outages, err) &&
           write_scenario(r, dir, name, later > 0, outages > 0, err);
}
