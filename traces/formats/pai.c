/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Alibaba PAI (NSDI '22), pai_task_table.csv: a row for each role of a job ("worker", "ps",
 * "tensorflow", ...), with or without a header row. Each role becomes a job, JOB/ROLE, with as many
 * tasks as it has instances. Requests are per instance, plan_cpu and plan_gpu in percent, plan_mem
 * in GB, taken as GiB. Times are seconds of a clock that is 8 hours behind China's time of day.
 *
 * The table has launch times of roles. Submit times and users of jobs are in pai_job_table.csv:
 * setting `jobs`. Without it, a role is submitted at its launch, which is counted. Only Terminated
 * is success; roles that were Running or Waiting at the end of the trace are dropped.
 */
#include "traces/formats.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

/* ---- the table of jobs ---- */

/* The user and submit time of a job; 24 bytes per job and its name. */
struct owner {
    int64_t submit_ms; /* FORMAT_ABSENT: empty */
    uint32_t user;     /* in the names of the trace, or SYMBOL_NONE */
};

struct owners {
    struct field_context fields; /* must be first; submit time of `line` */
    struct {
        uint32_t job;
        struct owner owner;
    } line;
    struct symbols *jobs; /* job names */
    struct owner *owners; /* by job name */
    size_t capacity;
};

static const char *set_job(void *data, const struct csv_column *column, const char *text, size_t n)
{
    struct owners *owners = data;
    (void)column;
    owners->line.job = symbols_add(owners->jobs, text, n);
    return NULL;
}

#define OWNER(member) (offsetof(struct owners, line.owner.member) - offsetof(struct owners, line))

static const struct csv_column owner_columns[] = {
    {"job_name", CSV_NEEDED, set_job, 0, 0, 0},
    {"user", 0, field_user, OWNER(user), 0, 0},
    {"start_time", 0, field_time, OWNER(submit_ms), 0, 0},
    {"inst_id", 0, NULL, 0, 0, 0},
    {"status", 0, NULL, 0, 0, 0},
    {"end_time", 0, NULL, 0, 0, 0},
};

static void owner_begin(void *data)
{
    struct owners *owners = data;
    owners->line.owner = (struct owner){FORMAT_ABSENT, SYMBOL_NONE};
}

static bool owner_row(void *data, uint64_t line, const char **at_fault, struct err *err)
{
    struct owners *owners = data;
    (void)line, (void)at_fault, (void)err;
    owners->owners = mem_grow(owners->owners, &owners->capacity, owners->line.job + (size_t)1,
                              sizeof *owners->owners);
    owners->owners[owners->line.job] = owners->line.owner;
    return true;
}

static const struct csv_table owner_table = {
    .columns = owner_columns,
    .count = sizeof owner_columns / sizeof *owner_columns,
    .header = "job_name,inst_id,user,status,start_time,end_time\n",
    .begin = owner_begin,
    .row = owner_row,
};

static void close_owners(struct format_context *context)
{
    struct owners *owners = context->own;
    if (!owners)
        return;
    symbols_destroy(owners->jobs);
    free(owners->owners);
    free(owners);
    context->own = NULL;
}

static bool open_owners(struct format_context *context, struct err *err)
{
    if (!context->settings->jobs)
        return true;
    struct input *input = input_open(context->settings->jobs, err);
    if (!input)
        return false;
    struct owners *owners = mem_alloc(1, sizeof *owners);
    context->own = owners;
    owners->fields =
        (struct field_context){.record = &owners->line, .names = context->fields.names};
    owners->jobs = symbols_create();
    struct csv_reader *csv = csv_open(input, &owner_table, owners, err);
    int got = csv ? 1 : -1;
    while (got > 0)
        got = csv_more(csv, err);
    csv_close(csv);
    input_close(input);
    return got == 0;
}

/* ---- the table of tasks ---- */

static const struct status {
    const char *name;
    enum trace_status status;
    bool ended;
} statuses[] = {
    {"Terminated", TRACE_COMPLETED, true},
    {"Failed", TRACE_FAILED, true},
    {"Running", TRACE_COMPLETED, false},
    {"Waiting", TRACE_COMPLETED, false},
};

static const char *set_status(void *data, const struct csv_column *column, const char *text,
                              size_t n)
{
    struct format_context *context = data;
    (void)column;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        if (strlen(statuses[i].name) == n && memcmp(statuses[i].name, text, n) == 0) {
            context->row.raw.state = (int64_t)i;
            return NULL;
        }
    }
    return "Terminated, Failed, Running or Waiting";
}

/* Percent of a core or device to thousandths. */
static const char *set_percent(void *data, const struct csv_column *column, const char *text,
                               size_t n)
{
    const struct format_context *context = data;
    int64_t milli;
    if (!text_scaled(text, n, 1, &milli) || milli < 0 || milli > 1000000000)
        return "percent from 0 to 1e8";
    *(int64_t *)((char *)context->fields.record + column->offset) = milli;
    return NULL;
}

static const char *set_memory(void *data, const struct csv_column *column, const char *text,
                              size_t n)
{
    struct format_context *context = data;
    int64_t milli;
    (void)column;
    if (!text_scaled(text, n, 3, &milli) || milli < 0 || milli > 1000000000)
        return "gigabytes from 0 to 1e6";
    context->row.job.mem_mib = milli * 1024 / 1000;
    return NULL;
}

/* Machines without GPUs have the type "CPU". */
static const char *set_type(void *data, const struct csv_column *column, const char *text, size_t n)
{
    return n == 3 && memcmp(text, "CPU", 3) == 0 ? NULL : field_types(data, column, text, n);
}

static const struct csv_column columns[] = {
    {"job_name", CSV_NEEDED, field_text, JOB(id), 0, 0},
    {"task_name", CSV_NEEDED, field_text, RAW(role), 0, 0},
    {"inst_num", CSV_NONE, field_i32, JOB(tasks), 1, 1000000},
    {"status", CSV_NEEDED, set_status, 0, 0, 0},
    {"start_time", CSV_NONE, field_time, RAW(start_ms), 0, 0},
    {"end_time", CSV_NONE, field_time, RAW(end_ms), 0, 0},
    {"plan_cpu", CSV_NONE, set_percent, JOB(cpu_milli), 0, 0},
    {"plan_mem", CSV_NONE, set_memory, 0, 0, 0},
    {"plan_gpu", CSV_NONE, set_percent, RAW(gpus_milli), 0, 0},
    {"gpu_type", CSV_NONE, set_type, JOB(gpu_types), 0, 0},
};

/* Sets submit time and user; returns false if a table of jobs is given and lacks this job. */
static bool set_owner(struct format_context *context)
{
    struct format_row *row = &context->row;
    const struct owners *owners = context->own;
    row->job.submit_ms = row->raw.start_ms;
    if (!owners) {
        format_note(context,
                    "submitted at its launch, for want of the table of jobs (option jobs)");
        return true;
    }
    uint32_t job = symbols_find(owners->jobs, row->job.id, strlen(row->job.id));
    if (job == SYMBOL_NONE)
        return false;
    row->job.user = owners->owners[job].user;
    if (owners->owners[job].submit_ms != FORMAT_ABSENT)
        row->job.submit_ms = owners->owners[job].submit_ms;
    return true;
}

static void set_id(struct format_context *context)
{
    char id[512];
    int n = snprintf(id, sizeof id, "%.240s/%.240s", context->row.job.id, context->row.raw.role);
    context->row.job.id = texts_copy(context->fields.texts, id, (size_t)n);
}

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    struct format_row *row = &context->row;
    const struct status *status = &statuses[row->raw.state];
    if (!status->ended)
        return format_drop(context, "running or waiting when the trace ends, row dropped");
    if (row->raw.start_ms == FORMAT_ABSENT || row->raw.end_ms == FORMAT_ABSENT)
        return format_drop(context, "no start or no end, row dropped");
    if (!set_owner(context))
        return format_drop(context, "its job is not in the table of jobs, row dropped");
    context->at_fault = "plan_gpu";
    if (!format_devices(context, row->raw.gpus_milli == FORMAT_ABSENT ? 0 : row->raw.gpus_milli,
                        err))
        return FORMAT_ERROR;
    set_id(context);
    row->job.status = status->status;
    row->raw.duration_ms = row->raw.end_ms - row->raw.start_ms;
    format_recorded(context);
    return format_duration(context);
}

/* Returns true if there are ten fields and no header: a status in the fourth, a number or nothing
 * in the third. */
static bool detect(const char *head, size_t n)
{
    const char *stop = memchr(head, '\n', n), *end = stop ? stop : head + n;
    size_t field = 0;
    bool status = false;
    for (const char *at = head; at <= end; field++) {
        const char *comma = memchr(at, ',', (size_t)(end - at)), *last = comma ? comma : end;
        for (size_t i = 0; field == 3 && i < sizeof statuses / sizeof *statuses; i++)
            status |= strlen(statuses[i].name) == (size_t)(last - at) &&
                      memcmp(at, statuses[i].name, (size_t)(last - at)) == 0;
        at = last + 1;
    }
    return field == sizeof columns / sizeof *columns && status;
}

const struct trace_format format_pai = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .header = "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,"
              "gpu_type\n",
    .detect = detect,
    .finish = finish,
    .open = open_owners,
    .close = close_owners,
};
