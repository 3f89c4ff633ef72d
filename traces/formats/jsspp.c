/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The 15,000-job excerpts of Philly, Helios, Blue Waters and Theta that were published as training
 * data for workload generators (JSSPP '24). A row gives the time since the submission of the
 * previous row; wall_time is the declared limit, 0 if unknown. Philly's rows are attempts. On
 * machines without GPUs the setting `count` takes nodes for GPUs.
 */
#include "traces/formats.h"

#include <stddef.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

static const struct csv_column columns[] = {
    {"u_id", CSV_NEEDED, field_text, JOB(id), 0, 0},
    {"user", CSV_NEEDED, field_user, JOB(user), 0, 0},
    {"gpu_num", CSV_NEEDED, field_i64, RAW(gpus), 0, 1000000},
    {"cpu_num", CSV_NEEDED, field_i64, RAW(cpus), 0, 100000000},
    {"node_num", CSV_NEEDED, field_i64, RAW(nodes), 0, 1000000},
    {"interval", CSV_NEEDED, field_span, RAW(wait_ms), 0, 0},
    {"run_time", CSV_NEEDED, field_time, RAW(duration_ms), 0, 0},
    {"wall_time", CSV_NEEDED, field_limit, JOB(limit_ms), 0, 0},
    {"new_status", CSV_NEEDED, field_passed, JOB(status), 0, 0},
};

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    struct format_row *row = &context->row;
    context->clock_ms += row->raw.wait_ms;
    row->job.submit_ms = context->clock_ms;
    if (context->clock_ms > FIELD_LARGEST) {
        context->at_fault = "interval";
        err_set(err, EXIT_INPUT, "column 'interval': the sum of all intervals is above 1e12 s");
        return FORMAT_ERROR;
    }
    if (row->job.limit_ms == 0)
        row->job.limit_ms = TRACE_UNKNOWN;
    if (context->settings->count == SETTINGS_COUNT_NODES) {
        row->job.gpus_total = row->raw.nodes;
        return format_duration(context);
    }
    const struct format_size size = {row->raw.gpus, row->raw.cpus, FORMAT_ABSENT, row->raw.nodes,
                                     0};
    format_shape(context, &size);
    return format_duration(context);
}

const struct trace_format format_jsspp = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
};
