/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of a trace as one JSON object: the values of the tables, not rounded. */
#include "traces/stats/stats_internal.h"

#include "sim/base/json.h"

#include <math.h>
#include <stdlib.h>

#define TOP    10
#define DAY_S  INT64_C(86400)
#define WEEK_S (7 * DAY_S)

static void put_share(struct json *json, const char *key, double part, double whole)
{
    json_f64(json, key, whole > 0 ? part / whole : (double)NAN, 6);
}

static void put_durations(const struct trace_stats *stats, const int64_t *sorted, struct json *json,
                          struct stats_filter filter, uint64_t jobs)
{
    struct stats_durations durations = stats_durations(stats, sorted, filter, jobs);
    char key[8];
    json_begin_object(json, "duration_s");
    if (jobs > 0) {
        json_f64(json, "mean", durations.mean_s, 3);
        for (int i = 0; i < STATS_PERCENTILES; i++) {
            (void)snprintf(key, sizeof key, "p%d", stats_percentiles[i]);
            json_seconds(json, key, durations.percentile_ms[i]);
        }
        json_seconds(json, "max", durations.max_ms);
    }
    json_end_object(json);
}

static void put_group(const struct trace_stats *stats, const int64_t *sorted, struct json *json,
                      const char *key, const struct stats_group *group, struct stats_filter filter)
{
    json_begin_object(json, key);
    json_i64(json, "jobs", (int64_t)group->jobs);
    json_f64(json, "gpu_hours", group->gpu_s / 3600, 3);
    put_durations(stats, sorted, json, filter, group->jobs);
    json_end_object(json);
}

/* Numbers of jobs by status; null if no row has a status, which does not mean that none ended that
 * way. */
static void put_statuses(const struct trace_stats *stats, const int64_t *sorted, struct json *json)
{
    uint64_t unknown = stats->statuses[TRACE_STATUSES].jobs;
    bool none = unknown > 0 && unknown == stats->all.jobs;
    json_begin_object(json, "by_status");
    for (int i = 0; i < STATS_STATUSES; i++) {
        if (none && i < TRACE_STATUSES)
            json_null(json, stats_status_names[i]);
        else if (i < TRACE_STATUSES || unknown > 0)
            put_group(stats, sorted, json, stats_status_names[i], &stats->statuses[i],
                      stats_filter_status(i));
    }
    json_end_object(json);
}

static void put_groups(const struct trace_stats *stats, struct json *json)
{
    int64_t *sorted = stats_sorted(stats);
    put_durations(stats, sorted, json, stats_filter_all(), stats->all.jobs);
    json_begin_object(json, "by_size");
    for (int i = 0; i < STATS_SIZES; i++)
        put_group(stats, sorted, json, stats_size_names[i], &stats->sizes[i], stats_filter_size(i));
    json_end_object(json);
    json_begin_object(json, "by_class");
    for (int i = 0; i < STATS_CLASSES; i++)
        put_group(stats, sorted, json, stats_class_names[i], &stats->classes[i],
                  stats_filter_class(i));
    json_end_object(json);
    put_statuses(stats, sorted, json);
    free(sorted);
}

static void put_arrivals(const struct trace_stats *stats, struct json *json)
{
    double span_s = stats_span_s(stats);
    json_begin_object(json, "arrivals");
    json_f64(json, "per_hour", (double)stats->all.jobs / (span_s / 3600), 3);
    json_f64(json, "interval_cv", stats_gap_cv(stats), 4);
    json_f64(json, "hourly_dispersion",
             isnan(span_s) ? (double)NAN : stats_hours_dispersion(&stats->hours), 4);
    json_i64(json, "most_in_an_hour", (int64_t)stats_hours_most(&stats->hours));
    put_share(json, "same_second_share", (double)stats->same_second, (double)stats->all.jobs);
    json_begin_array(json, "by_hour");
    for (int h = 0; h < 24; h++)
        json_f64(json, NULL, stats_rate(stats, stats->by_hour, h, 24, DAY_S), 4);
    json_end_array(json);
    json_text(json, "first_weekday", stats_clock_is_unix(stats) ? "monday" : NULL);
    json_begin_array(json, "by_weekday");
    for (int d = 0; d < 7; d++)
        json_f64(json, NULL,
                 stats_rate(stats, stats->by_weekday, stats_weekday_slot(stats, d), 7, WEEK_S), 4);
    json_end_array(json);
    json_end_object(json);
}

static void put_mean(struct json *json, const char *key, const struct stats_mean *mean, int digits)
{
    if (mean->jobs == 0)
        return;
    json_begin_object(json, key);
    json_i64(json, "jobs", (int64_t)mean->jobs);
    json_f64(json, "mean", stats_mean_of(mean), digits);
    json_f64(json, "max", mean->most, digits);
    json_end_object(json);
}

/* Recorded values; keys without a value in any row are left out. */
static void put_recorded(const struct stats_recorded *recorded, struct json *json)
{
    json_begin_object(json, "recorded");
    put_mean(json, "wait_s", &recorded->wait_s, 3);
    put_mean(json, "attempts", &recorded->attempts, 4);
    if (recorded->attempts.jobs > 0)
        json_i64(json, "retried_jobs", (int64_t)recorded->retried);
    put_mean(json, "time_limit_s", &recorded->limit_s, 3);
    put_mean(json, "run_of_limit", &recorded->limit_used, 4);
    if (recorded->limit_used.jobs > 0)
        json_i64(json, "limit_reached_jobs", (int64_t)recorded->limit_reached);
    put_mean(json, "run_of_estimate", &recorded->estimate, 4);
    put_mean(json, "sm_util", &recorded->sm_util, 4);
    if (recorded->linked > 0) {
        json_i64(json, "jobs_that_wait", (int64_t)recorded->linked);
        json_i64(json, "dependencies", (int64_t)recorded->entries);
    }
    put_mean(json, "think_s", &recorded->think_s, 3);
    if (recorded->members > 0)
        json_i64(json, "array_jobs", (int64_t)recorded->members);
    json_begin_object(json, "causes");
    for (int i = 1; i < TRACE_CAUSES; i++)
        if (recorded->causes[i] > 0)
            json_i64(json, trace_cause_names[i], (int64_t)recorded->causes[i]);
    json_end_object(json);
    json_end_object(json);
}

static void put_top(const struct trace_stats *stats, struct json *json, const char *key,
                    const struct stats_groups *groups, const struct symbols *names)
{
    uint32_t top[TOP];
    size_t n = stats_top(groups, top, TOP);
    json_begin_object(json, key);
    json_i64(json, "count", (int64_t)stats_used(groups));
    json_begin_array(json, "top");
    for (size_t i = 0; i < n; i++) {
        const struct stats_group *group = &groups->groups[top[i]];
        json_begin_object(json, NULL);
        json_text(json, "name", symbols_name(names, top[i]));
        json_i64(json, "jobs", (int64_t)group->jobs);
        json_f64(json, "gpu_hours", group->gpu_s / 3600, 3);
        put_share(json, "gpu_hours_share", group->gpu_s, stats->all.gpu_s);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}

void trace_stats_json(const struct trace_stats *stats, struct out *out)
{
    struct json json;
    json_init(&json, out, 2);
    json_begin_object(&json, NULL);
    json_i64(&json, "fauxfleet_trace_stats", 1);
    json_i64(&json, "jobs", (int64_t)stats->all.jobs);
    if (stats->all.jobs > 0) {
        json_seconds(&json, "first_submit_s", stats->first_ms);
        json_seconds(&json, "last_submit_s", stats->last_ms);
    } else {
        json_null(&json, "first_submit_s");
        json_null(&json, "last_submit_s");
    }
    json_f64(&json, "gpu_hours", stats->all.gpu_s / 3600, 3);
    put_groups(stats, &json);
    put_arrivals(stats, &json);
    put_recorded(&stats->recorded, &json);
    put_top(stats, &json, "queues", &stats->queues, stats->names.queues);
    put_top(stats, &json, "users", &stats->users, stats->names.users);
    json_begin_object(&json, "unknown_share");
    for (int i = 0; i < STATS_UNKNOWNS; i++)
        put_share(&json, stats_unknown_names[i], (double)stats->unknown[i],
                  (double)stats->all.jobs);
    json_end_object(&json);
    json_end_object(&json);
    out_char(out, '\n');
}
