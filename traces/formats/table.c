/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any table of jobs with a header. traces/roles.h finds the meaning of its columns, or the setting
 * `map` gives it. Times are clocks or numbers since 1970. Spans are numbers in the unit at the end
 * of the column's name (default seconds), clocks ("1-02:03:04") or durations ("2h"). GPUs are a
 * number, a share, or resources of Slurm. Rows are numbered if there are no ids.
 */
#include "traces/slurm.h"
#include "traces/unfinished.h"

#include "sim/base/text.h"

#include <stddef.h>
#include <string.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)
#define NO_GPU_ID   (-1)

static const char *set_moment(void *data, const struct csv_column *column, const char *text,
                              size_t n)
{
    struct format_context *context = data;
    int64_t *ms = (int64_t *)(void *)((char *)&context->row + column->offset);
    return times_moment(text, n, context->fields.zone, ms)
               ? NULL
               : "a time such as 2026-01-05T08:00:00+01:00, or seconds since 1970";
}

/* Reads a number in the unit of the column. */
static bool number_of(const struct format_context *context, const char *name, const char *text,
                      size_t n, int64_t *ms)
{
    int role = role_named(name, strlen(name));
    const struct role_column *column = roles_column(context->roles, (enum role)role);
    int64_t unit = column ? column->unit_ms : 1000, milli;
    if (!text_scaled(text, n, 3, &milli) || milli < 0 ||
        milli > FIELD_LARGEST / (unit + 999) * 1000)
        return false;
    *ms = unit % 1000 == 0 ? milli * (unit / 1000) : milli * unit / 1000;
    return true;
}

static const char *set_span(void *data, const struct csv_column *column, const char *text, size_t n)
{
    struct format_context *context = data;
    int64_t ms;
    if (!number_of(context, column->name, text, n, &ms) && !times_elapsed(text, n, &ms) &&
        !(text_duration_ms(text, n, &ms) && ms <= FIELD_LARGEST))
        return "a number, a time such as 1-02:03:04, or a duration such as 90s, 15m, 2h";
    *(int64_t *)(void *)((char *)&context->row + column->offset) = ms;
    return NULL;
}

static const char *set_limit(void *data, const struct csv_column *column, const char *text,
                             size_t n)
{
    static const char *const none[] = {"UNLIMITED", "Partition_Limit", "unlimited", "none", "-1"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (strlen(none[i]) == n && memcmp(none[i], text, n) == 0)
            return NULL;
    return set_span(data, column, text, n);
}

static const char *set_gpus(void *data, const struct csv_column *column, const char *text, size_t n)
{
    struct format_context *context = data;
    if (text[0] >= '0' && text[0] <= '9' && memchr(text, '=', n) == NULL)
        return field_milli(data, column, text, n);
    return slurm_size(context, &context->row.raw.requested, NO_GPU_ID, text, n)
               ? "a number of GPUs, or resources such as gres/gpu:h100=8"
               : NULL;
}

static const char *set_state(void *data, const struct csv_column *column, const char *text,
                             size_t n)
{
    (void)column;
    slurm_state_word(data, text, n);
    return NULL;
}

static const struct csv_column columns[] = {
    {"job_id", 0, field_text, JOB(id), 0, 0},
    {"submit", CSV_NONE | CSV_NEEDED, set_moment, JOB(submit_ms), 0, 0},
    {"start", CSV_NONE, set_moment, RAW(start_ms), 0, 0},
    {"end", CSV_NONE, set_moment, RAW(end_ms), 0, 0},
    {"duration", CSV_NONE, set_span, RAW(duration_ms), 0, 0},
    {"gpus", CSV_NONE, set_gpus, RAW(gpus_milli), 0, 0},
    {"queue", 0, field_queue, JOB(queue), 0, 0},
    {"user", 0, field_user, JOB(user), 0, 0},
    {"status", CSV_NONE, set_state, 0, 0, 0},
    {"limit", CSV_NONE, set_limit, JOB(limit_ms), 0, 0},
    {"eligible", CSV_NONE, set_moment, JOB(eligible_ms), 0, 0},
    {"nodes", CSV_NONE, field_i64, RAW(nodes), 0, 1000000},
    {"cpus", CSV_NONE, field_i64, RAW(cpus), 0, 1000000000},
    {"gpu_type", CSV_NONE, field_types, RAW(requested.gpu_types), 0, 0},
};

/* Sets the size from GPUs and nodes; a share of a GPU stays one. */
static bool size_of(struct format_context *context, struct err *err)
{
    struct format_row *row = &context->row;
    struct format_size *size = &row->raw.requested;
    int64_t milli = row->raw.gpus_milli;
    if (milli != FORMAT_ABSENT && milli % 1000 != 0) {
        context->at_fault = "gpus";
        row->job.gpu_types = size->gpu_types;
        return format_devices(context, milli, err);
    }
    if (milli != FORMAT_ABSENT)
        size->gpus = milli / 1000;
    if (row->raw.cpus != FORMAT_ABSENT)
        size->cpus = row->raw.cpus;
    if (row->raw.nodes != FORMAT_ABSENT)
        size->nodes = row->raw.nodes;
    context->at_fault = "gpus";
    if (size->gpus > INT32_MAX)
        return err_set(err, EXIT_INPUT, "more GPUs than any cluster has");
    format_shape(context, size);
    return true;
}

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    struct format_row *row = &context->row;
    if (row->job.id[0] == '\0')
        format_number(context);
    bool over = !row->raw.has_state || slurm_is_over(context);
    bool started = row->raw.start_ms != FORMAT_ABSENT, ended = row->raw.end_ms != FORMAT_ABSENT;
    if (row->raw.duration_ms == FORMAT_ABSENT && started && ended)
        row->raw.duration_ms = row->raw.end_ms - row->raw.start_ms;
    if (!over && unfinished_duration(context) == FORMAT_DROP)
        return FORMAT_DROP;
    if (over && row->raw.duration_ms == FORMAT_ABSENT && !started)
        return format_drop(context, "never started, row dropped");
    if (format_duration(context) == FORMAT_DROP)
        return FORMAT_DROP;
    format_recorded(context);
    if (!size_of(context, err))
        return FORMAT_ERROR;
    if (over)
        unfinished_learn(context);
    return FORMAT_KEEP;
}

const struct trace_format format_table = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
};
