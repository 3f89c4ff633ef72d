/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Properties of generated traces: sorted, the requested number of jobs, load met without changing
 * durations, shares of classes and sizes, the shape of day and week, bursts, equal seeds equal
 * jobs. All seeds are fixed, so the statistical tests are deterministic; their tolerances are about
 * four standard errors.
 */
#include "traces/trace.h"

#include "tests/lib/harness.h"

#include <math.h>
#include <string.h>

#define YEAR_S 31536000.0
#define WEEK_S 604800.0

static const struct trace_team teams[] = {
    {"vision", 3, 8},
    {"speech", 1, 4},
};

struct world {
    struct trace_names names;
    struct trace *trace;
    struct trace_job job;
    struct err err;
};

static void begin(struct world *world, const char *profile, uint64_t seed,
                  const struct trace_parameter *parameters, size_t count, bool with_teams)
{
    world->names = (struct trace_names){symbols_create(), symbols_create(), symbols_create(),
                                        symbols_create(), symbols_create()};
    bool made = trace_generate(&world->trace,
                               &(struct trace_generate_options){.profile = profile,
                                                                .parameters = parameters,
                                                                .parameter_count = count,
                                                                .teams = with_teams ? teams : NULL,
                                                                .team_count = with_teams ? 2 : 0,
                                                                .seed = seed,
                                                                .names = world->names},
                               &world->err);
    ck_assert_msg(made, "%s", made ? "" : world->err.msg);
}

static bool next(struct world *world)
{
    enum trace_result result = trace_next(world->trace, &world->job, &world->err);
    ck_assert_msg(result >= 0, "%s", result < 0 ? world->err.msg : "");
    return result == TRACE_JOB;
}

static void end(struct world *world)
{
    trace_close(world->trace);
    symbols_destroy(world->names.queues);
    symbols_destroy(world->names.users);
    symbols_destroy(world->names.gpu_types);
    symbols_destroy(world->names.models);
    symbols_destroy(world->names.nodes);
}

static double gpu_s(const struct trace_job *job)
{
    return (double)trace_job_gpu_milli(job) / 1000 * (double)job->duration_ms / 1000;
}

/* ---- laws for every job ------------------------------------------------------------------------
 */

static const char *const profile_names[] = {"batch", "teams", "queue"};

START_TEST(jobs_are_sorted_and_in_range)
{
    static const struct trace_parameter month[] = {{"horizon_s", 4 * WEEK_S}, {"load", 2}};
    struct world w;
    begin(&w, profile_names[_i], 3, month, 2, true);
    int64_t last_ms = 0;
    uint64_t rows = 0;
    char id[32];
    while (next(&w)) {
        (void)snprintf(id, sizeof id, "%c%llu", profile_names[_i][0], (unsigned long long)rows);
        ck_assert_str_eq(w.job.id, id);
        ck_assert_uint_eq(w.job.row, rows++);
        ck_assert_int_ge(w.job.submit_ms, last_ms);
        ck_assert_int_lt(w.job.submit_ms, (int64_t)(4 * WEEK_S) * 1000);
        ck_assert_int_eq(w.job.submit_ms % 1000, 0);
        ck_assert_int_eq(w.job.eligible_ms, w.job.submit_ms);
        ck_assert_int_ge(w.job.duration_ms, 1000);
        ck_assert_int_le(w.job.duration_ms, 345600000);
        ck_assert_int_eq(w.job.duration_ms % 1000, 0);
        ck_assert_int_ge(w.job.limit_ms, w.job.duration_ms);
        ck_assert_int_ge(trace_job_gpu_milli(&w.job), 250);
        ck_assert_int_le(trace_job_gpu_milli(&w.job), 128000);
        const char *queue = symbols_name(w.names.queues, w.job.queue);
        ck_assert_int_eq(strncmp(symbols_name(w.names.users, w.job.user), queue, strlen(queue)), 0);
        last_ms = w.job.submit_ms;
    }
    ck_assert_uint_gt(rows, 1000);
    ck_assert_uint_eq(symbols_count(w.names.queues), 2);
    end(&w);
}
END_TEST

START_TEST(equal_seeds_give_equal_jobs)
{
    struct world a, b, c;
    char digest_a[DIGEST_HEX], digest_b[DIGEST_HEX], digest_c[DIGEST_HEX];
    begin(&a, profile_names[_i], 5, NULL, 0, true);
    begin(&b, profile_names[_i], 5, NULL, 0, true);
    begin(&c, profile_names[_i], 6, NULL, 0, true);
    int same = 0, jobs = 0;
    while (next(&a)) {
        ck_assert(next(&b));
        ck_assert_int_eq(a.job.submit_ms, b.job.submit_ms);
        ck_assert_int_eq(a.job.duration_ms, b.job.duration_ms);
        ck_assert_int_eq(a.job.limit_ms, b.job.limit_ms);
        ck_assert_int_eq(a.job.gpus_total, b.job.gpus_total);
        ck_assert_uint_eq(a.job.user, b.job.user);
        ck_assert_int_eq(a.job.status, b.job.status);
        jobs++;
        same += next(&c) && a.job.submit_ms == c.job.submit_ms &&
                a.job.duration_ms == c.job.duration_ms;
    }
    ck_assert(!next(&b));
    ck_assert_int_lt(same, jobs / 100);
    trace_digest(a.trace, digest_a);
    trace_digest(b.trace, digest_b);
    trace_digest(c.trace, digest_c);
    ck_assert_str_eq(digest_a, digest_b);
    ck_assert_str_ne(digest_a, digest_c);
    end(&a);
    end(&b);
    end(&c);
}
END_TEST

/* Pinned: the meaning of a seed must not change by accident, and must not depend on the level of
 * optimisation. */
static const struct {
    const char *profile;
    int64_t submit_s, duration_s, gpu_milli, limit_s; /* of the 100th job of seed 1 */
    const char *sha256;                               /* of 2,000 jobs, eight numbers per job */
} pinned_rows[] = {
    {"batch", 3516, 4149, 1000, 10220,
     "d096b902a88de498b62c493484631d62fc5d484e95d0ae4f44375389b969012e"},
    {"teams", 63609, 2170, 500, 14400,
     "d46c644cb5175be8e13a89021ff4d9e73a197a299ff0c1626ddf2c0fba3335c9"},
};

/* Mean and variance of the run times are as requested: 40,000 of them, within four standard errors.
 */
START_TEST(run_times_of_a_queue)
{
    static const double scvs[] = {0, 0.25, 1, 4};
    struct trace_parameter parameters[] = {{"jobs", 40000}, {"mean_s", 5000}, {"scv", scvs[_i]}};
    struct world w;
    double sum = 0, squares = 0, n = 0;
    begin(&w, "queue", 3, parameters, 3, true);
    while (next(&w)) {
        double x = (double)w.job.duration_ms / 5e6;
        sum += x;
        squares += x * x;
        n++;
        ck_assert_int_eq(trace_job_gpu_milli(&w.job), 1000);
    }
    double mean = sum / n, scv = (squares / n - mean * mean) / (mean * mean);
    ck_assert_double_eq_tol(mean, 1, 4 * sqrt(scvs[_i] / n) + 1e-9);
    /* Gamma: the fourth central moment is 3 scv^2 (1 + 2 scv), so that of the variance is known. */
    ck_assert_double_eq_tol(scv, scvs[_i],
                            4 * scvs[_i] * sqrt((2 + 6 * scvs[_i]) / n) + 0.05 * scvs[_i] + 1e-9);
    end(&w);
}
END_TEST

START_TEST(jobs_are_pinned)
{
    static const struct trace_parameter parameters[] = {{"jobs", 2000}};
    struct world w;
    struct digest digest;
    char hex[DIGEST_HEX];
    digest_init(&digest);
    begin(&w, pinned_rows[_i].profile, 1, parameters, 1, true);
    for (int i = 1; next(&w); i++) {
        int64_t gpu_milli = trace_job_gpu_milli(&w.job);
        const int64_t record[] = {w.job.submit_ms, w.job.duration_ms, gpu_milli,
                                  w.job.limit_ms,  w.job.user,        w.job.class,
                                  w.job.status,    w.job.sm_util_ppm};
        digest_add(&digest, record, sizeof record);
        if (i != 100)
            continue;
        ck_assert_int_eq(w.job.submit_ms, pinned_rows[_i].submit_s * 1000);
        ck_assert_int_eq(w.job.duration_ms, pinned_rows[_i].duration_s * 1000);
        ck_assert_int_eq(gpu_milli, pinned_rows[_i].gpu_milli);
        ck_assert_int_eq(w.job.limit_ms, pinned_rows[_i].limit_s * 1000);
    }
    digest_hex(&digest, hex);
    ck_assert_str_eq(hex, pinned_rows[_i].sha256);
    end(&w);
}
END_TEST

/* ---- number of jobs ----------------------------------------------------------------------------
 */

static const struct {
    const char *profile;
    double jobs;
} count_rows[] = {
    {"batch", 1}, {"batch", 5000}, {"teams", 1}, {"teams", 777}, {"teams", 5000},
};

START_TEST(count_is_exact)
{
    struct trace_parameter jobs = {"jobs", count_rows[_i].jobs};
    struct world w;
    begin(&w, count_rows[_i].profile, 2, &jobs, 1, false);
    double n = 0;
    while (next(&w))
        n++;
    ck_assert_double_eq(n, count_rows[_i].jobs);
    // Without teams there is one queue.
    ck_assert_uint_eq(symbols_count(w.names.queues), 1);
    ck_assert_str_eq(symbols_name(w.names.queues, w.job.queue), "default");
    end(&w);
}
END_TEST

START_TEST(endless_trace_is_an_error)
{
    static const struct trace_parameter parameters[] = {
        {"jobs", 1e6}, {"gpus", 1}, {"load", 0.001}, {"median_s", 1e7}, {"max_run_s", 1e8}};
    struct world w;
    begin(&w, "batch", 1, parameters, 5, false);
    enum trace_result result;
    while ((result = trace_next(w.trace, &w.job, &w.err)) == TRACE_JOB)
        ;
    ck_assert_int_eq(result, TRACE_ERROR);
    harness_contains(w.err.msg, "hundred years");
    end(&w);
}
END_TEST

/* ---- the load -------------------------------------------------------------------------------- */

/* Mean over seeds; the standard error of each row is about 0.6 % of the load. */
static const struct {
    const char *profile;
    int seeds;
    struct trace_parameter parameters[6]; /* gpus, load and horizon_s first */
} load_rows[] = {
    {"batch", 3, {{"gpus", 1024}, {"load", 0.85}, {"horizon_s", 5e6}}},
    {"batch",
     3,
     {{"gpus", 256}, {"load", 0.5}, {"horizon_s", 2e7}, {"single_share", 0}, {"sigma", 0.5}}},
    {"batch",
     3,
     {{"gpus", 64}, {"load", 1.2}, {"horizon_s", 2e7}, {"median_s", 600}, {"max_run_s", 3600}}},
    {"teams", 6, {{"gpus", 128}, {"load", 0.85}, {"horizon_s", 2 * YEAR_S}}},
    {"teams",
     6,
     {{"gpus", 512}, {"load", 0.4}, {"horizon_s", YEAR_S}, {"build_share", 3}, {"burst_share", 1}}},
    {"teams",
     3,
     {{"gpus", 32}, {"load", 0.9}, {"horizon_s", 2 * YEAR_S}, {"distributed_share", 0}}},
    {"queue", 3, {{"gpus", 16}, {"load", 0.9}, {"horizon_s", YEAR_S}}},
    {"queue", 3, {{"gpus", 4}, {"load", 0.7}, {"horizon_s", YEAR_S}, {"mean_s", 600}, {"scv", 0}}},
};

START_TEST(load_is_met)
{
    const struct trace_parameter *p = load_rows[_i].parameters;
    size_t count = 0;
    while (count < 6 && p[count].name)
        count++;
    double sum = 0;
    for (int seed = 1; seed <= load_rows[_i].seeds; seed++) {
        struct world w;
        begin(&w, load_rows[_i].profile, (uint64_t)seed, p, count, true);
        while (next(&w))
            sum += gpu_s(&w.job);
        end(&w);
    }
    double load = sum / (p[0].value * p[2].value * load_rows[_i].seeds);
    ck_assert_double_eq_tol(load, p[1].value, 0.02 * p[1].value);
}
END_TEST

/* The load comes from the number of jobs alone: the n-th session has the same shape under any load.
 */
START_TEST(load_does_not_touch_durations)
{
    static const struct trace_parameter low = {"load", 0.1}, high = {"load", 1.5};
    struct world a, b;
    begin(&a, "batch", 4, &low, 1, false);
    begin(&b, "batch", 4, &high, 1, false);
    int jobs = 0;
    while (next(&a) && next(&b)) {
        ck_assert_int_eq(a.job.duration_ms, b.job.duration_ms);
        ck_assert_int_eq(a.job.gpus_total, b.job.gpus_total);
        ck_assert_int_ge(a.job.submit_ms, b.job.submit_ms);
        jobs++;
    }
    ck_assert_int_gt(jobs, 1000);
    end(&a);
    end(&b);
}
END_TEST

/* ---- shapes ---------------------------------------------------------------------------------- */

START_TEST(batch_has_its_sizes_and_run_times)
{
    static const struct trace_parameter parameters[] = {{"jobs", 40000}, {"max_gpus", 64}};
    struct world w;
    begin(&w, "batch", 8, parameters, 2, false);
    int single = 0, below_median = 0, n = 0;
    double factor = 0, low = 10;
    while (next(&w)) {
        int64_t gpus = w.job.gpus_total;
        ck_assert_int_ge(gpus, 1);
        ck_assert_int_le(gpus, 64);
        ck_assert_int_eq(gpus & (gpus - 1), 0);
        ck_assert_int_eq(w.job.class, TRACE_BATCH);
        ck_assert_int_eq(w.job.status, TRACE_COMPLETED);
        single += gpus == 1;
        below_median += w.job.duration_ms < 1800000;
        double f = (double)w.job.limit_ms / (double)w.job.duration_ms;
        factor += f / 40000;
        low = fmin(low, f);
        n++;
    }
    ck_assert_int_eq(n, 40000);
    ck_assert_double_eq_tol(single / 40000.0, 0.60, 0.01);
    ck_assert_double_eq_tol(below_median / 40000.0, 0.50, 0.01);
    ck_assert_double_eq_tol(factor, 2.55, 0.05);
    ck_assert_double_ge(low, 1.1);
    end(&w);
}
END_TEST

/* A year of teams, counted by everything that the next tests check. */
struct census {
    int jobs, classes[TRACE_CLASSES], statuses[TRACE_STATUSES], build_fractions, bursts;
    int hours[2][24], days[7]; /* hours: build, others */
    double log_duration, queue_gpu_s[2];
};

static void take_census(struct census *census)
{
    static const struct trace_parameter year[] = {{"gpus", 256}, {"horizon_s", 52 * WEEK_S}};
    struct world w;
    int64_t last_ms = -100000;
    uint32_t last_user = UINT32_MAX;
    *census = (struct census){0};
    begin(&w, "teams", 9, year, 2, true);
    while (next(&w)) {
        int64_t hour = w.job.submit_ms / 3600000;
        census->jobs++;
        census->classes[w.job.class]++;
        census->statuses[w.job.status]++;
        census->build_fractions += w.job.class == TRACE_BUILD && w.job.gpu_milli > 0;
        census->hours[w.job.class != TRACE_BUILD][hour % 24]++;
        census->days[hour / 24 % 7]++;
        census->queue_gpu_s[w.job.queue] += gpu_s(&w.job);
        if (w.job.class != TRACE_TRAIN)
            continue;
        census->bursts += w.job.submit_ms - last_ms <= 60000 && w.job.user == last_user;
        last_ms = w.job.submit_ms;
        last_user = w.job.user;
    }
    end(&w);
}

START_TEST(classes_have_their_shares)
{
    struct census c;
    take_census(&c);
    double jobs = c.jobs;
    // About 80,000 jobs; sessions of train have 1.5 jobs, so shares scatter a little more than
    // single draws.
    ck_assert_double_eq_tol(c.classes[TRACE_BUILD] / jobs, 0.30, 0.01);
    ck_assert_double_eq_tol(c.classes[TRACE_TRAIN] / jobs, 0.65, 0.01);
    ck_assert_double_eq_tol(c.classes[TRACE_DISTRIBUTED] / jobs, 0.05, 0.005);
    ck_assert_double_eq_tol((double)c.build_fractions / c.classes[TRACE_BUILD], 0.4, 0.015);
    // By size and class: 0.30 x 35 % + 0.65 x (0.518 x 66.8 + 0.055 x 40.5 + ...) / 0.899 + 0.05 x
    // 42 % = 52.4 %.
    ck_assert_double_eq_tol(c.statuses[TRACE_COMPLETED] / jobs, 0.524, 0.01);
    ck_assert_int_gt(c.statuses[TRACE_FAILED], 0);
    ck_assert_int_gt(c.statuses[TRACE_CANCELLED], c.statuses[TRACE_FAILED]);
    // Two teams of weights 3 and 1; GPU time is heavy-tailed.
    double share = c.queue_gpu_s[0] / (c.queue_gpu_s[0] + c.queue_gpu_s[1]);
    ck_assert_double_eq_tol(share, 0.75, 0.03);
    // A train job follows another of its user within a minute in (1.509 - 1) / 1.509 = 33.7 % of
    // the cases, plus some by chance.
    ck_assert_double_ge((double)c.bursts / c.classes[TRACE_TRAIN], 0.30);
    ck_assert_double_le((double)c.bursts / c.classes[TRACE_TRAIN], 0.40);
}
END_TEST

START_TEST(days_and_weeks_have_their_shape)
{
    struct census c;
    take_census(&c);
    // Venus: hours 15 to 17 have 1.66 + 1.73 + 1.73 = 5.12, hours 3 to 7 have 1.27. Build sessions
    // follow the squares, 8.74 and 0.346. The nights of this year have some 280 build jobs, so a
    // standard error is 6 %.
    double day[2] = {0, 0}, night[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        for (int h = 15; h <= 17; h++)
            day[k] += c.hours[k][h];
        for (int h = 3; h <= 7; h++)
            night[k] += c.hours[k][h];
    }
    ck_assert_double_eq_tol(day[0] / night[0], 8.74 / 0.346, 6);
    ck_assert_double_eq_tol(day[1] / night[1], 5.12 / 1.27, 0.4);
    // Wednesday against Saturday: 1.27 / 0.68 = 1.87 for train, its square 3.49 for build; 0.3 of
    // the jobs are build.
    double week = (double)c.days[2] / c.days[5];
    ck_assert_double_ge(week, 1.87);
    ck_assert_double_le(week, 3.49);
}
END_TEST

/* Shares of a GPU of 81,900 MiB (in steps of 100) may grow to one and a half times their part;
 * other jobs have no limit. */
START_TEST(shares_may_have_memory_limits)
{
    const struct trace_parameter parameters[] = {
        {"jobs", 2000}, {"fraction_share", 0.5}, {"mem_growth", 1.5}, {"gpu_mem_mib", 81920}};
    struct world plain, grown;
    size_t shares = 0;
    begin(&plain, "teams", 1, parameters, 2, false);
    begin(&grown, "teams", 1, parameters, 4, false);
    while (next(&grown)) {
        ck_assert(next(&plain));
        ck_assert_int_eq(plain.job.gpu_mem_limit_mib, 0);
        ck_assert_int_eq(plain.job.submit_ms, grown.job.submit_ms);
        ck_assert_int_eq(plain.job.gpu_milli, grown.job.gpu_milli);
        int64_t limit = grown.job.gpu_milli == 250 ? 30713 : grown.job.gpu_milli == 500 ? 61425 : 0;
        ck_assert_int_eq(grown.job.gpu_mem_limit_mib, limit); /* 0.375 and 0.75 of it */
        shares += limit > 0;
    }
    ck_assert_uint_gt(shares, 100);
    end(&plain);
    end(&grown);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("generate");
    TCase *tcase = tcase_create("generate");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, jobs_are_sorted_and_in_range, 0, ROWS(profile_names));
    tcase_add_loop_test(tcase, run_times_of_a_queue, 0, 4);
    tcase_add_loop_test(tcase, equal_seeds_give_equal_jobs, 0, ROWS(profile_names));
    tcase_add_loop_test(tcase, jobs_are_pinned, 0, ROWS(pinned_rows));
    tcase_add_loop_test(tcase, count_is_exact, 0, ROWS(count_rows));
    tcase_add_test(tcase, endless_trace_is_an_error);
    tcase_add_test(tcase, shares_may_have_memory_limits);
    if (harness_whole()) {
        tcase_add_test(tcase, classes_have_their_shares);
        tcase_add_test(tcase, days_and_weeks_have_their_shape);
        tcase_add_loop_test(tcase, load_is_met, 0, ROWS(load_rows));
        tcase_add_test(tcase, load_does_not_touch_durations);
        tcase_add_test(tcase, batch_has_its_sizes_and_run_times);
    }
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
