/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The statistics of a trace, shared by the part that counts (stats.c) and the part that prints
 * (print.c). Everything is counted in one pass; only durations are kept, one number per job, so
 * that percentiles are exact (nearest rank) for all jobs and for every size, class and status.
 */
#ifndef TRACES_STATS_STATS_INTERNAL_H
#define TRACES_STATS_STATS_INTERNAL_H

#include "traces/stats/recorded.h"
#include "traces/trace.h"

#include <gsl/gsl_rstat.h>

#define STATS_SIZES       8
#define STATS_CLASSES     (TRACE_CLASSES + 1) /* the last one: unset */
#define STATS_PERCENTILES 7
#define STATS_UNKNOWNS    17
#define STATS_STATUSES    (TRACE_STATUSES + 1) /* the last one: not recorded */

extern const char *const stats_size_names[STATS_SIZES];
extern const char *const stats_class_names[STATS_CLASSES];
extern const int stats_percentiles[STATS_PERCENTILES];
extern const char *const stats_status_names[STATS_STATUSES];
extern const char *const stats_unknown_names[STATS_UNKNOWNS]; /* columns that a trace may lack */

/* Jobs with a common property, e.g. a size or a user. */
struct stats_group {
    uint64_t jobs;
    double gpu_s;
};

struct stats_groups {
    struct stats_group *groups; /* by symbol */
    size_t count, capacity;
};

struct trace_stats {
    struct trace_names names;
    struct stats_group all, sizes[STATS_SIZES], classes[STATS_CLASSES], statuses[STATS_STATUSES];
    struct stats_groups queues, users;
    int64_t first_ms, last_ms; /* of submit times, if there are jobs */
    uint64_t by_hour[24],
        by_weekday[7];         /* by submit time; weekday: days since the clock's zero, modulo 7 */
    uint64_t same_second;      /* jobs submitted in the same second as the previous one */
    gsl_rstat_workspace *gaps; /* seconds between submissions */
    uint64_t unknown[STATS_UNKNOWNS]; /* rows without a value */
    struct stats_recorded recorded;
    struct stats_hours hours;

    /* duration_ms << 8 | size << 5 | class << 2 | status of each job: sorting these sorts every
     * group at once. */
    int64_t *durations;
    size_t duration_count, duration_capacity;
};

/* A set of packed durations: those whose bits under `mask` equal `value`. */
struct stats_filter {
    int64_t mask, value;
};
struct stats_filter stats_filter_all(void);
struct stats_filter stats_filter_size(int size);
struct stats_filter stats_filter_class(int class);
struct stats_filter stats_filter_status(int status);

struct stats_durations {
    int64_t percentile_ms[STATS_PERCENTILES], max_ms;
    double mean_s;
};

/* All durations in ascending order, freed by the caller. */
int64_t *stats_sorted(const struct trace_stats *);

/* Summarizes those of the `jobs` durations that pass the filter; all zero if there are none. */
struct stats_durations stats_durations(const struct trace_stats *, const int64_t *sorted,
                                       struct stats_filter, uint64_t jobs);

/*
 * The span of submissions, of at least two jobs and an hour; NaN below, where a rate would describe
 * the length of the file rather than its jobs.
 */
double stats_span_s(const struct trace_stats *);

/*
 * Submissions per second in slot `slot` of `slots` equal parts of a period, relative to the whole
 * trace (1: the average); NaN if the trace does not touch the slot, or spans less than two of them.
 */
double stats_rate(const struct trace_stats *, const uint64_t *counts, int slot, int slots,
                  int64_t period_s);

/* Returns true if submit times look like seconds since 1970 (from 2001 on), so that weekdays have
 * names. */
bool stats_clock_is_unix(const struct trace_stats *);

/*
 * The index in by_weekday of the day shown as number `day`: Monday first if weekdays have names
 * (day zero of 1970 was a Thursday), else the first day of the clock.
 */
int stats_weekday_slot(const struct trace_stats *, int day);

double stats_gap_cv(const struct trace_stats *); /* NaN below three jobs */

/* Fills the symbols of the groups with the most GPU time in descending order (ties: smaller
 * symbol), at most `most`; returns their number. */
size_t stats_top(const struct stats_groups *, uint32_t *symbols, size_t most);
size_t stats_used(const struct stats_groups *); /* groups with jobs */

#endif
