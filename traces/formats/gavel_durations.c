/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gavel's jobs with the run times that its measured throughputs give on three kinds of GPU, on one
 * GPU and on the requested number. The setting `gpu` says whose run time is the job's work; the
 * default is V100.
 */
#include "traces/formats.h"

#include <stddef.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

static const char *set_run(void *data, enum settings_gpu gpu, const struct csv_column *column,
                           const char *text, size_t n)
{
    const struct format_context *context = data;
    return context->settings->gpu == (int64_t)gpu ? field_time(data, column, text, n) : NULL;
}

static const char *set_v100(void *data, const struct csv_column *column, const char *text, size_t n)
{
    return set_run(data, SETTINGS_GPU_V100, column, text, n);
}

static const char *set_p100(void *data, const struct csv_column *column, const char *text, size_t n)
{
    return set_run(data, SETTINGS_GPU_P100, column, text, n);
}

static const char *set_k80(void *data, const struct csv_column *column, const char *text, size_t n)
{
    return set_run(data, SETTINGS_GPU_K80, column, text, n);
}

static const struct csv_column columns[] = {
    {"job_id", CSV_NEEDED, field_text, JOB(id), 0, 0},
    {"arrival_s", CSV_NEEDED, field_time, JOB(submit_ms), 0, 0},
    {"gpus", CSV_NEEDED, field_i64, JOB(gpus_total), 0, 1000000},
    {"v100_s", CSV_NEEDED, set_v100, RAW(duration_ms), 0, 0},
    {"p100_s", CSV_NEEDED, set_p100, RAW(duration_ms), 0, 0},
    {"k80_s", CSV_NEEDED, set_k80, RAW(duration_ms), 0, 0},
    {"total_steps", 0, NULL, 0, 0, 0},
};

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    (void)err;
    return format_duration(context);
}

const struct trace_format format_gavel_durations = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
};
