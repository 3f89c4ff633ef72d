/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Microsoft Philly (ATC '19), cluster_job_log: a JSON array of jobs with their attempts. Times are
 * wall clocks of the US Pacific coast; a time may be null, empty or "None" where logging had gaps.
 * A job has the GPUs of its first attempt, as in the authors' notebook, on as many nodes as its
 * detail lists.
 *
 * The run time of a job with several attempts is their sum (as scheduling papers replay it) or the
 * time from the first start to the last end (as in the authors' notebook): setting `attempts`.
 * Attempts without start or end add nothing and are counted. A job is dropped if it never started
 * or if its last attempt has no end, so it was still running.
 */
#include "traces/formats.h"

#include <stddef.h>
#include <string.h>

static const char *text_of(const cJSON *object, const char *key)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

static bool wrong(struct err *err, const char *key, const char *expected)
{
    return err_set(err, EXIT_INPUT, "member '%s' of the job: expected %s", key, expected);
}

/* Reads a time; *ms is FORMAT_ABSENT if the log has none. False with err set if it is not a time.
 */
static bool moment(const struct format_context *context, const cJSON *object, const char *key,
                   int64_t *ms, struct err *err)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    const char *text = cJSON_GetStringValue(item);
    *ms = FORMAT_ABSENT;
    if (!item || cJSON_IsNull(item) || (text && (*text == '\0' || strcmp(text, "None") == 0)))
        return true;
    if (text && times_clock(text, strlen(text), context->fields.zone, ms))
        return true;
    return wrong(err, key, "a time such as 2017-10-09 07:01:55, null or None");
}

static bool set_status(struct format_context *context, const cJSON *object, struct err *err)
{
    const char *text = text_of(object, "status");
    const struct csv_column column = {.name = "status",
                                      .offset = offsetof(struct format_row, job.status)};
    const char *expected = text ? field_passed(context, &column, text, strlen(text)) : "text";
    return !expected || wrong(err, "status", expected);
}

/* Sets nodes and GPUs from an attempt; a node without a list of GPUs has none. */
static bool set_size(struct format_context *context, const cJSON *attempt, struct err *err)
{
    const cJSON *detail = cJSON_GetObjectItemCaseSensitive(attempt, "detail"), *machine;
    struct format_size size = {FORMAT_ABSENT, FORMAT_ABSENT, FORMAT_ABSENT, 0, 0};
    if (detail && !cJSON_IsNull(detail) && !cJSON_IsArray(detail))
        return wrong(err, "attempts.detail", "a list of machines");
    size.gpus = 0;
    cJSON_ArrayForEach(machine, detail)
    {
        const cJSON *gpus = cJSON_GetObjectItemCaseSensitive(machine, "gpus");
        size.gpus += cJSON_IsArray(gpus) ? cJSON_GetArraySize(gpus) : 0;
        size.nodes++;
    }
    format_shape(context, &size);
    return true;
}

struct run {
    int64_t first_ms, last_ms, sum_ms; /* first start and last end; FORMAT_ABSENT: none */
    int32_t attempts;
    bool open; /* the last attempt has no end */
};

static bool read_attempts(struct format_context *context, const cJSON *attempts, struct run *run,
                          struct err *err)
{
    const cJSON *attempt;
    *run = (struct run){.first_ms = FORMAT_ABSENT, .last_ms = FORMAT_ABSENT};
    cJSON_ArrayForEach(attempt, attempts)
    {
        int64_t start_ms, end_ms;
        if (!moment(context, attempt, "start_time", &start_ms, err) ||
            !moment(context, attempt, "end_time", &end_ms, err))
            return false;
        if (run->attempts++ == 0 && !set_size(context, attempt, err))
            return false;
        if (run->first_ms == FORMAT_ABSENT)
            run->first_ms = start_ms;
        run->open = end_ms == FORMAT_ABSENT;
        if (!run->open)
            run->last_ms = end_ms;
        if (start_ms == FORMAT_ABSENT || run->open)
            format_note(context, "attempt without start or end: its run time is not counted");
        else if (end_ms < start_ms)
            format_note(context, "attempt that ends before it starts: its run time is not counted");
        else
            run->sum_ms += end_ms - start_ms;
    }
    return true;
}

static bool set_names(struct format_context *context, const cJSON *object, struct err *err)
{
    const char *id = text_of(object, "jobid"), *vc = text_of(object, "vc"),
               *user = text_of(object, "user");
    const struct trace_names *names = context->fields.names;
    if (!id)
        return wrong(err, "jobid", "text");
    context->row.job.id = texts_copy(context->fields.texts, id, strlen(id));
    if (vc)
        context->row.job.queue = symbols_add(names->queues, vc, strlen(vc));
    if (user)
        context->row.job.user = symbols_add(names->users, user, strlen(user));
    return true;
}

static enum format_verdict object_read(struct format_context *context, const cJSON *object,
                                       struct err *err)
{
    struct format_row *row = &context->row;
    const cJSON *attempts = cJSON_GetObjectItemCaseSensitive(object, "attempts");
    struct run run;
    if (!set_names(context, object, err) || !set_status(context, object, err) ||
        !moment(context, object, "submitted_time", &row->job.submit_ms, err))
        return FORMAT_ERROR;
    if (!cJSON_IsArray(attempts)) {
        wrong(err, "attempts", "a list, which may be empty");
        return FORMAT_ERROR;
    }
    if (!read_attempts(context, attempts, &run, err))
        return FORMAT_ERROR;
    if (row->job.submit_ms == FORMAT_ABSENT)
        return format_drop(context, "no time of submission, job dropped");
    if (run.attempts == 0)
        return format_drop(context, "no attempts: never scheduled, job dropped");
    if (run.open)
        return format_drop(context, "no end of the last attempt: still running, job dropped");
    row->job.attempts = run.attempts;
    row->raw.start_ms = run.first_ms;
    row->raw.end_ms = run.last_ms;
    row->raw.duration_ms = run.sum_ms;
    if (context->settings->attempts == SETTINGS_ATTEMPTS_SPAN)
        row->raw.duration_ms =
            run.first_ms == FORMAT_ABSENT ? FORMAT_ABSENT : run.last_ms - run.first_ms;
    format_recorded(context);
    return format_duration(context);
}

/* Returns true if the head begins an array whose first object has one of the members. */
static bool detect(const char *head, size_t n)
{
    static const char *const members[] = {"\"jobid\"", "\"submitted_time\"", "\"attempts\""};
    size_t blank = 0;
    while (blank < n && (head[blank] == ' ' || head[blank] == '\t'))
        blank++;
    if (blank == n || head[blank] != '[')
        return false;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        size_t length = strlen(members[i]);
        for (size_t at = 0; at + length <= n; at++) {
            if (memcmp(head + at, members[i], length) == 0)
                return true;
        }
    }
    return false;
}

const struct trace_format format_philly = {
    .detect = detect,
    .object_read = object_read,
    .zone = &times_us_pacific,
};
