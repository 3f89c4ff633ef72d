/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a log tells about its cluster; see log.h. */
#include "sim/init/log.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Also when the log is read again, sorted. */
static bool begin(struct sink *sink, struct err *err)
{
    struct init_log *log = (struct init_log *)sink;
    (void)err;
    log->jobs = log->gpu_jobs = log->started = log->limited = 0;
    log->most_per_task = 0;
    log->change_count = 0;
    memset(log->uses, 0, sizeof log->uses);
    if (log->queue_capacity > 0)
        memset(log->queue_gpu_ms, 0, log->queue_capacity * sizeof *log->queue_gpu_ms);
    return true;
}

static uint32_t use_of(const struct trace_job *job)
{
    bool one = job->gpu_types != 0 && (job->gpu_types & (job->gpu_types - 1)) == 0;
    return one ? (uint32_t)__builtin_ctzll(job->gpu_types) : INIT_ANY;
}

static void change(struct init_log *log, int64_t at_ms, int64_t milli, uint32_t use)
{
    log->changes =
        mem_grow(log->changes, &log->change_capacity, log->change_count + 1, sizeof *log->changes);
    log->changes[log->change_count++] = (struct init_change){at_ms, milli, use};
}

static void gpu_job(struct init_log *log, const struct trace_job *job, int64_t milli)
{
    uint32_t which = use_of(job);
    struct init_use *use = &log->uses[which];
    int64_t from_ms = job->start_ms != TRACE_UNKNOWN ? job->start_ms : job->eligible_ms;
    double gpu_ms = (double)milli / 1000 * (double)job->duration_ms;
    log->gpu_jobs++;
    log->started += job->start_ms != TRACE_UNKNOWN;
    log->limited += job->limit_ms != TRACE_UNKNOWN;
    if (job->gpus_total == TRACE_UNKNOWN && job->gpu_milli == 0 && job->gpus > log->most_per_task)
        log->most_per_task = job->gpus;
    use->jobs++;
    use->gpu_ms += gpu_ms;
    if (milli > use->largest)
        use->largest = milli;
    change(log, from_ms, milli, which);
    change(log, from_ms + job->duration_ms, -milli, which);
    log->queue_gpu_ms = mem_extend(log->queue_gpu_ms, &log->queue_capacity, job->queue + (size_t)1,
                                   sizeof *log->queue_gpu_ms);
    log->queue_gpu_ms[job->queue] += gpu_ms;
}

static void add(struct sink *sink, const struct trace_job *job)
{
    struct init_log *log = (struct init_log *)sink;
    int64_t milli = trace_job_gpu_milli(job);
    if (log->jobs == 0 || job->submit_ms < log->first_ms)
        log->first_ms = job->submit_ms;
    if (log->jobs == 0 || job->submit_ms > log->last_ms)
        log->last_ms = job->submit_ms;
    log->jobs++;
    if (milli > 0)
        gpu_job(log, job, milli);
}

void init_log_begin(struct init_log *log)
{
    *log = (struct init_log){.sink = {.begin = begin, .job = add, .tolerant = true}};
    log->sink.names = trace_names_create();
}

/* By time; GPUs returned at a time can be taken at that time. */
static int by_time(const void *a, const void *b)
{
    const struct init_change *x = a, *y = b;
    if (x->at_ms != y->at_ms)
        return x->at_ms < y->at_ms ? -1 : 1;
    return (x->milli > y->milli) - (x->milli < y->milli);
}

void init_log_finish(struct init_log *log)
{
    int64_t now[INIT_USES] = {0};
    if (log->change_count > 0)
        qsort(log->changes, log->change_count, sizeof *log->changes, by_time);
    for (size_t i = 0; i < log->change_count; i++) {
        uint32_t use = log->changes[i].use;
        now[use] += log->changes[i].milli;
        if (now[use] > log->uses[use].peak)
            log->uses[use].peak = now[use];
    }
}

void init_log_fini(struct init_log *log)
{
    trace_names_destroy(&log->sink.names);
    free(log->queue_gpu_ms);
    free(log->changes);
}

bool init_log_has_starts(const struct init_log *log)
{
    return log->started * 2 > log->gpu_jobs;
}
