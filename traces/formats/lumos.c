/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reduced table in which the Lumos study holds Philly: one row a scheduling ATTEMPT, no users,
 * no states. Its epoch seconds were made by reading Pacific wall clocks as US Eastern ones, so they
 * are 3 hours early; they are left as they are. Its wait_time is the output of a scheduler and no
 * record: it is not used.
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
