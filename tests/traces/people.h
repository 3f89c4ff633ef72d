/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces in memory, built from users and their submissions, for tests of stages that draw other
 * users. */
#ifndef TESTS_TRACES_PEOPLE_H
#define TESTS_TRACES_PEOPLE_H

#include "tests/lib/harness.h"
#include "traces/trace_internal.h"
#include "traces/vary/whole.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_MS INT64_C(3600000)
#define DAY_MS  (24 * HOUR_MS)
#define WEEK_MS (7 * DAY_MS)

struct people {
    struct trace_names names;
    struct whole source;
    struct trace *trace; /* made from it */
    struct trace_job job;
    struct err err;
};

static inline void people_open(struct people *p)
{
    *p = (struct people){
        .names = {symbols_create(), symbols_create(), symbols_create(), symbols_create()}};
}

static inline void people_close(struct people *p)
{
    trace_close(p->trace);
    whole_free(&p->source);
    symbols_destroy(p->names.queues);
    symbols_destroy(p->names.users);
    symbols_destroy(p->names.gpu_types);
    symbols_destroy(p->names.models);
}

/* Adds the next job, in order of time; user "": none. */
static inline void people_add_as(struct people *p, const char *id, const char *user,
                                 int64_t submit_ms, int64_t gpus, int64_t duration_ms,
                                 const char *after)
{
    struct trace_job job;
    trace_job_init(&job);
    job.id = id;
    job.after = after;
    job.row = p->source.count;
    job.user = symbols_add(p->names.users, user, strlen(user));
    job.queue = symbols_add(p->names.queues, "q", 1);
    job.gpus_total = gpus;
    job.submit_ms = job.eligible_ms = submit_ms;
    job.duration_ms = duration_ms;
    whole_add(&p->source, &job);
}

/* The same; the N-th job is called "jN". */
static inline void people_add(struct people *p, const char *user, int64_t submit_ms, int64_t gpus,
                              int64_t duration_ms, const char *after)
{
    char id[32];
    snprintf(id, sizeof id, "j%zu", p->source.count);
    people_add_as(p, id, user, submit_ms, gpus, duration_ms, after);
}

static inline bool people_next(struct people *p)
{
    enum trace_result got = trace_next(p->trace, &p->job, &p->err);
    ck_assert_msg(got >= 0, "%s", got < 0 ? p->err.msg : "");
    return got == TRACE_JOB;
}

static inline double people_gpu_s(const struct trace_job *job)
{
    return (double)job->gpus_total * (double)job->duration_ms / 1000;
}

#endif
