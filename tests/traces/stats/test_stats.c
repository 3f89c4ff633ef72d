/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trace statistics: counts, exact percentiles against a sorted array, rates over hours and days,
 * top users, and that tables stay within 100 columns and JSON is valid.
 */
#include "traces/stats/stats_internal.h"
#include "traces/trace_internal.h"

#include "tests/lib/harness.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct world {
    struct trace_names names;
    struct trace_stats *stats;
};

static void begin(struct world *world)
{
    world->names = (struct trace_names){symbols_create(), symbols_create(), symbols_create(),
                                        symbols_create(), symbols_create()};
    (void)symbols_add(world->names.queues, "default", 7);
    (void)symbols_add(world->names.users, "", 0);
    world->stats = trace_stats_create(&world->names);
}

static void end(struct world *world)
{
    trace_stats_destroy(world->stats);
    symbols_destroy(world->names.queues);
    symbols_destroy(world->names.users);
    symbols_destroy(world->names.gpu_types);
    symbols_destroy(world->names.models);
    symbols_destroy(world->names.nodes);
}

/* A job of `gpu_milli` that runs for duration_s. */
static struct trace_job make_job(int64_t submit_s, int64_t duration_s, int64_t gpu_milli)
{
    struct trace_job job;
    trace_job_init(&job);
    job.id = "j";
    job.submit_ms = job.eligible_ms = submit_s * 1000;
    job.duration_ms = duration_s * 1000;
    if (gpu_milli > 0 && gpu_milli < 1000) {
        job.gpus = 1;
        job.gpu_milli = (int32_t)gpu_milli;
    } else {
        job.gpus_total = gpu_milli / 1000;
    }
    return job;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static const struct {
    int64_t gpu_milli;
    const char *size;
} size_rows[] = {
    {0, "0"},        {1, "<1"},         {999, "<1"},        {1000, "1"},
    {2000, "2-7"},   {7000, "2-7"},     {8000, "8"},        {9000, "9-63"},
    {63000, "9-63"}, {64000, "64-511"}, {511000, "64-511"}, {512000, "512+"},
};

START_TEST(sizes_have_their_rows)
{
    struct world w;
    begin(&w);
    struct trace_job job = make_job(0, 7200, size_rows[_i].gpu_milli);
    trace_stats_add(w.stats, &job);
    for (int i = 0; i < STATS_SIZES; i++) {
        bool here = strcmp(stats_size_names[i], size_rows[_i].size) == 0;
        ck_assert_uint_eq(w.stats->sizes[i].jobs, here ? 1 : 0);
        double gpu_hours = here ? 2 * (double)size_rows[_i].gpu_milli / 1000 : 0;
        ck_assert_double_eq_tol(w.stats->sizes[i].gpu_s / 3600, gpu_hours, 1e-9);
    }
    end(&w);
}
END_TEST

/* A request that is neither a whole number nor below one GPU counts with the larger ones. */
START_TEST(several_shares_are_more_than_one_gpu)
{
    struct world w;
    begin(&w);
    struct trace_job job = make_job(0, 1, 500);
    job.tasks = 3;
    trace_stats_add(w.stats, &job);
    ck_assert_uint_eq(w.stats->sizes[3].jobs, 1);
    end(&w);
}
END_TEST

/* ---- durations ------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Nearest rank: the value at rank ceil(p n / 100) of the sorted values. */
START_TEST(percentiles_are_nearest_ranks)
{
    enum { MOST = 400 };
    int jobs = _i;
    int64_t all[MOST], singles[MOST];
    size_t single_count = 0;
    struct world w;
    begin(&w);
    for (int i = 0; i < jobs; i++) {
        all[i] = (int64_t)i * 7919 % 1009;
        struct trace_job job = make_job(i, all[i], i % 3 ? 1000 : 8000);
        job.class = i % 2 ? TRACE_BATCH : TRACE_CLASS_UNSET;
        if (i % 3)
            singles[single_count++] = all[i];
        trace_stats_add(w.stats, &job);
    }
    qsort(all, (size_t)jobs, sizeof *all, compare);
    qsort(singles, single_count, sizeof *singles, compare);
    int64_t *sorted = stats_sorted(w.stats);
    struct stats_durations of_all =
        stats_durations(w.stats, sorted, stats_filter_all(), (uint64_t)jobs);
    struct stats_durations of_singles =
        stats_durations(w.stats, sorted, stats_filter_size(2), single_count);
    for (int p = 0; p < STATS_PERCENTILES && jobs > 0; p++) {
        size_t rank = ((size_t)stats_percentiles[p] * (size_t)jobs + 99) / 100;
        ck_assert_int_eq(of_all.percentile_ms[p], all[rank - 1] * 1000);
        rank = ((size_t)stats_percentiles[p] * single_count + 99) / 100;
        if (single_count > 0)
            ck_assert_int_eq(of_singles.percentile_ms[p], singles[rank - 1] * 1000);
    }
    ck_assert_int_eq(of_all.max_ms, jobs ? all[jobs - 1] * 1000 : 0);
    free(sorted);
    end(&w);
}
END_TEST

START_TEST(means_and_filters)
{
    struct world w;
    begin(&w);
    for (int s = 0; s < TRACE_STATUSES; s++) {
        struct trace_job job = make_job(s, 10 * (s + 1), 1000);
        job.status = (enum trace_status)s;
        job.class = (enum trace_class)s;
        trace_stats_add(w.stats, &job);
    }
    int64_t *sorted = stats_sorted(w.stats);
    ck_assert_double_eq_tol(stats_durations(w.stats, sorted, stats_filter_all(), 3).mean_s, 20,
                            1e-12);
    for (int s = 0; s < TRACE_STATUSES; s++) {
        ck_assert_int_eq(stats_durations(w.stats, sorted, stats_filter_status(s), 1).max_ms,
                         10000 * (s + 1));
        ck_assert_int_eq(stats_durations(w.stats, sorted, stats_filter_class(s), 1).max_ms,
                         10000 * (s + 1));
    }
    free(sorted);
    end(&w);
}
END_TEST

/* ---- arrivals -------------------------------------------------------------------------------- */

START_TEST(rates_are_relative_to_the_time_covered)
{
    struct world w;
    begin(&w);
    // One job an hour for ten days, one more in each hour 5: hour 5 has 2 / (25 / 24) of the
    // average.
    for (int64_t h = 0; h < 240; h++)
        for (int k = 0; k < (h % 24 == 5 ? 2 : 1); k++) {
            struct trace_job job = make_job(h * 3600 + 1800 * k, 10, 1000);
            trace_stats_add(w.stats, &job);
        }
    for (int h = 0; h < 23; h++) // hour 23 of the last day is cut at its first second
        ck_assert_double_eq_tol(stats_rate(w.stats, w.stats->by_hour, h, 24, 86400),
                                (h == 5 ? 2 : 1) / (25.0 / 24), 0.01);
    // Ten days: three of the weekdays occur twice, but none is busier than the others.
    for (int d = 0; d < 7; d++)
        ck_assert_double_eq_tol(stats_rate(w.stats, w.stats->by_weekday, d, 7, 604800), 1, 0.05);
    // Gaps: 240 of about an hour, and the CV follows from 10 pairs of half-hours.
    ck_assert_double_gt(stats_gap_cv(w.stats), 0);
    ck_assert(!stats_clock_is_unix(w.stats));
    end(&w);
}
END_TEST

static const struct {
    int64_t submit_s;
    int hour, slot; /* slot: days since the clock's zero, modulo 7 */
} clock_rows[] = {
    {0, 0, 0},   {3599, 0, 0},   {86399, 23, 0},      {86400, 0, 1},
    {-1, 23, 6}, {604800, 0, 0}, {1709296496, 12, 1},
};

START_TEST(clock_has_hours_and_days)
{
    struct world w;
    begin(&w);
    struct trace_job job = make_job(clock_rows[_i].submit_s, 1, 1000);
    trace_stats_add(w.stats, &job);
    ck_assert_uint_eq(w.stats->by_hour[clock_rows[_i].hour], 1);
    ck_assert_uint_eq(w.stats->by_weekday[clock_rows[_i].slot], 1);
    end(&w);
}
END_TEST

/* 1709296496 is Friday, 1 March 2024, 12:34:56 UTC. */
START_TEST(unix_clocks_have_weekdays)
{
    struct world w;
    begin(&w);
    struct trace_job job = make_job(1709296496, 1, 1000);
    trace_stats_add(w.stats, &job);
    ck_assert(stats_clock_is_unix(w.stats));
    const int friday = 4; // Monday is 0
    ck_assert_uint_eq(w.stats->by_weekday[stats_weekday_slot(w.stats, friday)], 1);
    end(&w);
}
END_TEST

START_TEST(bursts_are_seen)
{
    struct world w;
    begin(&w);
    static const int64_t submit_s[] = {0, 0, 0, 100, 100, 200};
    for (size_t i = 0; i < 6; i++) {
        struct trace_job job = make_job(submit_s[i], 1, 1000);
        trace_stats_add(w.stats, &job);
    }
    ck_assert_uint_eq(w.stats->same_second, 3);
    // Gaps 0 0 100 0 100: mean 40, sample sd sqrt(12000 / 4) = 54.77.
    ck_assert_double_eq_tol(stats_gap_cv(w.stats), 54.7723 / 40, 1e-4);
    end(&w);
}
END_TEST

/* ---- who ------------------------------------------------------------------------------------- */

START_TEST(top_is_by_gpu_time_then_symbol)
{
    static const double gpu_s[] = {5, 0, 9, 5, 9, 1};
    static const uint32_t expected[] = {2, 4, 0, 3, 5, 1};
    struct stats_group groups[7] = {{0}};
    for (int i = 0; i < 6; i++)
        groups[i] = (struct stats_group){1, gpu_s[i]};
    const struct stats_groups all = {groups, 7, 7}; // the last one has no jobs
    ck_assert_uint_eq(stats_used(&all), 6);
    for (size_t most = 1; most <= 7; most++) {
        uint32_t top[8];
        size_t n = stats_top(&all, top, most);
        ck_assert_uint_eq(n, most < 6 ? most : 6);
        for (size_t i = 0; i < n; i++)
            ck_assert_uint_eq(top[i], expected[i]);
    }
}
END_TEST

/* ---- output ---------------------------------------------------------------------------------- */

static void add_generated(struct world *w, const char *profile)
{
    static const struct trace_parameter count = {"jobs", 3000};
    struct trace *trace;
    struct trace_job job;
    struct err err;
    ck_assert(trace_generate(
        &trace,
        &(struct trace_generate_options){
            .profile = profile, .parameters = &count, .parameter_count = 1, .names = w->names},
        &err));
    while (trace_next(trace, &job, &err) == TRACE_JOB)
        trace_stats_add(w->stats, &job);
    trace_close(trace);
}

START_TEST(tables_fit_and_are_deterministic)
{
    char *texts[2];
    for (int run = 0; run < 2; run++) {
        struct world w;
        begin(&w);
        struct trace_job job =
            make_job(0, 50000000, 1000000000); // a job of a million GPUs: wide numbers
        trace_stats_add(w.stats, &job);
        add_generated(&w, "teams");
        struct out *out = out_memory();
        trace_stats_print(w.stats, out);
        texts[run] = strdup(out_memory_text(out, NULL));
        ck_assert_ptr_nonnull(texts[run]);
        out_discard(out);
        end(&w);
    }
    ck_assert_str_eq(texts[0], texts[1]);
    for (const char *line = texts[0]; *line; line += strcspn(line, "\n") + 1) {
        size_t width = strcspn(line, "\n");
        ck_assert_msg(width <= 100, "%zu columns: %.*s", width, (int)width, line);
        ck_assert_msg(width == 0 || line[width - 1] != ' ', "space at the end of '%.*s'",
                      (int)width, line);
    }
    free(texts[0]);
    free(texts[1]);
}
END_TEST

START_TEST(tables_show_the_facts)
{
    struct world w;
    begin(&w);
    struct trace_job first = make_job(0, 3600, 8000), second = make_job(7200, 45, 500);
    second.limit_ms = 60000;
    trace_stats_add(w.stats, &first);
    trace_stats_add(w.stats, &second);
    struct out *out = out_memory();
    trace_stats_print(w.stats, out);
    const char *text = out_memory_text(out, NULL);
    harness_contains(text, "jobs         2\n");
    harness_contains(text, "submitted    0 s to 7200 s, a span of 2.0 h\n");
    harness_contains(text, "GPU-hours    8.0, the work of 4.0 GPUs busy for the whole span\n");
    harness_contains(text, "8                      1   50.0            8.0   99.9     1.0 h");
    harness_contains(text, "<1                     1   50.0            0.0    0.1      45 s");
    harness_contains(text, "    time_limit_s (50.0)\n");
    harness_contains(
        text,
        "columns without a value in any row\n    user, class, priority, preemptible, estimate_s");
    harness_contains(text, "(unknown)");
    out_discard(out);
    end(&w);
}
END_TEST

/* One job, and two within ten seconds, have no rate; a log without statuses does not say that its
 * jobs completed. */
START_TEST(short_and_silent_logs_say_so)
{
    for (int jobs = 1; jobs <= 2; jobs++) {
        struct world w;
        begin(&w);
        for (int i = 0; i < jobs; i++) {
            struct trace_job job = make_job(3595 + 10 * i, 3600, 8000); // across the end of an hour
            job.status_unknown = true;
            trace_stats_add(w.stats, &job);
        }
        struct out *out = out_memory();
        trace_stats_print(w.stats, out);
        const char *text = out_memory_text(out, NULL);
        harness_contains(text, "arrivals     - jobs an hour");
        harness_contains(text, jobs == 1 ? "\nunknown                1  100.0"
                                         : "\nunknown                2  100.0");
        static const char *const absent[] = {"\ncompleted ", "1.00", "bursts",
                                             "busy for the whole span"};
        for (size_t i = 0; i < 4; i++)
            ck_assert_msg(strstr(text, absent[i]) == NULL, "%s in\n%s", absent[i], text);
        out_discard(out);
        out = out_memory();
        trace_stats_json(w.stats, out);
        cJSON *json = cJSON_Parse(out_memory_text(out, NULL));
        const cJSON *arrivals = cJSON_GetObjectItem(json, "arrivals"), *rate;
        const cJSON *ends = cJSON_GetObjectItem(json, "by_status");
        ck_assert(cJSON_IsNull(cJSON_GetObjectItem(arrivals, "per_hour")));
        ck_assert(cJSON_IsNull(cJSON_GetObjectItem(arrivals, "hourly_dispersion")));
        cJSON_ArrayForEach(rate, cJSON_GetObjectItem(arrivals, "by_hour"))
            ck_assert(cJSON_IsNull(rate));
        cJSON_ArrayForEach(rate, cJSON_GetObjectItem(arrivals, "by_weekday"))
            ck_assert(cJSON_IsNull(rate));
        ck_assert(cJSON_IsNull(cJSON_GetObjectItem(ends, "completed")));
        ck_assert_int_eq(
            cJSON_GetObjectItem(cJSON_GetObjectItem(ends, "unknown"), "jobs")->valueint, jobs);
        cJSON_Delete(json);
        out_discard(out);
        end(&w);
    }
}
END_TEST

START_TEST(no_jobs_is_no_division_by_zero)
{
    struct world w;
    begin(&w);
    struct out *out = out_memory();
    trace_stats_print(w.stats, out);
    ck_assert_str_eq(out_memory_text(out, NULL), "jobs         0\n");
    out_discard(out);
    out = out_memory();
    trace_stats_json(w.stats, out);
    cJSON *json = cJSON_Parse(out_memory_text(out, NULL));
    ck_assert_ptr_nonnull(json);
    ck_assert_ptr_null(strstr(out_memory_text(out, NULL), "nan"));
    cJSON_Delete(json);
    out_discard(out);
    end(&w);
}
END_TEST

static double number(const cJSON *json, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);
    ck_assert_msg(cJSON_IsNumber(item), "no number '%s'", key);
    return item->valuedouble;
}

START_TEST(json_agrees_with_the_counts)
{
    struct world w;
    begin(&w);
    add_generated(&w, "batch");
    struct out *out = out_memory();
    trace_stats_json(w.stats, out);
    cJSON *json = cJSON_Parse(out_memory_text(out, NULL));
    ck_assert_ptr_nonnull(json);
    ck_assert_double_eq(number(json, "jobs"), 3000);
    const cJSON *sizes = cJSON_GetObjectItemCaseSensitive(json, "by_size");
    double jobs = 0, gpu_hours = 0;
    for (int i = 0; i < STATS_SIZES; i++) {
        const cJSON *size = cJSON_GetObjectItemCaseSensitive(sizes, stats_size_names[i]);
        jobs += number(size, "jobs");
        gpu_hours += number(size, "gpu_hours");
    }
    ck_assert_double_eq(jobs, 3000);
    ck_assert_double_eq_tol(gpu_hours, number(json, "gpu_hours"), 0.01);
    const cJSON *durations = cJSON_GetObjectItemCaseSensitive(json, "duration_s");
    ck_assert_double_le(number(durations, "p50"), number(durations, "p90"));
    ck_assert_double_eq(number(durations, "max"), floor(number(durations, "max")));
    const cJSON *unknown = cJSON_GetObjectItemCaseSensitive(json, "unknown_share");
    ck_assert_double_eq(number(unknown, "time_limit_s"), 0);
    ck_assert_double_eq(number(unknown, "estimate_s"), 1);
    const cJSON *arrivals = cJSON_GetObjectItemCaseSensitive(json, "arrivals");
    ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(arrivals, "by_hour")), 24);
    const cJSON *users = cJSON_GetObjectItemCaseSensitive(json, "users");
    ck_assert_double_eq(number(users, "count"), 10);
    cJSON_Delete(json);
    out_discard(out);
    end(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stats");
    TCase *tcase = tcase_create("stats");
    tcase_add_loop_test(tcase, sizes_have_their_rows, 0, ROWS(size_rows));
    tcase_add_test(tcase, several_shares_are_more_than_one_gpu);
    tcase_add_loop_test(tcase, percentiles_are_nearest_ranks, 0, 40);
    tcase_add_loop_test(tcase, percentiles_are_nearest_ranks, 398, 400);
    tcase_add_test(tcase, means_and_filters);
    tcase_add_test(tcase, rates_are_relative_to_the_time_covered);
    tcase_add_loop_test(tcase, clock_has_hours_and_days, 0, ROWS(clock_rows));
    tcase_add_test(tcase, unix_clocks_have_weekdays);
    tcase_add_test(tcase, bursts_are_seen);
    tcase_add_test(tcase, top_is_by_gpu_time_then_symbol);
    tcase_add_test(tcase, tables_fit_and_are_deterministic);
    tcase_add_test(tcase, tables_show_the_facts);
    tcase_add_test(tcase, short_and_silent_logs_say_so);
    tcase_add_test(tcase, no_jobs_is_no_division_by_zero);
    tcase_add_test(tcase, json_agrees_with_the_counts);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
