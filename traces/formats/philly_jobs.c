/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Philly as replayed by Pollux, Sia, ElasticFlow and Blox: one row per job that passed, with the
 * sum of its attempts as `duration`. Times are wall clocks of the US Pacific coast. Failed and
 * killed jobs are missing, so the file says nothing about failures.
 */
#include "traces/formats.h"

#include <stddef.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

static const struct csv_column columns[] = {
    {"timestamp", CSV_NEEDED, field_clock, JOB(submit_ms), 0, 0},
    {"duration", CSV_NONE | CSV_ANY_OF(1), field_time, RAW(duration_ms), 0, 0},
    {"num_gpus", CSV_NEEDED, field_i64, JOB(gpus_total), 0, 1000000},
    {"cluster", CSV_NEEDED, field_queue, JOB(queue), 0, 0},
    {"gpu_time", 0, NULL, 0, 0, 0},
};

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    (void)err;
    format_number(context);
    context->row.job.status = TRACE_COMPLETED;
    return format_duration(context);
}

const struct trace_format format_philly_jobs = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
    .zone = &times_us_pacific,
};
