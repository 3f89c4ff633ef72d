/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Job lists of ElasticFlow (ASPLOS '23), in seconds. `duration` and `iteration` are what its
 * scheduler expects and give the estimate; real_* are what the job needs and give the work.
 * Deadlines (ddl) are on the trace's clock.
 */
#include "traces/formats.h"

#include <stddef.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

static const struct csv_column columns[] = {
    {"job_id", CSV_NEEDED, field_text, JOB(id), 0, 0},
    {"submit_time", CSV_NEEDED, field_time, JOB(submit_ms), 0, 0},
    {"num_gpu", CSV_NEEDED, field_i64, JOB(gpus_total), 0, 1000000},
    {"real_duration", CSV_NEEDED, field_time, RAW(duration_ms), 0, 0},
    {"duration", CSV_NEEDED, field_span, JOB(estimate_ms), 0, 0},
    {"model_name", CSV_NEEDED, field_model, JOB(model), 0, 0},
    {"ddl", 0, field_time, JOB(deadline_ms), 0, 0},
    {"batch_size", 0, NULL, 0, 0, 0},
    {"real_iteration", 0, NULL, 0, 0, 0},
    {"iteration", 0, NULL, 0, 0, 0},
};

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    (void)err;
    return format_duration(context);
}

const struct trace_format format_elasticflow = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .deadline = "ddl",
    .finish = finish,
};
