/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts recorded values, and arrivals per hour; see recorded.h. */
#include "traces/stats/recorded.h"

#include <math.h>

static void add(struct stats_mean *mean, double value)
{
    mean->most = mean->jobs == 0 || value > mean->most ? value : mean->most;
    mean->sum += value;
    mean->jobs++;
}

double stats_mean_of(const struct stats_mean *mean)
{
    return mean->jobs > 0 ? mean->sum / (double)mean->jobs : (double)NAN;
}

static void add_links(struct stats_recorded *recorded, const struct trace_job *job)
{
    recorded->linked += job->after[0] != '\0';
    recorded->entries += job->after[0] != '\0';
    for (const char *c = job->after; *c != '\0'; c++)
        recorded->entries += *c == '|';
    if (job->think_ms != TRACE_UNKNOWN)
        add(&recorded->think_s, (double)job->think_ms / 1000);
    recorded->members += job->array[0] != '\0';
}

void stats_recorded_add(struct stats_recorded *recorded, const struct trace_job *job)
{
    double run_s = (double)job->duration_ms / 1000;
    if (job->start_ms != TRACE_UNKNOWN && job->start_ms >= job->eligible_ms)
        add(&recorded->wait_s, (double)(job->start_ms - job->eligible_ms) / 1000);
    if (job->attempts != TRACE_UNKNOWN)
        add(&recorded->attempts, job->attempts);
    recorded->retried += job->attempts > 1;
    if (job->limit_ms != TRACE_UNKNOWN)
        add(&recorded->limit_s, (double)job->limit_ms / 1000);
    if (job->limit_ms > 0)
        add(&recorded->limit_used, run_s / ((double)job->limit_ms / 1000));
    recorded->limit_reached += job->limit_ms > 0 && job->duration_ms >= job->limit_ms;
    if (job->estimate_ms > 0)
        add(&recorded->estimate, run_s / ((double)job->estimate_ms / 1000));
    if (job->sm_util_ppm != TRACE_UNKNOWN)
        add(&recorded->sm_util, (double)job->sm_util_ppm / 1e6);
    recorded->causes[job->cause]++;
    add_links(recorded, job);
}

void stats_hours_add(struct stats_hours *hours, int64_t hour)
{
    bool begins = hours->count == 0;
    if (begins)
        hours->first = hours->now = hour;
    if (hour != hours->now) {
        hours->sum += (double)hours->count;
        hours->sum_squares += (double)hours->count * (double)hours->count;
        hours->count = 0;
        hours->now = hour;
    }
    hours->count++;
    hours->most = hours->count > hours->most ? hours->count : hours->most;
}

/* Hours from the first to the last, including those without arrivals. */
static double covered(const struct stats_hours *hours)
{
    return hours->count == 0 ? 0 : (double)(hours->now - hours->first) + 1;
}

double stats_hours_mean(const struct stats_hours *hours)
{
    return hours->count == 0 ? (double)NAN : (hours->sum + (double)hours->count) / covered(hours);
}

double stats_hours_dispersion(const struct stats_hours *hours)
{
    if (hours->count == 0 || covered(hours) < 2)
        return (double)NAN;
    double last = (double)hours->count, mean = stats_hours_mean(hours);
    return ((hours->sum_squares + last * last) / covered(hours) - mean * mean) / mean;
}

uint64_t stats_hours_most(const struct stats_hours *hours)
{
    return hours->most;
}
