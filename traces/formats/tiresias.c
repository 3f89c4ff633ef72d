/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Job lists of Tiresias (NSDI '19) and of projects that adopted its form: seconds, a model's name,
 * and no users. */
#include "traces/formats.h"

#include <stddef.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

static const struct csv_column columns[] = {
    {"job_id", CSV_NEEDED, field_text, JOB(id), 0, 0},
    {"num_gpu", CSV_NEEDED, field_i64, JOB(gpus_total), 0, 1000000},
    {"submit_time", CSV_NEEDED, field_time, JOB(submit_ms), 0, 0},
    {"duration", CSV_NEEDED, field_time, RAW(duration_ms), 0, 0},
    {"model_name", CSV_NEEDED, field_model, JOB(model), 0, 0},
    {"iterations", CSV_NEEDED, NULL, 0, 0, 0},
    {"interval", CSV_NEEDED, NULL, 0, 0, 0},
};

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    (void)err;
    return format_duration(context);
}

const struct trace_format format_tiresias = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
};
