/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of a trace: counts jobs for everything that `trace stats` shows, and answers its
 * questions. */
#include "traces/stats/stats_internal.h"

#include "sim/base/mem.h"
#include "sim/base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DAY_S   INT64_C(86400)
#define HOUR_MS INT64_C(3600000)
/* 9 September 2001; simulated clocks start near zero */
#define UNIX_TIME_MS   INT64_C(1000000000000)
#define SIZE_SHIFT     5
#define CLASS_SHIFT    2
#define PACKED_SHIFT   8
#define MOST_PACKED_MS (INT64_MAX >> PACKED_SHIFT)

const char *const stats_size_names[STATS_SIZES] = {"0", "<1",   "1",      "2-7",
                                                   "8", "9-63", "64-511", "512+"};
/* Smallest size of each row after the first, in thousandths of a GPU. */
static const int64_t size_floors[STATS_SIZES - 1] = {1, 1000, 1001, 8000, 8001, 64000, 512000};
const char *const stats_class_names[STATS_CLASSES] = {"build",     "train", "distributed",
                                                      "inference", "batch", "unset"};
const char *const stats_status_names[STATS_STATUSES] = {"completed", "failed", "cancelled",
                                                        "unknown"};
const int stats_percentiles[STATS_PERCENTILES] = {10, 25, 50, 75, 90, 95, 99};

/* ---- unknown values -------------------------------------------------------------------------- */

const char *const stats_unknown_names[STATS_UNKNOWNS] = {
    "user",       "class",   "priority",    "preemptible",   "time_limit_s",
    "estimate_s", "start_s", "gpu_type",    "cpus_per_task", "mem_mib_per_task",
    "model",      "sm_util", "active_frac", "checkpoint_s",  "end_s",
    "attempts",   "status",
};

static void count_unknown(struct trace_stats *stats, const struct trace_job *job)
{
    const bool unknown[STATS_UNKNOWNS] = {
        symbols_name(stats->names.users, job->user)[0] == '\0',
        job->class == TRACE_CLASS_UNSET,
        job->priority == INT32_MIN,
        job->preemptible == TRACE_UNKNOWN,
        job->limit_ms == TRACE_UNKNOWN,
        job->estimate_ms == TRACE_UNKNOWN,
        job->start_ms == TRACE_UNKNOWN,
        job->gpu_types == 0,
        job->cpu_milli == 0,
        job->mem_mib == 0,
        job->model == SYMBOL_NONE,
        job->sm_util_ppm == TRACE_UNKNOWN,
        job->active_ppm == TRACE_UNKNOWN,
        job->checkpoint_ms == TRACE_UNKNOWN,
        job->end_ms == TRACE_UNKNOWN,
        job->attempts == TRACE_UNKNOWN,
        job->status_unknown,
    };
    for (int i = 0; i < STATS_UNKNOWNS; i++)
        stats->unknown[i] += unknown[i];
}

/* ---- counting -------------------------------------------------------------------------------- */

struct trace_stats *trace_stats_create(const struct trace_names *names)
{
    struct trace_stats *stats = mem_alloc(1, sizeof *stats);
    stats->names = *names;
    stats->gaps = gsl_rstat_alloc();
    BUG_ON(!stats->gaps);
    return stats;
}

void trace_stats_destroy(struct trace_stats *stats)
{
    if (!stats)
        return;
    gsl_rstat_free(stats->gaps);
    free(stats->queues.groups);
    free(stats->users.groups);
    free(stats->durations);
    free(stats);
}

static void add_to(struct stats_group *group, double gpu_s)
{
    group->jobs++;
    group->gpu_s += gpu_s;
}

static struct stats_group *group_of(struct stats_groups *groups, uint32_t symbol)
{
    if (symbol >= groups->count) {
        size_t count = (size_t)symbol + 1;
        groups->groups = mem_grow(groups->groups, &groups->capacity, count, sizeof *groups->groups);
        memset(groups->groups + groups->count, 0, (count - groups->count) * sizeof *groups->groups);
        groups->count = count;
    }
    return &groups->groups[symbol];
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static int size_of(int64_t gpu_milli)
{
    int size = 0;
    while (size < STATS_SIZES - 1 && gpu_milli >= size_floors[size])
        size++;
    return size;
}

static void count_submission(struct trace_stats *stats, int64_t submit_ms)
{
    int64_t second = floor_divide(submit_ms, 1000), day = floor_divide(second, DAY_S);
    if (stats->all.jobs == 0) {
        stats->first_ms = submit_ms;
    } else {
        gsl_rstat_add((double)(submit_ms - stats->last_ms) / 1000, stats->gaps);
        stats->same_second += floor_divide(stats->last_ms, 1000) == second;
    }
    stats->last_ms = submit_ms;
    stats->by_hour[(second - day * DAY_S) / 3600]++;
    stats->by_weekday[day - floor_divide(day, 7) * 7]++;
}

void trace_stats_add(struct trace_stats *stats, const struct trace_job *job)
{
    int64_t gpu_milli = trace_job_gpu_milli(job);
    double gpu_s = (double)gpu_milli / 1000 * ((double)job->duration_ms / 1000);
    int size = size_of(gpu_milli), status = job->status_unknown ? TRACE_STATUSES : (int)job->status;
    count_submission(stats, job->submit_ms);
    add_to(&stats->all, gpu_s);
    add_to(&stats->sizes[size], gpu_s);
    add_to(&stats->classes[job->class], gpu_s);
    add_to(&stats->statuses[status], gpu_s);
    add_to(group_of(&stats->queues, job->queue), gpu_s);
    add_to(group_of(&stats->users, job->user), gpu_s);
    count_unknown(stats, job);
    stats_recorded_add(&stats->recorded, job);
    stats_hours_add(&stats->hours, floor_divide(job->submit_ms, HOUR_MS));

    int64_t ms = job->duration_ms < MOST_PACKED_MS ? job->duration_ms : MOST_PACKED_MS;
    stats->durations = mem_grow(stats->durations, &stats->duration_capacity,
                                stats->duration_count + 1, sizeof *stats->durations);
    stats->durations[stats->duration_count++] =
        ms * (1 << PACKED_SHIFT) + (size << SIZE_SHIFT | (int)job->class << CLASS_SHIFT | status);
}

/* ---- asking ---------------------------------------------------------------------------------- */

struct stats_filter stats_filter_all(void)
{
    return (struct stats_filter){0, 0};
}

struct stats_filter stats_filter_size(int size)
{
    return (struct stats_filter){7 << SIZE_SHIFT, size << SIZE_SHIFT};
}

struct stats_filter stats_filter_class(int class)
{
    return (struct stats_filter){7 << CLASS_SHIFT, class << CLASS_SHIFT};
}

struct stats_filter stats_filter_status(int status)
{
    return (struct stats_filter){3, status};
}

int64_t *stats_sorted(const struct trace_stats *stats)
{
    int64_t *sorted = mem_alloc(stats->duration_count + 1, sizeof *sorted);
    if (stats->duration_count > 0)
        memcpy(sorted, stats->durations, stats->duration_count * sizeof *sorted);
    qsort(sorted, stats->duration_count, sizeof *sorted, order_i64);
    return sorted;
}

struct stats_durations stats_durations(const struct trace_stats *stats, const int64_t *sorted,
                                       struct stats_filter filter, uint64_t jobs)
{
    struct stats_durations result = {0};
    uint64_t rank = 0; // of the current job within the group, from 1
    int next = 0;
    double sum_s = 0;
    for (size_t i = 0; i < stats->duration_count; i++) {
        if ((sorted[i] & filter.mask) != filter.value)
            continue;
        int64_t ms = sorted[i] >> PACKED_SHIFT;
        rank++;
        sum_s += (double)ms / 1000;
        // Nearest rank: the smallest value with at least p percent of the jobs at or below it.
        while (next < STATS_PERCENTILES && rank * 100 >= (uint64_t)stats_percentiles[next] * jobs)
            result.percentile_ms[next++] = ms;
        result.max_ms = ms;
    }
    result.mean_s = rank > 0 ? sum_s / (double)rank : 0;
    return result;
}

/* Seconds of [0, t) in the slot, for any sign of t. */
static int64_t seconds_before(int64_t t, int slot, int64_t slot_s, int64_t period_s)
{
    int64_t periods = floor_divide(t, period_s), rest = t - periods * period_s - slot * slot_s;
    return periods * slot_s + (rest < 0 ? 0 : rest > slot_s ? slot_s : rest);
}

double stats_span_s(const struct trace_stats *stats)
{
    int64_t span_ms = stats->last_ms - stats->first_ms;
    return stats->all.jobs < 2 || span_ms < HOUR_MS ? (double)NAN : (double)span_ms / 1000;
}

double stats_rate(const struct trace_stats *stats, const uint64_t *counts, int slot, int slots,
                  int64_t period_s)
{
    int64_t first_s = floor_divide(stats->first_ms, 1000),
            end_s = floor_divide(stats->last_ms, 1000) + 1;
    int64_t slot_s = period_s / slots;
    int64_t seconds = seconds_before(end_s, slot, slot_s, period_s) -
                      seconds_before(first_s, slot, slot_s, period_s);
    if (seconds <= 0 || stats->all.jobs < 2 || end_s - first_s < 2 * slot_s)
        return (double)NAN;
    return (double)counts[slot] / (double)seconds * (double)(end_s - first_s) /
           (double)stats->all.jobs;
}

bool stats_clock_is_unix(const struct trace_stats *stats)
{
    return stats->first_ms >= UNIX_TIME_MS;
}

int stats_weekday_slot(const struct trace_stats *stats, int day)
{
    return stats_clock_is_unix(stats) ? (day + 4) % 7 : day;
}

double stats_gap_cv(const struct trace_stats *stats)
{
    double mean = gsl_rstat_mean(stats->gaps);
    return stats->all.jobs < 3 || mean <= 0 ? (double)NAN : gsl_rstat_sd(stats->gaps) / mean;
}

size_t stats_used(const struct stats_groups *groups)
{
    size_t used = 0;
    for (size_t i = 0; i < groups->count; i++)
        used += groups->groups[i].jobs > 0;
    return used;
}

size_t stats_top(const struct stats_groups *groups, uint32_t *symbols, size_t most)
{
    size_t n = 0;
    for (uint32_t s = 0; s < groups->count; s++) {
        const struct stats_group *group = &groups->groups[s];
        if (group->jobs == 0)
            continue;
        size_t place = n; // insertion keeps the smaller symbol first among equals
        while (place > 0 && groups->groups[symbols[place - 1]].gpu_s < group->gpu_s)
            place--;
        if (place == most)
            continue;
        n += n < most;
        memmove(symbols + place + 1, symbols + place, (n - 1 - place) * sizeof *symbols);
        symbols[place] = s;
    }
    return n;
}
