/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The output of `sacct --parsable2` (or --parsable), with any choice of fields that describes a
 * job, for example
 *
 *     sacct -a -X -P -S 2026-01-01 -o JobID,User,Partition,State,Submit,Start,End,ElapsedRaw,
 *           Timelimit,NNodes,ReqTRES
 *
 * Fields are separated by '|' and never quoted. Times are wall clocks of the cluster without a zone
 * (setting `utc_offset`, default UTC), or seconds since 1970 if SLURM_TIME_FORMAT was %s. Rows of
 * job steps ("12.batch") are dropped, and so are jobs that never started. Restarts counts requeues.
 */
#include "traces/slurm.h"
#include "traces/unfinished.h"

#include "sim/base/text.h"

#include <stddef.h>
#include <string.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)
#define ID          CSV_ANY_OF(1)
#define RUN         (CSV_NONE | CSV_ANY_OF(2))
#define SIZE        (CSV_NONE | CSV_ANY_OF(3))

#define NO_GPU_ID (-1) /* TRES by name, without a GPU number */

static const char *set_raw_id(void *data, const struct csv_column *column, const char *text,
                              size_t n)
{
    const struct format_context *context = data;
    return context->row.job.id[0] == '\0' ? field_text(data, column, text, n) : NULL;
}

static const char *set_moment(void *data, const struct csv_column *column, const char *text,
                              size_t n)
{
    int64_t epoch_s;
    return text_i64(text, n, &epoch_s) ? field_time(data, column, text, n)
                                       : field_clock(data, column, text, n);
}

static const char *set_elapsed(void *data, const struct csv_column *column, const char *text,
                               size_t n)
{
    struct format_context *context = data;
    (void)column;
    return times_elapsed(text, n, &context->row.raw.duration_ms) ? NULL
                                                                 : "a time such as 1-02:03:04";
}

static bool is_word(const char *text, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(text, word, n) == 0;
}

static const char *set_limit(void *data, const struct csv_column *column, const char *text,
                             size_t n)
{
    struct format_context *context = data;
    (void)column;
    if (is_word(text, n, "UNLIMITED") || is_word(text, n, "Partition_Limit"))
        return NULL;
    return times_elapsed(text, n, &context->row.job.limit_ms)
               ? NULL
               : "a time such as 1-02:03:04 or UNLIMITED";
}

static const char *set_limit_minutes(void *data, const struct csv_column *column, const char *text,
                                     size_t n)
{
    if (is_word(text, n, "UNLIMITED") || is_word(text, n, "Partition_Limit"))
        return NULL;
    return field_minutes(data, column, text, n);
}

static const char *set_requested(void *data, const struct csv_column *column, const char *text,
                                 size_t n)
{
    struct format_context *context = data;
    (void)column;
    return slurm_size(context, &context->row.raw.requested, NO_GPU_ID, text, n);
}

static const char *set_allocated(void *data, const struct csv_column *column, const char *text,
                                 size_t n)
{
    struct format_context *context = data;
    (void)column;
    return slurm_size(context, &context->row.raw.allocated, NO_GPU_ID, text, n);
}

/* Restarts excludes the first attempt. */
static const char *set_restarts(void *data, const struct csv_column *column, const char *text,
                                size_t n)
{
    struct format_context *context = data;
    const char *expected = field_i32(data, column, text, n);
    if (!expected)
        context->row.job.attempts++;
    return expected;
}

static const char *set_queue(void *data, enum settings_queue kind, const struct csv_column *column,
                             const char *text, size_t n)
{
    const struct format_context *context = data;
    return context->settings->queue == (int64_t)kind ? field_queue(data, column, text, n) : NULL;
}

static const char *set_partition(void *data, const struct csv_column *column, const char *text,
                                 size_t n)
{
    return set_queue(data, SETTINGS_QUEUE_PARTITION, column, text, n);
}

static const char *set_account(void *data, const struct csv_column *column, const char *text,
                               size_t n)
{
    return set_queue(data, SETTINGS_QUEUE_ACCOUNT, column, text, n);
}

static const char *set_qos(void *data, const struct csv_column *column, const char *text, size_t n)
{
    return set_queue(data, SETTINGS_QUEUE_QOS, column, text, n);
}

static const struct csv_column columns[] = {
    {"JobID", ID, field_text, JOB(id), 0, 0},
    {"JobIDRaw", ID, set_raw_id, JOB(id), 0, 0},
    {"State", CSV_NEEDED, slurm_state, 0, 0, 0},
    {"Submit", CSV_NEEDED, set_moment, JOB(submit_ms), 0, 0},
    {"ElapsedRaw", RUN, field_span, RAW(duration_ms), 0, 0},
    {"Elapsed", RUN, set_elapsed, 0, 0, 0},
    {"End", RUN, set_moment, RAW(end_ms), 0, 0},
    {"Start", CSV_NONE, set_moment, RAW(start_ms), 0, 0},
    {"ReqTRES", SIZE, set_requested, 0, 0, 0},
    {"AllocTRES", SIZE, set_allocated, 0, 0, 0},
    {"ReqGRES", SIZE, set_requested, 0, 0, 0}, // up to Slurm 20.02; for all nodes together
    {"AllocGRES", SIZE, set_allocated, 0, 0, 0},
    {"Eligible", CSV_NONE, set_moment, JOB(eligible_ms), 0, 0},
    {"Timelimit", CSV_NONE, set_limit, 0, 0, 0},
    {"TimelimitRaw", CSV_NONE, set_limit_minutes, JOB(limit_ms), 0, 0},
    {"User", 0, field_user, JOB(user), 0, 0},
    {"Partition", 0, set_partition, JOB(queue), 0, 0},
    {"Account", 0, set_account, JOB(queue), 0, 0},
    {"QOS", 0, set_qos, JOB(queue), 0, 0},
    {"Restarts", CSV_NONE, set_restarts, JOB(attempts), 0, 1000000},
    {"NNodes", CSV_NONE, field_i64, RAW(allocated.nodes), 0, 1000000},
    {"AllocNodes", CSV_NONE, field_i64, RAW(allocated.nodes), 0, 1000000},
    {"JobName", 0, NULL, 0, 0, 0},
    {"UID", 0, NULL, 0, 0, 0},
    {"Group", 0, NULL, 0, 0, 0},
    {"GID", 0, NULL, 0, 0, 0},
    {"Cluster", 0, NULL, 0, 0, 0},
    {"ExitCode", 0, NULL, 0, 0, 0},
    {"DerivedExitCode", 0, NULL, 0, 0, 0},
    {"Priority", 0, NULL, 0, 0, 0}, // as of one moment
    {"NodeList", 0, NULL, 0, 0, 0},
    {"NCPUS", 0, NULL, 0, 0, 0}, // also in the lists of resources
    {"AllocCPUS", 0, NULL, 0, 0, 0},
    {"ReqCPUS", 0, NULL, 0, 0, 0},
    {"ReqMem", 0, NULL, 0, 0, 0},
    {"ReqNodes", 0, NULL, 0, 0, 0},
    {"Reason", 0, NULL, 0, 0, 0},
    {"WorkDir", 0, NULL, 0, 0, 0},
    {"", 0, NULL, 0, 0, 0}, // --parsable ends rows with '|'
};

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    struct format_row *row = &context->row;
    if (row->job.id[0] == '\0') {
        context->at_fault = "JobID|JobIDRaw";
        err_set(err, EXIT_INPUT, "no number of the job");
        return FORMAT_ERROR;
    }
    if (strchr(row->job.id, '.'))
        return format_drop(context, "step of a job, row dropped");
    bool over = slurm_is_over(context);
    bool started = row->raw.start_ms != FORMAT_ABSENT, ended = row->raw.end_ms != FORMAT_ABSENT;
    if (row->raw.duration_ms == FORMAT_ABSENT && started && ended)
        row->raw.duration_ms = row->raw.end_ms - row->raw.start_ms;
    if (!over && unfinished_duration(context) == FORMAT_DROP)
        return FORMAT_DROP;
    if (over && !started && (row->raw.duration_ms == FORMAT_ABSENT || row->raw.duration_ms == 0))
        return format_drop(context, "never started, row dropped");
    if (format_duration(context) == FORMAT_DROP)
        return FORMAT_DROP;
    format_recorded(context);
    if (row->raw.requested.nodes == FORMAT_ABSENT)
        row->raw.requested.nodes = row->raw.allocated.nodes;
    slurm_shape(context);
    if (over)
        unfinished_learn(context);
    return FORMAT_KEEP;
}

const struct trace_format format_sacct = {
    .repeats_ids = true,
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .delimiter = '|',
    .unquoted = true,
    .finish = finish,
};
