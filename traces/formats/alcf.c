/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Argonne's ThetaGPU (24 DGX A100) in the table of the Lumos study. gpu_num counts allocation
 * units: a whole node of 8 GPUs in most queues and a single GPU in one, and the file does not say
 * which. A unit is one GPU unless the setting `unit_gpus` says 8. Users and projects are numbers, 0
 * if masked. Half of the "Failed" jobs reached their limit or ended with an exit code; the file
 * does not distinguish them.
 */
#include "traces/formats.h"

#include <stddef.h>
#include <string.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

/* All masked users are "0.0". */
static bool is_masked(const char *text, size_t n)
{
    return strspn(text, "0.") == n;
}

static const char *set_user(void *data, const struct csv_column *column, const char *text, size_t n)
{
    return is_masked(text, n) ? NULL : field_user(data, column, text, n);
}

static const char *set_project(void *data, const struct csv_column *column, const char *text,
                               size_t n)
{
    return is_masked(text, n) ? NULL : field_queue(data, column, text, n);
}

static const struct csv_column columns[] = {
    {"job", CSV_NEEDED, field_text, JOB(id), 0, 0},
    {"gpu_num", CSV_NEEDED, field_i64, RAW(gpus), 0, 1000000},
    {"submit_time", CSV_NEEDED, field_time, JOB(submit_ms), 0, 0},
    {"wait_time", CSV_NEEDED, field_time, RAW(wait_ms), 0, 0},
    {"run_time", CSV_NEEDED, field_time, RAW(duration_ms), 0, 0},
    {"wall_time", CSV_NEEDED, field_limit, JOB(limit_ms), 0, 0},
    {"new_status", CSV_NEEDED, field_passed, JOB(status), 0, 0},
    {"user", 0, set_user, JOB(user), 0, 0},
    {"project", 0, set_project, JOB(queue), 0, 0},
    {"", 0, NULL, 0, 0, 0},
    {"state", 0, NULL, 0, 0, 0},
    {"cpu_num", 0, NULL, 0, 0, 0},
    {"node_num", 0, NULL, 0, 0, 0},
    {"node_hour", 0, NULL, 0, 0, 0},
};

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    struct format_row *row = &context->row;
    (void)err;
    row->job.gpus_total = row->raw.gpus * context->settings->unit_gpus;
    if (row->job.limit_ms == 0)
        row->job.limit_ms = TRACE_UNKNOWN;
    if (row->raw.wait_ms >= 0)
        row->job.start_ms = row->job.submit_ms + row->raw.wait_ms;
    else
        format_note(context, "negative wait: start unknown");
    return format_duration(context);
}

const struct trace_format format_alcf = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
};
