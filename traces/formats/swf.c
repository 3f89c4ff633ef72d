/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Standard Workload Format of the Parallel Workloads Archive: lines of 18 numbers, -1 for
 * unknown, comments after ';'. A GPU is one processor, or as many as the setting `procs_per_gpu`
 * says, rounded up.
 *
 * A job's size is its allocation (field 5) or, if that is unknown or 0, its request (field 8): the
 * logged run time was achieved on the allocated processors, so they are the work to replay. Jobs
 * with neither, or without a run time, are dropped and counted. So are the bursts of swapped jobs
 * (status 2 to 4), whose summary line is kept. Field 9 is the declared limit (0 and -1: none). See
 * swf_preceding.h for fields 17 and 18 (a preceding job, and the think time after it).
 */
#include "traces/formats/swf_preceding.h"

#include "sim/base/text.h"

#include <stdio.h>
#include <string.h>

#define SWF_FIELDS 18

/* The fields used, counted from 0. */
enum {
    ID,
    SUBMIT,
    WAIT,
    RUN,
    ALLOCATED,
    REQUESTED = 7,
    LIMIT,
    STATUS = 10,
    USER,
    QUEUE = 14,
    PRECEDING = 16,
    THINK
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Finds the next word from *at; false at the end of the line. */
static bool next_word(const char **at, const char *end, const char **word, size_t *n)
{
    while (*at < end && is_blank(**at))
        ++*at;
    *word = *at;
    while (*at < end && !is_blank(**at))
        ++*at;
    *n = (size_t)(*at - *word);
    return *n > 0;
}

/*
 * Names for messages, and how to read each field: in thousandths (times), as a whole number, or not
 * at all.
 */
// clang-format off
static const struct field {
    const char *name;
    enum { UNUSED, SECONDS, WHOLE } kind;
} fields[SWF_FIELDS] = {
    [ID]        = {"job number",           WHOLE},
    [SUBMIT]    = {"submit time",          SECONDS},
    [WAIT]      = {"wait time",            SECONDS},
    [RUN]       = {"run time",             SECONDS},
    [ALLOCATED] = {"allocated processors", WHOLE},
    [REQUESTED] = {"requested processors", WHOLE},
    [LIMIT]     = {"requested time",       SECONDS},
    [STATUS]    = {"status",               WHOLE},
    [USER]      = {"user",                 WHOLE},
    [QUEUE]     = {"queue",                WHOLE},
    [PRECEDING] = {"preceding job",        WHOLE},
    [THINK]     = {"think time",           SECONDS},
};
// clang-format on

static bool read_value(size_t i, const char *word, size_t n, int64_t *value, struct err *err)
{
    bool ok = true;
    if (fields[i].kind == SECONDS)
        ok = text_scaled(word, n, 3, value);
    else if (fields[i].kind == WHOLE)
        ok = text_i64(word, n, value);
    if (ok && *value >= -FIELD_LARGEST && *value <= FIELD_LARGEST)
        return true;
    char shown[80];
    return err_set(err, EXIT_INPUT, "column %zu (%s): '%s' is not valid, expected %s", i + 1,
                   fields[i].name, texts_show(shown, sizeof shown, word, n),
                   fields[i].kind == SECONDS ? "seconds" : "a whole number");
}

static bool read_values(struct format_context *context, const char *text, size_t n, int64_t *values,
                        struct err *err)
{
    const char *at = text, *end = text + n, *word;
    size_t length;
    for (size_t i = 0; i < SWF_FIELDS; i++) {
        context->column = i + 1;
        if (!next_word(&at, end, &word, &length))
            return err_set(err, EXIT_INPUT, "the line has %zu fields, expected %d", i, SWF_FIELDS);
        values[i] = 0;
        if (!read_value(i, word, length, &values[i], err))
            return false;
    }
    if (next_word(&at, end, &word, &length))
        format_note(context, "more than 18 fields, the rest is ignored");
    return true;
}

static enum trace_status status_of(struct format_context *context, int64_t status)
{
    if (status == 1)
        return TRACE_COMPLETED;
    if (status == 0)
        return TRACE_FAILED;
    if (status == 5)
        return TRACE_CANCELLED;
    format_note(context, "unknown status, taken as completed");
    return TRACE_STATUS_UNSET;
}

static uint32_t numbered(struct symbols *symbols, char letter, int64_t number)
{
    char name[32];
    int n = snprintf(name, sizeof name, "%c%lld", letter, (long long)number);
    return symbols_add(symbols, name, (size_t)n);
}

/* Makes a job of a line, or says why there is none. */
static enum format_verdict job_of(struct format_context *context, const int64_t *values)
{
    if (values[STATUS] >= 2 && values[STATUS] <= 4)
        return format_drop(context, "burst of a swapped job (status 2, 3 or 4), line dropped");
    if (values[RUN] < 0)
        return format_drop(context, "unknown run time, line dropped");
    int64_t size = values[ALLOCATED] > 0 ? values[ALLOCATED] : values[REQUESTED];
    if (size <= 0)
        return format_drop(context, "no processors, line dropped");
    if (values[ALLOCATED] <= 0)
        format_note(context, "nothing allocated, requested processors are used");

    struct trace_job *job = &context->row.job;
    char id[32];
    int length = snprintf(id, sizeof id, "%lld", (long long)values[ID]);
    job->id = texts_copy(context->fields.texts, id, (size_t)length);
    job->submit_ms = values[SUBMIT];
    job->duration_ms = values[RUN];
    job->gpus_total =
        (size + context->settings->procs_per_gpu - 1) / context->settings->procs_per_gpu;
    job->limit_ms = values[LIMIT] > 0 ? values[LIMIT] : TRACE_UNKNOWN;
    job->status = status_of(context, values[STATUS]);
    if (values[WAIT] >= 0)
        job->start_ms = values[SUBMIT] + values[WAIT];
    if (values[USER] > -1)
        job->user = numbered(context->fields.names->users, 'u', values[USER]);
    if (values[QUEUE] > -1)
        job->queue = numbered(context->fields.names->queues, 'q', values[QUEUE]);
    swf_preceding_set(context, values[ID], values[PRECEDING], values[THINK]);
    return FORMAT_KEEP;
}

static enum format_verdict line_read(struct format_context *context, const char *text, size_t n,
                                     struct err *err)
{
    int64_t values[SWF_FIELDS] = {0};
    size_t lead = 0;
    while (lead < n && is_blank(text[lead]))
        lead++;
    if (lead == n || text[lead] == ';')
        return FORMAT_SKIP;
    if (!read_values(context, text, n, values, err))
        return FORMAT_ERROR;
    enum format_verdict verdict = job_of(context, values);
    swf_preceding_seen(context, values[ID], verdict == FORMAT_KEEP);
    return verdict;
}

/* Returns true for a comment, or a first line of at least 18 words that begins with eleven numbers.
 */
static bool detect(const char *head, size_t n)
{
    if (n > 0 && head[0] == ';')
        return true;
    const char *stop = memchr(head, '\n', n);
    const char *at = head, *end = stop ? stop : head + n, *word;
    size_t length, count = 0;
    double value;
    while (next_word(&at, end, &word, &length)) {
        if (count <= STATUS && !text_f64(word, length, &value))
            return false;
        count++;
    }
    return count >= SWF_FIELDS;
}

const struct trace_format format_swf = {
    .detect = detect,
    .line_read = line_read,
    .open = swf_preceding_open,
    .close = swf_preceding_close,
};
