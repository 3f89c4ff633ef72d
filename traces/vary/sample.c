/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See sample.h. */
#include "traces/vary/sample.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_MS INT64_C(3600000)

const char *const sample_names[SAMPLE_MARGINALS] = {
    "duration_s", "gpus", "gpu_s", "hour_of_day", "day_of_week", "interval_s", "session_jobs"};

struct user {
    double gpu_s;
    int64_t last_ms; /* of the last submission */
    size_t open;     /* jobs of the current session so far */
};

struct sample {
    double *values[SAMPLE_MARGINALS];
    size_t counts[SAMPLE_MARGINALS], capacities[SAMPLE_MARGINALS];
    size_t jobs, statuses[TRACE_STATUSES];
    int64_t first_ms, last_ms;
    struct user *users; /* by user id */
    size_t user_count, user_capacity;
    bool complete;
};

struct sample *sample_create(void)
{
    return mem_alloc(1, sizeof(struct sample));
}

void sample_destroy(struct sample *s)
{
    for (int m = 0; s != NULL && m < SAMPLE_MARGINALS; m++)
        free(s->values[m]);
    if (s != NULL)
        free(s->users);
    free(s);
}

static void add(struct sample *s, enum sample_marginal m, double value)
{
    s->values[m] =
        mem_grow(s->values[m], &s->capacities[m], s->counts[m] + 1, sizeof *s->values[m]);
    s->values[m][s->counts[m]++] = value;
}

/* Counts the session once for each of its jobs. */
static void close_session(struct sample *s, struct user *user)
{
    for (size_t i = 0; i < user->open; i++)
        add(s, SAMPLE_SESSION, (double)user->open);
    user->open = 0;
}

static struct user *user_of(struct sample *s, uint32_t id)
{
    if (id >= s->user_count) {
        s->users = mem_grow(s->users, &s->user_capacity, (size_t)id + 1, sizeof *s->users);
        memset(s->users + s->user_count, 0, ((size_t)id + 1 - s->user_count) * sizeof *s->users);
        s->user_count = (size_t)id + 1;
    }
    return &s->users[id];
}

/* The midnight before, so that hours of the day are those of the trace's clock. */
static int64_t midnight(int64_t ms)
{
    int64_t day = 24 * HOUR_MS, rest = ms % day;
    return ms - (rest < 0 ? rest + day : rest);
}

void sample_add(struct sample *s, const struct trace_job *job)
{
    if (s->jobs == 0)
        s->first_ms = midnight(job->submit_ms);
    else
        add(s, SAMPLE_INTERVAL, (double)(job->submit_ms - s->last_ms) / 1000);
    double seconds = (double)job->duration_ms / 1000,
           gpus = (double)trace_job_gpu_milli(job) / 1000;
    double hours = (double)(job->submit_ms - s->first_ms) / (double)HOUR_MS;
    add(s, SAMPLE_DURATION, seconds);
    add(s, SAMPLE_GPUS, gpus);
    add(s, SAMPLE_GPU_S, seconds * gpus);
    add(s, SAMPLE_HOUR, floor(fmod(hours, 24)));
    add(s, SAMPLE_DAY, floor(fmod(hours / 24, 7)));
    struct user *user = user_of(s, job->user);
    if (user->open > 0 && job->submit_ms - user->last_ms > SAMPLE_GAP_MS)
        close_session(s, user);
    user->open++;
    user->last_ms = job->submit_ms;
    user->gpu_s += seconds * gpus;
    s->last_ms = job->submit_ms;
    s->statuses[job->status]++;
    s->jobs++;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y); /* equal values are interchangeable */
}

static void complete(struct sample *s)
{
    if (s->complete)
        return;
    for (size_t i = 0; i < s->user_count; i++)
        close_session(s, &s->users[i]);
    for (int m = 0; m < SAMPLE_MARGINALS; m++)
        if (s->counts[m] > 0)
            qsort(s->values[m], s->counts[m], sizeof *s->values[m], by_value);
    s->complete = true;
}

static double distance(const double *a, size_t n, const double *b, size_t m)
{
    double worst = 0;
    size_t i = 0, k = 0;
    while (i < n && k < m) {
        double x = fmin(a[i], b[k]);
        while (i < n && a[i] <= x)
            i++;
        while (k < m && b[k] <= x)
            k++;
        worst = fmax(worst, fabs((double)i / (double)n - (double)k / (double)m));
    }
    return worst;
}

void sample_compare(struct sample *a, struct sample *b, double ks[SAMPLE_MARGINALS])
{
    complete(a);
    complete(b);
    for (int m = 0; m < SAMPLE_MARGINALS; m++)
        ks[m] = a->counts[m] > 0 && b->counts[m] > 0
                    ? distance(a->values[m], a->counts[m], b->values[m], b->counts[m])
                    : (double)NAN;
}

size_t sample_jobs(const struct sample *s)
{
    return s->jobs;
}

double sample_mean(const struct sample *s, enum sample_marginal m)
{
    double sum = 0;
    for (size_t i = 0; i < s->counts[m]; i++)
        sum += s->values[m][i];
    return s->counts[m] > 0 ? sum / (double)s->counts[m] : (double)NAN;
}

double sample_median(struct sample *s, enum sample_marginal m)
{
    return s->counts[m] > 0 ? s->values[m][(s->counts[m] - 1) / 2] : (double)NAN;
}

double sample_status(const struct sample *s, enum trace_status status)
{
    return (double)s->statuses[status] / (double)s->jobs;
}

double sample_top_users(const struct sample *s)
{
    double *gpu_s = mem_alloc(s->user_count + 1, sizeof *gpu_s), sum = 0, top = 0;
    size_t n = 0;
    for (size_t i = 0; i < s->user_count; i++)
        if (s->users[i].gpu_s > 0)
            gpu_s[n++] = s->users[i].gpu_s;
    qsort(gpu_s, n, sizeof *gpu_s, by_value);
    size_t most = n >= 20 ? n / 20 : 1;
    for (size_t i = 0; i < n; i++) {
        sum += gpu_s[i];
        top += i + most >= n ? gpu_s[i] : 0;
    }
    free(gpu_s);
    return sum > 0 ? top / sum : (double)NAN;
}
