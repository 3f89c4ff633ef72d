/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run times; see times.h. */
#include "sim/start/times.h"

#include "report/measure/waits.h"
#include "sim/base/mem.h"
#include "sim/base/order.h"
#include "sim/base/rng.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#define MOST_MS 1e15 /* 30,000 years */

/* Run times of some jobs of a trace, rising. */
struct sample {
    int64_t *ms;
    size_t count, capacity;
    double sum;
};

struct start_times {
    const struct scenario *scenario;
    struct sample of[TRACE_CLASSES][WAITS_SIZES], of_class[TRACE_CLASSES], all;
};

/* ---- the trace ---- */

static void add(struct sample *sample, int64_t ms)
{
    sample->ms = mem_grow(sample->ms, &sample->capacity, sample->count + 1, sizeof *sample->ms);
    sample->ms[sample->count++] = ms;
    sample->sum += (double)ms;
}

static void sort(struct sample *sample)
{
    if (sample->count > 0)
        qsort(sample->ms, sample->count, sizeof *sample->ms, order_i64);
}

/* Of a trace it is not known how large nodes are: more GPUs than most nodes have are several nodes.
 */
static enum trace_class class_of(const struct trace_job *job)
{
    if (job->class != TRACE_CLASS_UNSET)
        return job->class;
    return trace_job_gpu_milli(job) > INT64_C(8000) ? TRACE_DISTRIBUTED : TRACE_TRAIN;
}

static bool read_trace(struct start_times *times, const struct trace_names *names, struct err *err)
{
    struct trace_options options = {
        .path = times->scenario->start.trace, .names = *names, .sort = true, .nonempty = true};
    struct trace *trace;
    struct trace_job job;
    enum trace_result got;
    if (!trace_open(&trace, &options, err))
        return false;
    while ((got = trace_next(trace, &job, err)) == TRACE_JOB) {
        enum trace_class class = class_of(&job);
        add(&times->of[class][waits_size_of(trace_job_gpu_milli(&job))], job.duration_ms);
        add(&times->of_class[class], job.duration_ms);
        add(&times->all, job.duration_ms);
    }
    trace_close(trace);
    for (int c = 0; c < TRACE_CLASSES; c++) {
        for (int size = 0; size < WAITS_SIZES; size++)
            sort(&times->of[c][size]);
        sort(&times->of_class[c]);
    }
    sort(&times->all);
    return got == TRACE_END;
}

bool start_times_open(struct start_times **out, const struct scenario *sc,
                      const struct trace_names *names, struct err *err)
{
    struct start_times *times = *out = mem_alloc(1, sizeof *times);
    times->scenario = sc;
    return sc->start.remaining != SCEN_REMAINING_TRACE || read_trace(times, names, err);
}

void start_times_close(struct start_times *times)
{
    if (times == NULL)
        return;
    for (int c = 0; c < TRACE_CLASSES; c++) {
        for (int size = 0; size < WAITS_SIZES; size++)
            free(times->of[c][size].ms);
        free(times->of_class[c].ms);
    }
    free(times->all.ms);
    free(times);
}

/* ---- draws ---- */

/* The first place of a longer one. */
static size_t longer_than(const struct sample *sample, int64_t ms)
{
    size_t low = 0, high = sample->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sample->ms[middle] > ms)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static double draw_trace(const struct start_times *times, enum trace_class class, int64_t milli,
                         int64_t elapsed, struct rng_stream *stream)
{
    const struct sample *samples[] = {&times->of[class][waits_size_of(milli)],
                                      &times->of_class[class], &times->all};
    double u = rng_uniform(stream);
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        size_t first = longer_than(samples[i], elapsed), left = samples[i]->count - first;
        if (left > 0)
            return (double)samples[i]->ms[first + (size_t)(u * (double)left)];
    }
    return (double)elapsed +
           gsl_ran_exponential(rng_gsl(stream), times->all.sum / (double)times->all.count);
}

/* Draws the part beyond `elapsed` by the upper tail, which is exact even where little of it is
 * left. */
static double draw_lognormal(const struct scen_start *start, int64_t elapsed,
                             struct rng_stream *stream)
{
    double zeta = log(start->mean_ms), u = rng_uniform(stream);
    double tail = elapsed > 0 ? gsl_cdf_lognormal_Q((double)elapsed, zeta, start->sigma) : 1;
    double q = tail * (1 - u); /* in (0, tail] */
    return q > 0 ? gsl_cdf_lognormal_Qinv(q, zeta, start->sigma) : MOST_MS;
}

static double draw(const struct start_times *times, uint64_t seed, const struct snap_job *job,
                   enum trace_class class, int64_t milli, int64_t elapsed)
{
    const struct scen_start *start = &times->scenario->start;
    struct rng_stream stream;
    rng_init(&stream, seed, RNG_REMAINING, rng_entity(job->id));
    switch (start->remaining) {
    case SCEN_REMAINING_EXPONENTIAL:
        return (double)elapsed + gsl_ran_exponential(rng_gsl(&stream), start->mean_ms);
    case SCEN_REMAINING_LOGNORMAL:
        return draw_lognormal(start, elapsed, &stream);
    case SCEN_REMAINING_TRACE:
        return draw_trace(times, class, milli, elapsed, &stream);
    case SCEN_REMAINING_KNOWN:
    case SCEN_REMAINING_LIMITS:
        break;
    }
    return -1;
}

/* ---- all of it ---- */

/* The first that is known; -1 none. */
static int64_t said(const struct snap_job *job, bool known)
{
    const int64_t times[] = {known ? job->life.duration_ms : -1, known ? job->run_ms : -1,
                             job->limit_ms, job->life.estimate_ms, job->run_ms};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (times[i] >= 0)
            return times[i];
    return -1;
}

bool start_times_total(const struct start_times *times, const struct snap_job *job, uint64_t seed,
                       enum trace_class class, int64_t milli, int64_t elapsed_ms, int64_t *total_ms,
                       struct err *err)
{
    enum scen_remaining how = times->scenario->start.remaining;
    bool known = how == SCEN_REMAINING_KNOWN;
    if (known || how == SCEN_REMAINING_LIMITS) {
        *total_ms = said(job, known);
        if (*total_ms < 0)
            return err_set(err, EXIT_INPUT,
                           "%s: job '%s' has no run time or limit (%stime_limit_s, estimate_s); "
                           "give start.remaining, such as exponential:4h",
                           times->scenario->start.snapshot->file, job->id,
                           known ? "duration_s, run_s, " : "");
    } else {
        double ms = ceil(draw(times, seed, job, class, milli, elapsed_ms));
        *total_ms = ms < MOST_MS ? (int64_t)ms : (int64_t)MOST_MS;
        if (job->limit_ms > elapsed_ms && *total_ms > job->limit_ms)
            *total_ms = job->limit_ms;
    }
    if (*total_ms <= elapsed_ms && elapsed_ms > 0) /* it is about to end */
        *total_ms = elapsed_ms + 1;
    return true;
}
