/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Helpers for tests of adjusted traces: an inner trace that is an array of submit times and
 * overwrites its strings at each call, as readers do, and a reading loop that checks everything
 * that no adjustment may change.
 */
#ifndef TESTS_TRACES_LISTED_H
#define TESTS_TRACES_LISTED_H

#include "tests/lib/harness.h"
#include "traces/trace_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 2000

struct listed {
    struct trace base;
    const int64_t *submit_ms;
    int count, next;
    enum trace_result last;
    char strings[5][24];
    bool *closed;
};

static inline enum trace_result listed_next(struct trace *base, struct trace_job *job,
                                            struct err *err)
{
    static const char *const prefixes[5] = {"job", "mig", "after", "required", "preferred"};
    struct listed *listed = (struct listed *)base;
    if (listed->next == listed->count) {
        if (listed->last < 0)
            err_set(err, EXIT_INPUT, "row %d is broken", listed->next);
        return listed->last;
    }
    trace_job_init(job);
    for (int i = 0; i < 5; i++)
        (void)snprintf(listed->strings[i], sizeof listed->strings[i], "%s%d", prefixes[i],
                       listed->next);
    job->id = listed->strings[0];
    job->mig = listed->strings[1];
    job->after = listed->strings[2];
    job->topology_required = listed->strings[3];
    job->topology_preferred = listed->strings[4];
    job->row =
        7 + (uint64_t)listed->next; // not the order of the jobs: a reader may have dropped rows
    job->queue = 3;
    job->class = TRACE_BATCH;
    job->duration_ms = 1000 + listed->next;
    job->start_ms = 5;
    job->submit_ms = listed->submit_ms[listed->next++];
    job->eligible_ms = job->submit_ms + 100;
    return TRACE_JOB;
}

static inline void listed_close(struct trace *base)
{
    *((struct listed *)base)->closed = true;
}

/* Complete only when everything was read, like that of a file. */
static inline void listed_digest(const struct trace *base, char hex[DIGEST_HEX])
{
    const struct listed *listed = (const struct listed *)base;
    memset(hex, listed->next == listed->count ? 'c' : '0', DIGEST_HEX - 1);
    hex[DIGEST_HEX - 1] = '\0';
}

static const struct trace_methods listed_methods = {
    .next = listed_next, .close = listed_close, .digest = listed_digest};

static inline struct trace *listed_create(const int64_t *submit_ms, int count,
                                          enum trace_result last, bool *closed)
{
    struct listed *listed = calloc(1, sizeof *listed);
    ck_assert_ptr_nonnull(listed);
    listed->base.methods = &listed_methods;
    listed->base.format = "listed";
    listed->submit_ms = submit_ms;
    listed->count = count;
    listed->last = last;
    listed->closed = closed;
    *closed = false;
    return &listed->base;
}

/* An adjustment that changes nothing. */
static inline struct trace_adjustment nothing(void)
{
    return (struct trace_adjustment){.jobs = -1,
                                     .time_scale = 1.0,
                                     .load_scale = 1.0,
                                     .queue = SYMBOL_NONE,
                                     .recorded_on = SYMBOL_NONE,
                                     .class = -1};
}

/* A job as seen by a test; `index` is its position in the inner trace. */
struct seen {
    int index;
    int64_t submit_ms, eligible_ms;
};

/* Reads everything; strings and fields that no adjustment changes must be those of the job's index.
 */
static inline int read_all(struct trace *trace, struct seen *seen)
{
    struct trace_job job;
    struct err err = {.msg = ""};
    enum trace_result result;
    int count = 0;
    char text[24];
    while ((result = trace_next(trace, &job, &err)) == TRACE_JOB) {
        int index = (int)(job.row - 7);
        ck_assert_int_lt(count, MOST);
        ck_assert_int_eq(job.duration_ms, 1000 + index);
        (void)snprintf(text, sizeof text, "job%d", index);
        ck_assert_str_eq(job.id, text);
        (void)snprintf(text, sizeof text, "mig%d", index);
        ck_assert_str_eq(job.mig, text);
        (void)snprintf(text, sizeof text, "after%d", index);
        ck_assert_str_eq(job.after, text);
        (void)snprintf(text, sizeof text, "required%d", index);
        ck_assert_str_eq(job.topology_required, text);
        (void)snprintf(text, sizeof text, "preferred%d", index);
        ck_assert_str_eq(job.topology_preferred, text);
        seen[count++] = (struct seen){index, job.submit_ms, job.eligible_ms};
    }
    ck_assert_msg(result == TRACE_END, "%d: %s", (int)result, err.msg);
    ck_assert_int_eq(trace_next(trace, &job, &err), TRACE_END);
    return count;
}

static inline int adjust_all(const int64_t *submit_ms, int count,
                             const struct trace_adjustment *wanted, struct seen *seen)
{
    bool closed;
    struct trace *trace = trace_adjust(listed_create(submit_ms, count, TRACE_END, &closed), wanted);
    char hex[DIGEST_HEX];
    int got = read_all(trace, seen);
    trace_digest(trace, hex);
    ck_assert_int_eq(hex[0], 'c');
    trace_close(trace);
    ck_assert(closed);
    return got;
}

#endif
