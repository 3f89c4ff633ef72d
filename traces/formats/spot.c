/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Alibaba's 2026 trace of high-priority and spot jobs (ASPLOS '26), job_info_df.csv: requests per
 * worker, whole GPUs or a share of one. Organizations become queues; Spot jobs are preemptible, HP
 * jobs are not. Jobs submitted at 0 were running when the recording began, so their duration is the
 * remaining time; they are counted.
 */
#include "traces/formats.h"

#include <stddef.h>
#include <string.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

static const char *set_kind(void *data, const struct csv_column *column, const char *text, size_t n)
{
    struct format_context *context = data;
    bool spot = n == 4 && memcmp(text, "Spot", 4) == 0;
    (void)column;
    if (!spot && (n != 2 || memcmp(text, "HP", 2) != 0))
        return "HP or Spot";
    context->row.job.preemptible = spot;
    return NULL;
}

static const struct csv_column columns[] = {
    {"job_name", CSV_NEEDED, field_text, JOB(id), 0, 0},
    {"organization", CSV_NEEDED, field_queue, JOB(queue), 0, 0},
    {"gpu_model", CSV_NONE, field_types, JOB(gpu_types), 0, 0},
    {"cpu_request", CSV_NEEDED, field_milli, JOB(cpu_milli), 0, 0},
    {"gpu_request", CSV_NEEDED, field_milli, RAW(gpus_milli), 0, 0},
    {"worker_num", CSV_NEEDED, field_i32, JOB(tasks), 1, 1000000},
    {"submit_time", CSV_NEEDED, field_time, JOB(submit_ms), 0, 0},
    {"duration", CSV_NEEDED, field_time, RAW(duration_ms), 0, 0},
    {"job_type", CSV_NEEDED, set_kind, 0, 0, 0},
    {"gpu_seconds", 0, NULL, 0, 0, 0},
    {"gpu_demand", 0, NULL, 0, 0, 0},
};

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    struct format_row *row = &context->row;
    context->at_fault = "gpu_request";
    if (!format_devices(context, row->raw.gpus_milli, err))
        return FORMAT_ERROR;
    if (row->job.submit_ms == 0)
        format_note(context, "running when the trace begins: its run time is the remaining time");
    return format_duration(context);
}

const struct trace_format format_spot = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
};
