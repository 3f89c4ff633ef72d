/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the jobs of one queue whose minimum does not exceed a bound. Rows keep their numbers. */
#include "traces/vary/adjust_internal.h"

#include "sim/base/mem.h"

struct selected {
    struct stage stage;
    uint32_t queue;
    int64_t most_milli;
};

static enum trace_result next(struct trace *base, struct trace_job *job, struct err *err)
{
    const struct selected *s = (const struct selected *)base;
    enum trace_result got;
    do
        got = trace_next(s->stage.inner, job, err);
    while (got == TRACE_JOB &&
           (job->queue != s->queue || trace_job_least_milli(job) > s->most_milli));
    return got;
}

struct trace *trace_of_queue(struct trace *trace, uint32_t queue, int64_t most_milli)
{
    static const struct trace_methods methods = {next, stage_close, stage_digest, stage_notes};
    struct selected *s = mem_alloc(1, sizeof *s);
    stage_init(&s->stage, &methods, trace);
    s->queue = queue;
    s->most_milli = most_milli;
    return &s->stage.base;
}
