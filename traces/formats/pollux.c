/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workloads of Pollux (OSDI '21) and Sia (SOSP '23): arrivals of adaptive training jobs with the
 * number of replicas and the batch size of their users' rigid configuration. Run times follow from
 * throughput models that are not in the file: it is refused without the setting `run_time`. The
 * application is the model.
 */
#include "traces/formats.h"

#include <stddef.h>

#define JOB(member) offsetof(struct format_row, job.member)

static const struct csv_column columns[] = {
    {"name", CSV_NEEDED, field_text, JOB(id), 0, 0},
    {"time", CSV_NEEDED, field_time, JOB(submit_ms), 0, 0},
    {"application", CSV_NEEDED, field_model, JOB(model), 0, 0},
    {"num_replicas", CSV_NEEDED, field_i32, JOB(tasks), 1, 1000000},
    {"batch_size", CSV_NEEDED, NULL, 0, 0, 0},
};

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    context->row.job.gpus = 1;
    return format_no_duration(context, err);
}

const struct trace_format format_pollux = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
};
