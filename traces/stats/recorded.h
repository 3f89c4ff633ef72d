/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a log recorded besides its jobs' sizes and times: waits, attempts, declared limits,
 * estimates, utilization and causes of failures; and the burstiness of arrivals by the hour. All of
 * it is counted in one pass and in constant memory.
 */
#ifndef TRACES_STATS_RECORDED_H
#define TRACES_STATS_RECORDED_H

#include "traces/trace.h"

/* Over jobs that have the value. */
struct stats_mean {
    uint64_t jobs;
    double sum, most;
};

struct stats_recorded {
    struct stats_mean wait_s;     /* from eligible to recorded start */
    struct stats_mean attempts;   /* as recorded */
    struct stats_mean limit_s;    /* declared */
    struct stats_mean limit_used; /* run time / limit, of limits above 0 */
    struct stats_mean estimate;   /* run time / estimate, of estimates above 0 */
    struct stats_mean sm_util;    /* 0..1 */
    uint64_t retried;             /* more than one attempt */
    uint64_t limit_reached;       /* run time at the limit or above */
    uint64_t causes[TRACE_CAUSES];
    uint64_t linked;  /* jobs that depend on others */
    uint64_t entries; /* the number of those others */
    struct stats_mean think_s;
    uint64_t members; /* jobs of arrays */
};

void stats_recorded_add(struct stats_recorded *, const struct trace_job *);
double stats_mean_of(const struct stats_mean *); /* nan without jobs */

/*
 * Arrivals by the hour of the trace's clock, in order of time. The index of dispersion is variance
 * / mean of the counts of all hours from the first arrival to the last: 1 for a Poisson process
 * with a constant rate, larger with bursts and with days and nights.
 */
struct stats_hours {
    int64_t first, now;      /* hours since the clock's zero */
    uint64_t count, most;    /* of the current hour; of the busiest hour */
    double sum, sum_squares; /* of the hours before the current one */
};

void stats_hours_add(struct stats_hours *, int64_t hour);
double stats_hours_mean(const struct stats_hours *);       /* nan without arrivals */
double stats_hours_dispersion(const struct stats_hours *); /* nan below two hours */
uint64_t stats_hours_most(const struct stats_hours *);

#endif
