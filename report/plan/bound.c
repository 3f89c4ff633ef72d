/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lower bounds of capacity; see bound.h. Three families are examined: points in time, where jobs
 * must be running (all of them, by a sweep over time); sets of points, those where at least so much
 * must be running; and intervals of the whole span, half of it, a quarter, ..., each overlapping
 * half of the next. Every interval gives a valid bound, so any choice is sound.
 */
#include "report/plan/bound.h"

#include "sim/base/mem.h"
#include "sim/base/order.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

/* Finer intervals add little to what points give. */
#define LEVELS       16 /* levels of required load, for sets of points */
#define SCALES       20
#define PIECES_A_JOB ((size_t)40) /* in the intervals of one scale */

/* One bound: `spare` of the jobs may miss their window. */
struct problem {
    const struct bound_job *jobs;
    size_t count;
    enum bound_measure measure;
    int64_t limit_ms;
    int64_t first_ms; /* arrival */
    size_t spare;
};

static int64_t min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- windows ---- */

/* Returns the time by which a job has to end. */
static int64_t deadline(const struct problem *p, const struct bound_job *job)
{
    switch (p->measure) {
    case BOUND_WAIT:
    case BOUND_QUEUE:
        return job->arrival_ms + p->limit_ms + job->run_ms;
    case BOUND_JCT:
        return job->arrival_ms + p->limit_ms;
    case BOUND_MAKESPAN:
        break;
    }
    return p->first_ms + p->limit_ms;
}

static bool impossible(const struct problem *p, const struct bound_job *job)
{
    return deadline(p, job) - job->arrival_ms < job->run_ms;
}

static bool binds(const struct problem *p, const struct bound_job *job)
{
    bool relative = p->measure == BOUND_WAIT || p->measure == BOUND_QUEUE;
    return !(job->loose && relative) && job->gpu_milli > 0 && job->run_ms > 0 &&
           !impossible(p, job);
}

static int64_t overlap(int64_t from, int64_t to, int64_t t1, int64_t t2)
{
    return max(0, min(to, t2) - max(from, t1));
}

/* Returns the time that the job must run in [t1, t2). */
static int64_t least(const struct problem *p, const struct bound_job *job, int64_t t1, int64_t t2)
{
    int64_t a = job->arrival_ms, run = job->run_ms, d = deadline(p, job);
    if (p->measure == BOUND_WAIT)
        return min(overlap(a, a + run, t1, t2), overlap(d - run, d, t1, t2));
    return min(t2 - t1, max(0, run - max(0, t1 - a) - max(0, d - t2)));
}

/*
 * Returns the GPUs (in thousandths) that an interval needs: the sum of the pieces (thousandths of
 * GPUs times ms) without the `spare` largest, over its length.
 */
static int64_t interval_needs(double *piece, size_t count, size_t spare, int64_t length_ms)
{
    if (count <= spare)
        return 0;
    if (spare > 0)
        gsl_sort(piece, 1, count);
    double sum = 0;
    for (size_t i = 0; i < count - spare; i++)
        sum += piece[i];
    return (int64_t)ceil(sum / (double)length_ms - 1e-6);
}

/* ---- points: jobs that must be running ---- */

struct change {
    int64_t at_ms, milli; /* milli < 0: an end */
};

static int by_time(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    if (x->at_ms != y->at_ms)
        return x->at_ms < y->at_ms ? -1 : 1;
    return (x->milli > y->milli) - (x->milli < y->milli); /* ends first */
}

/* The sizes of the running jobs and the number of each, to sum without the k largest. */
struct crowd {
    int64_t *size; /* rising, distinct */
    size_t *running;
    size_t sizes;
};

static void crowd_init(struct crowd *crowd, const struct change *changes, size_t count)
{
    crowd->size = mem_alloc(count + 1, sizeof *crowd->size);
    crowd->running = mem_alloc(count + 1, sizeof *crowd->running);
    crowd->sizes = 0;
    for (size_t i = 0; i < count; i++)
        crowd->size[i] = llabs(changes[i].milli);
    qsort(crowd->size, count, sizeof *crowd->size, order_i64);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || crowd->size[i] != crowd->size[crowd->sizes - 1])
            crowd->size[crowd->sizes++] = crowd->size[i];
}

static size_t *crowd_at(const struct crowd *crowd, int64_t size)
{
    const int64_t *found = bsearch(&size, crowd->size, crowd->sizes, sizeof size, order_i64);
    return &crowd->running[found - crowd->size];
}

static int64_t crowd_without(const struct crowd *crowd, int64_t sum, size_t spare)
{
    for (size_t i = crowd->sizes; i-- > 0 && spare > 0;) {
        size_t left_out = crowd->running[i] < spare ? crowd->running[i] : spare;
        sum -= (int64_t)left_out * crowd->size[i];
        spare -= left_out;
    }
    return sum;
}

/* Sets the time in which the job must be running; returns false if there is none. */
static bool certain_span(const struct problem *p, const struct bound_job *job, int64_t *from,
                         int64_t *to)
{
    *from = deadline(p, job) - job->run_ms;
    *to = job->arrival_ms + job->run_ms;
    /* A job that may be stopped and has slack may be stopped at any point. */
    return binds(p, job) && *from < *to && (p->measure == BOUND_WAIT || *from == job->arrival_ms);
}

static size_t certain(const struct problem *p, struct change *changes)
{
    size_t count = 0;
    for (size_t i = 0; i < p->count; i++) {
        int64_t from, to;
        if (!certain_span(p, &p->jobs[i], &from, &to))
            continue;
        changes[count++] = (struct change){from, p->jobs[i].gpu_milli};
        changes[count++] = (struct change){to, -p->jobs[i].gpu_milli};
    }
    return count;
}

static int64_t at_points(const struct problem *p, const struct change *changes, size_t count)
{
    struct crowd crowd;
    crowd_init(&crowd, changes, count);
    int64_t sum = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        sum += changes[i].milli;
        *crowd_at(&crowd, llabs(changes[i].milli)) +=
            changes[i].milli > 0 ? 1 : SIZE_MAX; /* one less */
        bool last = i + 1 == count || changes[i + 1].at_ms > changes[i].at_ms;
        if (last && sum > most)
            most = max(most, crowd_without(&crowd, sum, p->spare));
    }
    free(crowd.size);
    free(crowd.running);
    return most;
}

/* ---- sets of points: when much must be running ---- */

/*
 * Computes how much of the set lies before each change: the set is where at least `level` must be
 * running.
 */
static int64_t measure_set(const struct change *changes, size_t count, int64_t level,
                           int64_t *before)
{
    int64_t sum = 0, measure = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && sum >= level)
            measure += changes[i].at_ms - changes[i - 1].at_ms;
        before[i] = measure;
        sum += changes[i].milli;
    }
    return measure;
}

static int64_t before_at(const struct change *changes, size_t count, const int64_t *before,
                         int64_t at_ms)
{
    size_t low = 0, high = count - 1; /* at_ms is the time of a change */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (changes[middle].at_ms < at_ms)
            low = middle + 1;
        else
            high = middle;
    }
    return before[low];
}

/* Like interval_needs(), with the same jobs left out for the whole set. */
static int64_t set_needs(const struct problem *p, const struct change *changes, size_t count,
                         const int64_t *before, int64_t measure)
{
    double *piece = mem_alloc(p->count + 1, sizeof *piece);
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++) {
        int64_t from, to;
        if (!certain_span(p, &p->jobs[i], &from, &to))
            continue;
        int64_t inside =
            before_at(changes, count, before, to) - before_at(changes, count, before, from);
        piece[n++] = (double)inside * (double)p->jobs[i].gpu_milli;
    }
    int64_t needs = interval_needs(piece, n, p->spare, measure);
    free(piece);
    return needs;
}

static int64_t at_sets(const struct problem *p, const struct change *changes, size_t count)
{
    int64_t sum = 0, peak = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        sum += changes[i].milli;
        peak = max(peak, sum);
    }
    int64_t *before = mem_alloc(count + 1, sizeof *before);
    for (int64_t k = 1; k < LEVELS && peak > 0; k++) {
        int64_t measure = measure_set(changes, count, peak / LEVELS * k, before);
        if (measure > 0)
            most = max(most, set_needs(p, changes, count, before, measure));
    }
    free(before);
    return most;
}

/* The larger bound of points and sets of points. */
static int64_t where_certain(const struct problem *p)
{
    struct change *changes = mem_alloc(2 * p->count + 1, sizeof *changes);
    size_t count = certain(p, changes);
    int64_t most = 0;
    if (count > 0) {
        qsort(changes, count, sizeof *changes, by_time);
        most = max(at_points(p, changes, count), p->spare > 0 ? at_sets(p, changes, count) : 0);
    }
    free(changes);
    return most;
}

/* ---- intervals ---- */

struct scale {
    int64_t first_ms, step_ms; /* interval i: [first + i step, first + (i + 2) step) */
    size_t intervals;
};

/* Sets the intervals that a job may reach, [*from, *to). */
static void reach(const struct scale *scale, const struct problem *p, const struct bound_job *job,
                  size_t *from, size_t *to)
{
    int64_t a = (job->arrival_ms - scale->first_ms) / scale->step_ms;
    int64_t d = (deadline(p, job) - scale->first_ms) / scale->step_ms;
    *from = a > 0 ? (size_t)a - 1 : 0;
    *to = (size_t)d + 1 < scale->intervals ? (size_t)d + 1 : scale->intervals;
}

/*
 * Stores the pieces of all intervals in one array, those of interval i from first[i] on. Returns
 * false if there are too many.
 */
static bool cut_up(const struct scale *scale, const struct problem *p, size_t *first,
                   double **pieces)
{
    size_t total = 0;
    for (size_t i = 0; i < p->count; i++) {
        size_t from, to;
        if (!binds(p, &p->jobs[i]))
            continue;
        reach(scale, p, &p->jobs[i], &from, &to);
        for (size_t k = from; k < to; k++)
            first[k + 1]++;
        total += to > from ? to - from : 0;
        if (total > PIECES_A_JOB * p->count)
            return false;
    }
    for (size_t k = 0; k < scale->intervals; k++)
        first[k + 1] += first[k];
    *pieces = mem_alloc(total + 1, sizeof **pieces);
    size_t *used = mem_alloc(scale->intervals + 1, sizeof *used);
    for (size_t i = 0; i < p->count; i++) {
        const struct bound_job *job = &p->jobs[i];
        size_t from, to;
        if (!binds(p, job))
            continue;
        reach(scale, p, job, &from, &to);
        for (size_t k = from; k < to; k++) {
            int64_t t1 = scale->first_ms + (int64_t)k * scale->step_ms;
            (*pieces)[first[k] + used[k]++] =
                (double)least(p, job, t1, t1 + 2 * scale->step_ms) * (double)job->gpu_milli;
        }
    }
    free(used);
    return true;
}

static bool at_scale(const struct problem *p, const struct scale *scale, int64_t *most)
{
    size_t *first = mem_alloc(scale->intervals + 2, sizeof *first);
    double *pieces = NULL;
    bool few = cut_up(scale, p, first, &pieces);
    for (size_t k = 0; few && k < scale->intervals; k++)
        *most = max(*most, interval_needs(pieces + first[k], first[k + 1] - first[k], p->spare,
                                          2 * scale->step_ms));
    free(first);
    free(pieces);
    return few;
}

static int64_t in_intervals(const struct problem *p)
{
    int64_t end_ms = p->first_ms, most = 0;
    for (size_t i = 0; i < p->count; i++)
        if (binds(p, &p->jobs[i]))
            end_ms = max(end_ms, deadline(p, &p->jobs[i]));
    int64_t span = end_ms - p->first_ms;
    for (int k = 0; k < SCALES && (span >> k) >= 2; k++) {
        struct scale scale = {p->first_ms, (span >> k) / 2, 0};
        scale.intervals = (size_t)(span / scale.step_ms) + 1;
        if (scale.intervals > PIECES_A_JOB * p->count + 1 || !at_scale(p, &scale, &most))
            break;
    }
    return most;
}

/* ---- what the statistic permits ---- */

/* Solves for a limit of x on all jobs except `spare` of them. */
static int64_t solve(const struct bound_job *jobs, size_t count, enum bound_measure measure,
                     double limit_s, size_t spare)
{
    struct problem p = {.jobs = jobs, .count = count, .measure = measure, .spare = spare};
    double most_ms = (double)(INT64_MAX / 16);
    p.limit_ms = limit_s * 1000 < most_ms ? (int64_t)floor(limit_s * 1000) : INT64_MAX / 16;
    p.first_ms = count > 0 ? jobs[0].arrival_ms : 0;
    for (size_t i = 0; i < count; i++)
        p.first_ms = min(p.first_ms, jobs[i].arrival_ms);
    size_t lost = 0;
    for (size_t i = 0; i < count; i++)
        lost += impossible(&p, &jobs[i]);
    if (lost > spare)
        return BOUND_NONE;
    p.spare -= lost;
    return max(where_certain(&p), in_intervals(&p));
}

static int64_t solve_mean(const struct bound_job *jobs, size_t count,
                          const struct bound_question *q)
{
    static const double factors[] = {1.25, 1.5, 2, 3, 4, 8, 16, 32};
    int64_t most = 0;
    if (!(q->limit_s > 0)) /* the mean of values that are never negative */
        return solve(jobs, count, q->measure, 0, 0);
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        size_t spare = (size_t)ceil((double)count / factors[i]) - 1;
        int64_t gpus = solve(jobs, count, q->measure, factors[i] * q->limit_s, spare);
        if (gpus == BOUND_NONE)
            return BOUND_NONE;
        most = max(most, gpus);
    }
    return most;
}

int64_t bound_gpus(const struct bound_job *jobs, size_t count, const struct bound_question *q)
{
    if (count == 0)
        return 0;
    if (q->limit_s < 0) /* times are never negative */
        return BOUND_NONE;
    if (!(q->quantile > 0))
        return solve_mean(jobs, count, q);
    size_t rank = (size_t)ceil(q->quantile * (double)count - 1e-9);
    return solve(jobs, count, q->measure, q->limit_s, count - (rank < count ? rank : count));
}
