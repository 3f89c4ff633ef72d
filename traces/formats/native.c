/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The native trace: a CSV whose columns are the members of our job record. All but job_id,
 * submit_s, duration_s and the request for GPUs have defaults. Unknown columns are refused: in our
 * own format they are typing errors.
 */
#include "traces/formats.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)
#define REQUEST     CSV_ANY_OF(1)

#define MOST_TASKS 1000000
#define MOST_GPUS  1024 /* per task; a node has far fewer */
#define MOST_MIB   1000000000000

static const struct csv_column columns[] = {
    {"job_id", CSV_NEEDED, field_text, JOB(id), 0, 0},
    {"submit_s", CSV_NEEDED, field_time, JOB(submit_ms), 0, 0},
    {"duration_s", CSV_NEEDED, field_span, JOB(duration_ms), 0, 0},
    {"gpus", REQUEST, field_milli, RAW(gpus_milli), 0, 0},
    {"queue", 0, field_queue, JOB(queue), 0, 0},
    {"user", 0, field_user, JOB(user), 0, 0},
    {"class", 0, field_class, JOB(class), 0, 0},
    {"priority", 0, field_i32, JOB(priority), -1000000000, 1000000000},
    {"preemptible", 0, field_i32, JOB(preemptible), 0, 1},
    {"eligible_s", 0, field_time, JOB(eligible_ms), 0, 0},
    {"after", 0, field_text, JOB(after), 0, 0},
    {"think_s", 0, field_limit, JOB(think_ms), 0, 0},
    {"array", 0, field_text, JOB(array), 0, 0},
    {"array_limit", 0, field_i32, JOB(array_limit), 0, MOST_TASKS},
    {"rungs_s", 0, field_text, JOB(rungs), 0, 0},
    {"eta", 0, field_milli, JOB(eta_milli), 0, 0},
    {"tasks", 0, field_i32, JOB(tasks), 1, MOST_TASKS},
    {"min_tasks", 0, field_i32, JOB(min_tasks), 1, MOST_TASKS},
    {"max_tasks", 0, field_i32, JOB(max_tasks), 1, MOST_TASKS},
    {"gpus_per_task", REQUEST, field_i64, RAW(gpus), 0, MOST_GPUS},
    {"gpu_milli", REQUEST, field_i64, RAW(gpu_milli), 0, 1000},
    {"gpu_mem_mib", REQUEST, field_i64, JOB(gpu_mem_mib), 0, MOST_MIB},
    {"gpu_mem_limit_mib", 0, field_i64, JOB(gpu_mem_limit_mib), 0, MOST_MIB},
    {"mig", REQUEST, field_text, JOB(mig), 0, 0},
    {"cpus_per_task", 0, field_milli, JOB(cpu_milli), 0, 0},
    {"mem_mib_per_task", 0, field_i64, JOB(mem_mib), 0, MOST_MIB},
    {"gpu_type", 0, field_types, JOB(gpu_types), 0, 0},
    {"time_limit_s", 0, field_limit, JOB(limit_ms), 0, 0},
    {"estimate_s", 0, field_limit, JOB(estimate_ms), 0, 0},
    {"model", 0, field_model, JOB(model), 0, 0},
    {"recorded_on", 0, field_recorded_on, JOB(recorded_on), 0, 0},
    {"checkpoint_s", 0, field_limit, JOB(checkpoint_ms), 0, 0},
    {"checkpoint_write_s", 0, field_limit, JOB(checkpoint_write_ms), 0, 0},
    {"restart_s", 0, field_limit, JOB(restart_ms), 0, 0},
    {"sm_util", 0, field_share, JOB(sm_util_ppm), 0, 0},
    {"active_frac", 0, field_share, JOB(active_ppm), 0, 0},
    {"topology_required", 0, field_text, JOB(topology_required), 0, 0},
    {"topology_preferred", 0, field_text, JOB(topology_preferred), 0, 0},
    {"roles", REQUEST, field_text, JOB(roles), 0, 0},
    {"on_failure", 0, field_on_failure, JOB(on_failure), 0, 0},
    {"status", 0, field_status, JOB(status), 0, 0},
    {"deadline_s", 0, field_time, JOB(deadline_ms), 0, 0},
    {"start_s", 0, field_time, JOB(start_ms), 0, 0},
    {"end_s", 0, field_time, JOB(end_ms), 0, 0},
    {"attempts", 0, field_i32, JOB(attempts), 0, 1000000000},
    {"cause", 0, field_cause, JOB(cause), 0, 0},
};

/* Writes thousandths without trailing zeros: "1.5", "4". */
static const char *plain(char buffer[32], int64_t milli)
{
    int n =
        snprintf(buffer, 32, "%lld.%03lld", (long long)(milli / 1000), (long long)(milli % 1000));
    while (n > 0 && buffer[n - 1] == '0')
        n--;
    n -= n > 0 && buffer[n - 1] == '.';
    buffer[n] = '\0';
    return buffer;
}

/* Reads `gpus` alone: the whole job, split over nodes later; a value below 1 is a share of one
 * device. */
static bool whole_job(struct format_row *row, struct err *err)
{
    struct trace_job *job = &row->job;
    int64_t milli = row->raw.gpus_milli;
    if (milli > 0 && milli < 1000) {
        if (job->tasks > 1)
            return err_set(err, EXIT_INPUT,
                           "column 'gpus': a share of one device with more than one task, "
                           "expected gpu_milli for the share of each task");
        job->gpus = 1;
        job->gpu_milli = (int32_t)milli;
        return true;
    }
    char shown[32];
    if (milli % 1000 != 0)
        return err_set(err, EXIT_INPUT, "column 'gpus': %s is neither a whole number nor below 1",
                       plain(shown, milli));
    int64_t gpus = milli / 1000;
    if (gpus > (int64_t)MOST_TASKS * MOST_GPUS)
        return err_set(err, EXIT_INPUT, "column 'gpus': %lld is more than any cluster has",
                       (long long)gpus);
    if (job->tasks == 1 && job->max_tasks == 1) {
        job->gpus_total = gpus;
        return true;
    }
    if (gpus % job->tasks != 0 || gpus / job->tasks > MOST_GPUS)
        return err_set(err, EXIT_INPUT, "column 'gpus': %lld cannot be divided among %d tasks",
                       (long long)gpus, job->tasks);
    job->gpus = (int32_t)(gpus / job->tasks);
    return true;
}

/* Reads the request of one task: whole devices, a share of them, memory on one, or a MIG instance.
 */
static bool each_task(struct format_context *context, struct err *err)
{
    const struct format_row *row = &context->row;
    struct trace_job *job = &context->row.job;
    int64_t gpus = row->raw.gpus,
            share = row->raw.gpu_milli == FORMAT_ABSENT ? 0 : row->raw.gpu_milli;
    bool memory = job->gpu_mem_mib > 0, mig = job->mig[0] != '\0';
    context->at_fault = share > 0 && memory ? "gpu_mem_mib" : "mig";
    if ((share > 0) + memory + mig > 1)
        return err_set(err, EXIT_INPUT, "more than one of gpu_milli, gpu_mem_mib and mig is given");
    if (mig && gpus > 0)
        return err_set(err, EXIT_INPUT, "both mig and gpus_per_task are given");
    if (gpus == FORMAT_ABSENT)
        gpus = share > 0 || memory ? 1 : 0;
    context->at_fault = "gpus_per_task";
    if (gpus == 0 && (share > 0 || memory))
        return err_set(err, EXIT_INPUT, "a share of devices with gpus_per_task 0");
    job->gpus = (int32_t)gpus;
    job->gpu_milli = share == 1000 ? 0 : (int32_t)share;
    return true;
}

/* Reads roles, which exclude all other requests. */
static bool roles(struct format_context *context, struct err *err)
{
    struct format_row *row = &context->row;
    struct trace_job *job = &row->job;
    const struct {
        const char *column;
        bool given;
    } others[] = {
        {"gpus", row->raw.gpus_milli != FORMAT_ABSENT},
        {"gpus_per_task", row->raw.gpus != FORMAT_ABSENT},
        {"gpu_milli", row->raw.gpu_milli != FORMAT_ABSENT},
        {"gpu_mem_mib", job->gpu_mem_mib > 0},
        {"gpu_mem_limit_mib", job->gpu_mem_limit_mib > 0},
        {"mig", job->mig[0] != '\0'},
        {"cpus_per_task", job->cpu_milli > 0},
        {"mem_mib_per_task", job->mem_mib > 0},
        {"tasks", job->tasks > 1},
        {"min_tasks", job->min_tasks != job->tasks},
        {"max_tasks", job->max_tasks != job->tasks},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        context->at_fault = others[i].column;
        if (others[i].given)
            return err_set(err, EXIT_INPUT, "both roles and %s are given", others[i].column);
    }
    context->at_fault = "roles";
    return trace_job_set_roles(job, job->roles, context->fields.names->gpu_types, err);
}

static bool request(struct format_context *context, struct err *err)
{
    struct format_row *row = &context->row;
    const struct trace_job *job = &row->job;
    if (job->roles[0] != '\0')
        return roles(context, err);
    context->at_fault = "gpus|gpus_per_task|gpu_milli|gpu_mem_mib|mig|roles";
    bool whole = row->raw.gpus_milli != FORMAT_ABSENT;
    bool share = row->raw.gpu_milli > 0 || job->gpu_mem_mib > 0 || job->mig[0] != '\0';
    bool task = row->raw.gpus != FORMAT_ABSENT || row->raw.gpu_milli != FORMAT_ABSENT || share;
    if (!whole && !task)
        return err_set(err, EXIT_INPUT,
                       "no request for GPUs: gpus and gpus_per_task are both empty");
    if (whole && !share && row->raw.gpus == FORMAT_ABSENT)
        return whole_job(row, err);
    int64_t gpus = row->raw.gpus == FORMAT_ABSENT ? 1 : row->raw.gpus;
    int64_t each = row->raw.gpu_milli > 0 ? gpus * row->raw.gpu_milli : gpus * 1000;
    bool comparable = job->gpu_mem_mib == 0 && job->mig[0] == '\0';
    int64_t together = each * job->tasks;
    char shown[32], asked[32];
    if (whole && comparable && row->raw.gpus_milli != together)
        return err_set(err, EXIT_INPUT, "gpus is %s but the tasks together ask for %s",
                       plain(shown, row->raw.gpus_milli), plain(asked, together));
    return each_task(context, err);
}

/* Checks the limit of device memory: only for tasks that share a device, and not below their
 * request. */
static bool limit(struct format_context *context, struct err *err)
{
    const struct trace_job *job = &context->row.job;
    context->at_fault = "gpu_mem_limit_mib";
    if (job->gpu_mem_limit_mib > 0 && job->gpu_mem_mib == 0 && job->gpu_milli == 0)
        return err_set(
            err, EXIT_INPUT,
            "gpu_mem_limit_mib is for tasks that share a device: expected gpu_mem_mib or gpu_milli "
            "beside it");
    if (job->gpu_mem_limit_mib > 0 && job->gpu_mem_limit_mib < job->gpu_mem_mib)
        return err_set(err, EXIT_INPUT, "gpu_mem_limit_mib is %lld, below gpu_mem_mib %lld",
                       (long long)job->gpu_mem_limit_mib, (long long)job->gpu_mem_mib);
    return true;
}

static bool array(struct format_context *context, struct err *err)
{
    const struct trace_job *job = &context->row.job;
    context->at_fault = "array_limit";
    return job->array_limit == 0 || job->array[0] != '\0' ||
           err_set(err, EXIT_INPUT,
                   "array_limit is %d without array, expected the name of the array beside it",
                   job->array_limit);
}

/* Checks at which run times the array's jobs are compared, and how many continue. */
static bool rungs(struct format_context *context, struct err *err)
{
    const struct trace_job *job = &context->row.job;
    int64_t ms[TRACE_RUNGS];
    int count;
    char shown[80];
    context->at_fault = "rungs_s";
    if (!trace_rungs(job->rungs, ms, &count))
        return err_set(err, EXIT_INPUT,
                       "rungs_s is '%s', expected up to %d rising run times in seconds, separated "
                       "by '|', such as 600|1800",
                       texts_show(shown, sizeof shown, job->rungs, strlen(job->rungs)),
                       TRACE_RUNGS);
    if (count > 0 && job->array[0] == '\0')
        return err_set(err, EXIT_INPUT,
                       "rungs_s without array, expected the name of the array beside it");
    context->at_fault = "eta";
    if (job->eta_milli != TRACE_UNKNOWN && (count == 0 || job->eta_milli <= 1000))
        return err_set(err, EXIT_INPUT, "eta is %s%s, expected %s", plain(shown, job->eta_milli),
                       count == 0 ? " without rungs_s" : "",
                       count == 0 ? "both" : "a number above 1");
    return true;
}

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    struct trace_job *job = &context->row.job;
    if (job->min_tasks == 0)
        job->min_tasks = job->tasks;
    if (job->max_tasks == 0)
        job->max_tasks = job->tasks;
    context->at_fault = job->min_tasks > job->tasks ? "min_tasks" : "max_tasks";
    if (job->min_tasks > job->tasks || job->max_tasks < job->tasks) {
        err_set(err, EXIT_INPUT,
                "min_tasks %d, tasks %d, max_tasks %d: expected them in this order", job->min_tasks,
                job->tasks, job->max_tasks);
        return FORMAT_ERROR;
    }
    if (job->eligible_ms < job->submit_ms) {
        if (job->eligible_ms != FORMAT_ABSENT)
            format_note(context, "eligible_s before submit_s, taken as submit_s");
        job->eligible_ms = job->submit_ms;
    }
    if (job->deadline_ms != TRACE_UNKNOWN && job->deadline_ms < job->submit_ms)
        format_note(context, "deadline_s before submit_s, which no job can meet");
    return request(context, err) && limit(context, err) && array(context, err) &&
                   rungs(context, err)
               ? FORMAT_KEEP
               : FORMAT_ERROR;
}

static const char *const parts[] = {"roles", "on_failure", NULL};
static const char *const links[] = {"after", "array", NULL};

const struct trace_format format_native = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .finish = finish,
    .links = links,
    .deadline = "deadline_s",
    .parts = parts,
};
