/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a log recorded beside its jobs' sizes and times: waits, attempts, declared limits,
 * estimates, utilization and why jobs failed; and how bursty arrivals are by the hour. All of it is
 * counted in one pass and in constant memory.
 */
#ifndef TRACES_STATS_RECORDED_H
#define TRACES_STATS_RECORDED_H

#include "traces/trace.h"

/* Of the jobs that have the value. */
struct stats_mean {
    uint64_t jobs;
    double sum, most;
};

struct stats_recorded {
    struct stats_mean wait_s;     /* eligible to recorded start */
    struct stats_mean attempts;   /* as recorded */
    struct stats_mean limit_s;    /* declared */
    struct stats_mean limit_used; /* run time / limit, of limits above 0 */
    struct stats_mean estimate;   /* run time / estimate, of estimates above 0 */
    struct stats_mean sm_util;    /* 0..1 */
    uint64_t retried;             /* more than one attempt */
    uint64_t limit_reached;       /* run time at the limit or above */
    uint64_t causes[TRACE_CAUSES];
    uint64_t linked;  /* jobs that wait for others */
    uint64_t entries; /* for so many of them, together */
    struct stats_mean think_s;
    uint64_t members; /* jobs of arrays */
};

void stats_recorded_add(struct stats_recorded *, const struct trace_job *);
double stats_mean_of(const struct stats_mean *); /* nan without jobs */

/*
 * Arrivals by the hour of the trace's clock, in order of time. Their index of dispersion, variance
 * / mean of the numbers in all hours from the first arrival's to the last one's, is 1 for a Poisson
 * process with a constant rate, larger for bursts and for days and nights.
 */
struct stats_hours {
    int64_t first, now;      /* hours since zero of the clock */
    uint64_t count, most;    /* in the hour at hand; in any hour */
    double sum, sum_squares; /* of the hours before it */
};

void stats_hours_add(struct stats_hours *, int64_t hour);
double stats_hours_mean(const struct stats_hours *);       /* nan without arrivals */
double stats_hours_dispersion(const struct stats_hours *); /* nan below two hours */
uint64_t stats_hours_most(const struct stats_hours *);

#endif
