/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The job table of Slurm's accounting database as a CSV, the form in which MIT SuperCloud (2021)
 * was published: times in seconds since 1970, limits in minutes, states and resources as numbers.
 * The site chooses the number of the GPU resource: 1002 on SuperCloud, the setting `gpu_tres`
 * elsewhere.
 *
 * A job's work is end - start minus its suspended time, however it ended. Interactive sessions
 * (LLSUB:INTERACTIVE) are class build; the size decides the class of the others. Identifiers are
 * text: the published ones were converted to floating point and back and are not unique.
 */
#include "traces/slurm.h"
#include "traces/unfinished.h"

#include "sim/base/text.h"

#include <stddef.h>
#include <string.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

#define NO_VALUE INT64_C(4294967294) /* slurm.h: NO_VAL; one more is INFINITE */

static const char *set_limit(void *data, const struct csv_column *column, const char *text,
                             size_t n)
{
    struct format_context *context = data;
    int64_t minutes;
    if (text_i64(text, n, &minutes) && minutes >= NO_VALUE && minutes <= NO_VALUE + 1) {
        context->row.job.limit_ms = TRACE_UNKNOWN;
        return NULL;
    }
    return field_minutes(data, column, text, n);
}

static const char *set_requested(void *data, const struct csv_column *column, const char *text,
                                 size_t n)
{
    struct format_context *context = data;
    (void)column;
    return slurm_size(context, &context->row.raw.requested, context->settings->gpu_tres, text, n);
}

static const char *set_allocated(void *data, const struct csv_column *column, const char *text,
                                 size_t n)
{
    struct format_context *context = data;
    (void)column;
    return slurm_size(context, &context->row.raw.allocated, context->settings->gpu_tres, text, n);
}

static const char *set_type(void *data, const struct csv_column *column, const char *text, size_t n)
{
    static const char interactive[] = "LLSUB:INTERACTIVE";
    struct format_context *context = data;
    (void)column;
    if (n == sizeof interactive - 1 && memcmp(text, interactive, n) == 0)
        context->row.job.class = TRACE_BUILD;
    return NULL;
}

static const struct csv_column columns[] = {
    {"id_job", CSV_NEEDED, field_text, JOB(id), 0, 0},
    {"state", CSV_NEEDED, slurm_state, 0, 0, 0},
    {"time_submit", CSV_NEEDED, field_time, JOB(submit_ms), 0, 0},
    {"time_start", CSV_NEEDED, field_time, RAW(start_ms), 0, 0},
    {"time_end", CSV_NEEDED, field_time, RAW(end_ms), 0, 0},
    {"tres_req", CSV_NONE | CSV_ANY_OF(1), set_requested, 0, 0, 0},
    {"tres_alloc", CSV_NONE | CSV_ANY_OF(1), set_allocated, 0, 0, 0},
    {"time_eligible", CSV_NONE, field_time, JOB(eligible_ms), 0, 0},
    {"time_suspended", CSV_NONE, field_span, RAW(wait_ms), 0, 0},
    {"timelimit", CSV_NONE, set_limit, JOB(limit_ms), 0, 0},
    {"id_user", CSV_NONE, field_user, JOB(user), 0, 0},
    {"partition", 0, field_queue, JOB(queue), 0, 0},
    {"job_type", 0, set_type, 0, 0, 0},
    {"id_array_job", 0, NULL, 0, 0, 0},
    {"id_array_task", 0, NULL, 0, 0, 0},
    {"kill_requid", 0, NULL, 0, 0, 0},
    {"nodes_alloc", 0, NULL, 0, 0, 0}, // also in tres_alloc
    {"nodelist", 0, NULL, 0, 0, 0},
    {"cpus_req", 0, NULL, 0, 0, 0}, // also in tres_req
    {"derived_ec", 0, NULL, 0, 0, 0},
    {"exit_code", 0, NULL, 0, 0, 0},
    {"gres_used", 0, NULL, 0, 0, 0},
    {"array_max_tasks", 0, NULL, 0, 0, 0},
    {"array_task_pending", 0, NULL, 0, 0, 0},
    {"constraints", 0, NULL, 0, 0, 0},
    {"flags", 0, NULL, 0, 0, 0},
    {"mem_req", 0, NULL, 0, 0, 0},  // also in tres_req
    {"priority", 0, NULL, 0, 0, 0}, // as of one moment
    {"track_steps", 0, NULL, 0, 0, 0},
    {"time_submit_dt", 0, NULL, 0, 0, 0},
    {"time_eligible_dt", 0, NULL, 0, 0, 0},
    {"time_start_dt", 0, NULL, 0, 0, 0},
    {"time_end_dt", 0, NULL, 0, 0, 0},
    {"service_time", 0, NULL, 0, 0, 0},
    {"interarrival_time", 0, NULL, 0, 0, 0},
    {"service_time_norm", 0, NULL, 0, 0, 0},
    {"interarrival_time_norm", 0, NULL, 0, 0, 0},
    {"timelimit_clean", 0, NULL, 0, 0, 0},
};

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    struct format_row *row = &context->row;
    int64_t suspended_ms = row->raw.wait_ms == FORMAT_ABSENT ? 0 : row->raw.wait_ms;
    (void)err;
    bool ended = slurm_is_over(context), started = row->raw.start_ms > 0;
    if (!started)
        row->raw.start_ms = FORMAT_ABSENT;
    if (!ended)
        row->raw.end_ms = FORMAT_ABSENT;
    else if (started)
        row->raw.duration_ms = row->raw.end_ms - row->raw.start_ms - suspended_ms;
    if (!ended && unfinished_duration(context) == FORMAT_DROP)
        return FORMAT_DROP;
    if (ended && !started)
        return format_drop(context, "never started, row dropped");
    if (format_duration(context) == FORMAT_DROP)
        return FORMAT_DROP;
    format_recorded(context);
    slurm_shape(context);
    if (ended)
        unfinished_learn(context);
    return FORMAT_KEEP;
}

const struct trace_format format_slurm = {
    .repeats_ids = true,
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
};
