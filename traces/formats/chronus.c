/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Job lists of Chronus (SoCC '21): arrivals and sizes of Philly, times in MINUTES of its simulator.
 * Users are Philly's virtual clusters and become queues. Best-effort jobs are preemptible without a
 * deadline, the others are not. `expect_time_list` is in minutes after submission: one deadline, or
 * several with falling values (159-189-229-289 with 10-8-5-2); the first one is used, up to which
 * the job has its full value. Rows that request no GPUs are kept without them, and counted.
 */
#include "traces/formats.h"

#include "sim/base/text.h"

#include <stddef.h>
#include <string.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

static const struct csv_column columns[] = {
    {"job_id", CSV_NEEDED, field_text, JOB(id), 0, 0},
    {"user", CSV_NEEDED, field_queue, JOB(queue), 0, 0},
    {"num_gpu", CSV_NEEDED, field_i64, JOB(gpus_total), 0, 1000000},
    {"submit_time", CSV_NEEDED, field_minutes, JOB(submit_ms), 0, 0},
    {"duration", CSV_NEEDED, field_minutes, RAW(duration_ms), 0, 0},
    {"best_effort", CSV_NEEDED, field_i32, JOB(preemptible), 0, 1},
    {"model_name", 0, field_model, JOB(model), 0, 0},
    {"iterations", 0, NULL, 0, 0, 0},
    {"interval", 0, NULL, 0, 0, 0},
    {"expect_time_list", CSV_NEEDED, field_text, RAW(deadlines), 0, 0},
    {"expect_value_list", 0, NULL, 0, 0, 0},
    {"job_type", 0, NULL, 0, 0, 0},
};

/* Returns false with err set if the list does not begin with minutes. */
static bool deadline(struct format_context *context, struct err *err)
{
    struct trace_job *job = &context->row.job;
    const char *list = context->row.raw.deadlines;
    int64_t milli; /* thousandths of minutes */
    context->at_fault = "expect_time_list";
    if (job->preemptible == 1 || list[0] == '\0')
        return true;
    size_t n = strcspn(list, "-");
    if (!text_scaled(list, n, 3, &milli) || milli > FIELD_LARGEST / 60)
        return err_set(err, EXIT_INPUT,
                       "expect_time_list is '%.40s', expected minutes separated by '-'", list);
    job->deadline_ms = job->submit_ms + milli * 60;
    if (list[n] != '\0')
        format_note(context, "several deadlines: the first is taken");
    return true;
}

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    if (!deadline(context, err))
        return FORMAT_ERROR;
    if (context->row.job.gpus_total == 0)
        format_note(context, "asks for no GPU");
    return format_duration(context);
}

const struct trace_format format_chronus = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .deadline = "expect_time_list",
    .finish = finish,
};
