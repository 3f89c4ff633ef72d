/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Job lists of Muri (SIGCOMM '22): Tiresias' columns with all times in MILLISECONDS, and an
 * iteration's use of storage, CPU, GPU and network (resource_time_*), which is ignored. `priority`
 * is 0 or 1 and ignored, too: the artifact does not say what it means.
 */
#include "traces/formats.h"

#include <stddef.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

static const struct csv_column columns[] = {
    {"job_id", CSV_NEEDED, field_text, JOB(id), 0, 0},
    {"num_gpu", CSV_NEEDED, field_i64, JOB(gpus_total), 0, 1000000},
    {"submit_time", CSV_NEEDED, field_ms, JOB(submit_ms), 0, 0},
    {"duration", CSV_NEEDED, field_ms, RAW(duration_ms), 0, 0},
    {"model_name", CSV_NEEDED, field_model, JOB(model), 0, 0},
    {"iteration_time", CSV_NEEDED, NULL, 0, 0, 0},
    {"iterations", 0, NULL, 0, 0, 0},
    {"batch_size", 0, NULL, 0, 0, 0},
    {"interval", 0, NULL, 0, 0, 0},
    {"resource_time_0", 0, NULL, 0, 0, 0},
    {"resource_time_1", 0, NULL, 0, 0, 0},
    {"resource_time_2", 0, NULL, 0, 0, 0},
    {"priority", 0, NULL, 0, 0, 0},
};

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    (void)err;
    return format_duration(context);
}

const struct trace_format format_muri = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
};
