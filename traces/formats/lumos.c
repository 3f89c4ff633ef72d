/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reduced Philly table of the Lumos study: one row per scheduling ATTEMPT, without users and
 * states. Its epoch seconds come from Pacific wall clocks read as US Eastern time, so they are 3
 * hours early; they stay as they are. Its wait_time is the output of a scheduler, not a record, and
 * is not used.
 */
#include "traces/formats.h"

#include <stddef.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

static const struct csv_column columns[] = {
    {"", 0, NULL, 0, 0, 0},
    {"run_time", CSV_NEEDED, field_time, RAW(duration_ms), 0, 0},
    {"wait_time", CSV_NEEDED, NULL, 0, 0, 0},
    {"submit_time", CSV_NEEDED, field_time, JOB(submit_ms), 0, 0},
    {"gpu_num", CSV_NEEDED, field_i64, RAW(gpus), 0, 1000000},
};

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    (void)err;
    format_number(context);
    context->row.job.gpus_total = context->row.raw.gpus * context->settings->unit_gpus;
    return format_duration(context);
}

const struct trace_format format_lumos = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
};
