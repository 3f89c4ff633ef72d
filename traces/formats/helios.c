/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Helios (SenseTime, SC '21): Slurm accounting of four clusters, and the reduced form in which its September 2020 is
 * replayed, whose times are already seconds on the trace's clock. Virtual clusters become queues. Wall clocks are
 * China's, UTC+8 without summer time, and become seconds since 1970.
 *
 * gpu_num is the size of the whole job, cpu_num too. How a job's cores spread over its nodes is decided when its GPUs
 * are, so cpu_num is used for jobs without GPUs alone. A job's logged run time is its work however it ended.
 */
#include "sim/base/text.h"
#include "traces/formats.h"

#include <stddef.h>
#include <string.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)
#define SUBMIT      CSV_ANY_OF(1)
#define DURATION    (CSV_NONE | CSV_ANY_OF(2))

#define UTC_OFFSET_S INT64_C(28800) /* 8 h */

static const struct state {
    const char *name;
    enum trace_status status;
    bool ended;
} states[] = {
    {"COMPLETED", TRACE_COMPLETED, true },
    {"CANCELLED", TRACE_CANCELLED, true },
    {"FAILED",    TRACE_FAILED,    true },
    {"TIMEOUT",   TRACE_FAILED,    true },
    {"NODE_FAIL", TRACE_FAILED,    true },
    {"RUNNING",   TRACE_COMPLETED, false},
    {"SUSPENDED", TRACE_COMPLETED, false},
};

static const char *set_state(void *data, const struct csv_column *column, const char *text, size_t n)
{
    struct format_context *context = data;
    (void)column;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        if (strlen(states[i].name) == n && memcmp(states[i].name, text, n) == 0) {
            context->row.raw.state = (int64_t)i;
            return NULL;
        }
    }
    return "COMPLETED, CANCELLED, FAILED, TIMEOUT, NODE_FAIL, RUNNING or SUSPENDED";
}

/* Days from 1970-01-01 to a date of the Gregorian calendar (H. Hinnant's days_from_civil, for years from 1970). */
static int64_t days_since_1970(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = year / 400, of_era = year % 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = of_era * 365 + of_era / 4 - of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

static int64_t days_in(int64_t year, int64_t month)
{
    static const int64_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

/* "2020-09-01 00:00:03" */
static const char *set_clock(void *data, const struct csv_column *column, const char *text, size_t n)
{
    static const char pattern[] = "dddd-dd-dd dd:dd:dd";
    static const char expected[] = "a time such as 2020-09-01 00:00:03";
    int64_t part[6] = {0};
    size_t index = 0;
    if (n != sizeof pattern - 1)
        return expected;
    for (size_t i = 0; i < n; i++) {
        if (pattern[i] != 'd') {
            if (text[i] != pattern[i])
                return expected;
            index++;
        } else if (text[i] >= '0' && text[i] <= '9') {
            part[index] = part[index] * 10 + (text[i] - '0');
        } else {
            return expected;
        }
    }
    if (part[0] < 1970 || part[1] < 1 || part[1] > 12 || part[2] < 1 || part[2] > days_in(part[0], part[1]) ||
        part[3] > 23 || part[4] > 59 || part[5] > 60)
        return expected;
    int64_t s = days_since_1970(part[0], part[1], part[2]) * 86400 + part[3] * 3600 + part[4] * 60 + part[5];
    struct format_context *context = data;
    *(int64_t *)((char *)context->fields.record + column->offset) = (s - UTC_OFFSET_S) * 1000;
    return NULL;
}

// clang-format off
static const struct csv_column columns[] = {
    {"job_id",      CSV_NEEDED, field_text,  JOB(id),          0, 0},
    {"vc",          CSV_NEEDED, field_queue, JOB(queue),       0, 0},
    {"gpu_num",     CSV_NEEDED, field_i64,   RAW(gpus),        0, 1000000},
    {"state",       CSV_NEEDED, set_state,   0,                0, 0},
    {"submit_time", SUBMIT,     set_clock,   JOB(submit_ms),   0, 0},
    {"submit_s",    SUBMIT,     field_time,  JOB(submit_ms),   0, 0},
    {"duration",    DURATION,   field_time,  RAW(duration_ms), 0, 0},
    {"duration_s",  DURATION,   field_time,  RAW(duration_ms), 0, 0},
    {"user",        0,          field_user,  JOB(user),        0, 0},
    {"cpu_num",     CSV_NONE,   field_i64,   RAW(cpus),        0, 100000000},
    {"start_time",  CSV_NONE,   set_clock,   RAW(start_ms),    0, 0},
    {"end_time",    CSV_NONE,   set_clock,   RAW(end_ms),      0, 0},
    {"node_num",    0,          NULL,        0,                0, 0},
    {"queue",       0,          NULL,        0,                0, 0}, // seconds of waiting: start - submit
    {"seq",         0,          NULL,        0,                0, 0},
};
// clang-format on

static enum format_verdict drop(struct format_context *context, const char *why)
{
    trace_note_add(context->notes, why, context->line);
    return FORMAT_DROP;
}

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    struct format_row *row = &context->row;
    struct trace_job *job = &row->job;
    if (job->submit_ms == FORMAT_ABSENT) {
        context->at_fault = "submit_time|submit_s";
        err_set(err, EXIT_INPUT, "no time of submission");
        return FORMAT_ERROR;
    }
    if (!states[row->raw.state].ended)
        return drop(context, "still running or suspended when the log ends, row dropped");
    bool times = row->raw.start_ms != FORMAT_ABSENT && row->raw.end_ms != FORMAT_ABSENT;
    if (row->raw.duration_ms == FORMAT_ABSENT && !times)
        return drop(context, "no duration, row dropped");
    if (row->raw.duration_ms == FORMAT_ABSENT)
        row->raw.duration_ms = row->raw.end_ms - row->raw.start_ms;
    else if (times && row->raw.duration_ms != row->raw.end_ms - row->raw.start_ms)
        trace_note_add(context->notes, "duration differs from end_time - start_time, duration is used",
                       context->line);
    if (row->raw.duration_ms < 0)
        return drop(context, "negative duration, row dropped");
    job->duration_ms = row->raw.duration_ms;
    job->status = states[row->raw.state].status;
    if (row->raw.start_ms != FORMAT_ABSENT)
        job->start_ms = row->raw.start_ms;
    job->gpus_total = row->raw.gpus;
    if (row->raw.cpus != FORMAT_ABSENT) {
        if (row->raw.gpus == 0)
            job->cpu_milli = row->raw.cpus * 1000;
        else
            trace_note_add(context->notes, "cpu_num of a job with GPUs is not used", context->line);
    }
    return FORMAT_KEEP;
}

const struct trace_format format_helios = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
};
