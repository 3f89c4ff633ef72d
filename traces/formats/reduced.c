/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists that later studies reduced to four columns: arrival, duration, GPUs and an id. Helios'
 * Venus, a sample of PAI's tasks and the 5,000 jobs of Alibaba's simulator exist in this form.
 * Durations may have been clamped (at 48 h in the first two) and GPU shares rounded up to one; the
 * files do not say.
 */
#include "traces/formats.h"

#include <stddef.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

static const struct csv_column columns[] = {
    {"job_id", CSV_NEEDED, field_text, JOB(id), 0, 0},
    {"arrival_s", CSV_ANY_OF(1), field_time, JOB(submit_ms), 0, 0},
    {"submit_s", CSV_ANY_OF(1), field_time, JOB(submit_ms), 0, 0},
    {"service_sec", CSV_ANY_OF(2), field_time, RAW(duration_ms), 0, 0},
    {"duration_s", CSV_ANY_OF(2), field_time, RAW(duration_ms), 0, 0},
    {"gpu_count", CSV_ANY_OF(3), field_i64, RAW(gpus), 0, 1000000},
    {"gpu_num", CSV_ANY_OF(3), field_i64, RAW(gpus), 0, 1000000},
};

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    struct format_row *row = &context->row;
    if (row->job.submit_ms == FORMAT_ABSENT || row->raw.gpus == FORMAT_ABSENT) {
        context->at_fault =
            row->raw.gpus == FORMAT_ABSENT ? "gpu_count|gpu_num" : "arrival_s|submit_s";
        err_set(err, EXIT_INPUT,
                row->raw.gpus == FORMAT_ABSENT ? "no number of GPUs" : "no time of submission");
        return FORMAT_ERROR;
    }
    row->job.gpus_total = row->raw.gpus;
    return format_duration(context);
}

const struct trace_format format_reduced = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .finish = finish,
};
