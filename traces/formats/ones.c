/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workloads of ONES (SC '21): arrivals of training jobs that run to a target accuracy, so run times
 * are not in the file: it is refused without the setting `run_time`. Rows have no id and no user.
 */
#include "traces/formats.h"

#include <stddef.h>

#define JOB(member) offsetof(struct format_row, job.member)

static const struct csv_column columns[] = {
    {"time", CSV_NEEDED, field_time, JOB(submit_ms), 0, 0},
    {"model", CSV_NEEDED, field_model, JOB(model), 0, 0},
    {"num_gpus", CSV_NEEDED, field_i64, JOB(gpus_total), 0, 1000000},
    {"target_acc", CSV_NEEDED, NULL, 0, 0, 0},
    {"task", 0, NULL, 0, 0, 0},
    {"epoch_size", 0, NULL, 0, 0, 0},
    {"patience", 0, NULL, 0, 0, 0},
    {"batch_size", 0, NULL, 0, 0, 0},
    {"lr", 0, NULL, 0, 0, 0},
    {"max_lr", 0, NULL, 0, 0, 0},
};

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    format_number(context);
    return format_no_duration(context, err);
}

const struct trace_format format_ones = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
};
