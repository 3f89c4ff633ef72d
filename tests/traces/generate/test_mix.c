/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Generated traces of the built-in mixes against their tables: for 100,000 jobs the
 * Kolmogorov-Smirnov distances of run times, sizes and hours of the day are below 0.03; load, ends,
 * sessions, GPU time by size; sweeps and retries; equal seeds, equal jobs. Seeds are fixed, so
 * everything is deterministic.
 */
#include "traces/generate/mix.h"

#include "sim/base/mem.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    const struct mix *mix;
    const double *defaults;
    /* percent of GPU time, as published, of jobs with at least big_gpus; 0: not checked */
    int64_t big_gpus;
    double big_percent, within; /* heavy tails scatter */
    double load;                /* chosen so that the jobs take weeks */
} mixes[] = {
    {"philly", &mix_philly, mix_philly_defaults, 5, 61.9, 8, 0.6},
    {"helios", &mix_helios, mix_helios_defaults, 9, 58.7, 8, 0.75},
    {"pai", &mix_pai, mix_pai_defaults, 2, 32.0, 12, 0.03},
    {"acme-seren", &mix_acme_seren, mix_acme_seren_defaults, 64, 75.0, 12, 0.7},
    {"acme-kalos", &mix_acme_kalos, mix_acme_kalos_defaults, 256, 96.3, 4, 0.7},
    {"rsc", &mix_rsc, mix_rsc_defaults, 256, 66.0, 10, 0.84},
    {"case-study", &mix_case_study, mix_case_study_defaults, 0, 0, 0, 0.6},
};

enum { MANY = 100000, MOST_SIZES = 64 };

struct world {
    struct trace_names names;
    struct trace *trace;
    struct trace_job job;
    struct err err;
};

static void begin(struct world *w, const char *profile, uint64_t seed,
                  const struct trace_parameter *set, size_t count)
{
    w->names = (struct trace_names){symbols_create(), symbols_create(), symbols_create(),
                                    symbols_create(), symbols_create()};
    struct trace_generate_options options = {.profile = profile,
                                             .parameters = set,
                                             .parameter_count = count,
                                             .seed = seed,
                                             .names = w->names};
    bool ok = trace_generate(&w->trace, &options, &w->err);
    ck_assert_msg(ok, "%s", ok ? "" : w->err.msg);
}

static bool next(struct world *w)
{
    enum trace_result got = trace_next(w->trace, &w->job, &w->err);
    ck_assert_int_ge(got, 0);
    return got == TRACE_JOB;
}

static void end(struct world *w)
{
    trace_close(w->trace);
    symbols_destroy(w->names.queues);
    symbols_destroy(w->names.users);
    symbols_destroy(w->names.gpu_types);
    symbols_destroy(w->names.models);
    symbols_destroy(w->names.nodes);
}

/* ---- marginals ---- */

static double shares_of(const struct mix *mix)
{
    double sum = 0;
    for (size_t i = 0; i < mix->class_count; i++)
        sum += mix->classes[i].share;
    return sum;
}

/* The share of all jobs with at most this run time or size, by the tables of all classes. */
static double table_duration(const struct mix *mix, double seconds)
{
    double share = 0;
    for (size_t i = 0; i < mix->class_count; i++)
        share +=
            mix->classes[i].share / shares_of(mix) *
            (seconds >= mix->max_s ? 1
                                   : mix_duration_share(mix->classes[i].durations,
                                                        mix->classes[i].duration_count, seconds));
    return share;
}

static double table_size(const struct mix *mix, int64_t milli)
{
    double share = 0;
    for (size_t i = 0; i < mix->class_count; i++) {
        const struct mix_class *c = &mix->classes[i];
        double sum = 0, below = 0;
        for (size_t k = 0; k < c->size_count; k++) {
            sum += c->sizes[k].weight;
            below += c->sizes[k].gpu_milli <= milli ? c->sizes[k].weight : 0;
        }
        share += c->share / shares_of(mix) * below / sum;
    }
    return share;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* At powers of two, where rounding to whole seconds does not matter. */
static double ks_duration(const struct mix *mix, double *seconds, size_t n)
{
    qsort(seconds, n, sizeof *seconds, by_value);
    double worst = 0;
    size_t i = 0;
    for (double x = 1; x < 4e6; x *= 2) {
        while (i < n && seconds[i] <= x)
            i++;
        worst = fmax(worst, fabs((double)i / (double)n - table_duration(mix, x)));
    }
    return worst;
}

static double ks_size(const struct mix *mix, double *milli, size_t n)
{
    qsort(milli, n, sizeof *milli, by_value);
    double worst = 0;
    for (size_t i = 0; i < n; i++)
        if (i + 1 == n || milli[i + 1] > milli[i])
            worst =
                fmax(worst, fabs((double)(i + 1) / (double)n - table_size(mix, (int64_t)milli[i])));
    return worst;
}

static double ks_hour(const struct mix *mix, double day, const double jobs[24], size_t n)
{
    double sum = 0, below = 0, have = 0, worst = 0;
    for (int h = 0; h < 24; h++)
        sum += pow(mix->hour[h], day);
    for (int h = 0; h < 24; h++) {
        below += pow(mix->hour[h], day) / sum;
        have += jobs[h] / (double)n;
        worst = fmax(worst, fabs(have - below));
    }
    return worst;
}

START_TEST(test_marginals)
{
    const struct mix *mix = mixes[_i].mix;
    const struct trace_parameter set[] = {
        {"jobs", MANY}, {"sweep_share", 0}, {"load", mixes[_i].load}};
    struct world w;
    double *seconds = mem_alloc(MANY, sizeof *seconds), *milli = mem_alloc(MANY, sizeof *milli);
    double hours[24] = {0}, gpu_s = 0, big_gpu_s = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    size_t n = 0;
    int64_t last_ms = 0;
    for (begin(&w, mixes[_i].name, 7, set, 3); next(&w); n++) {
        ck_assert_uint_lt(n, MANY);
        ck_assert_int_ge(w.job.submit_ms, last_ms);
        last_ms = w.job.submit_ms;
        seconds[n] = (double)w.job.duration_ms / 1000;
        milli[n] = (double)trace_job_gpu_milli(&w.job);
        hours[w.job.submit_ms / 3600000 % 24]++;
        double own = seconds[n] * milli[n] / 1000;
        gpu_s += own;
        big_gpu_s += milli[n] >= (double)mixes[_i].big_gpus * 1000 ? own : 0;
        double a = log2(milli[n]), b = log(seconds[n]);
        x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
    }
    end(&w);
    ck_assert_uint_eq(n, MANY);
    ck_assert_double_lt(ks_duration(mix, seconds, n), 0.03);
    ck_assert_double_lt(ks_size(mix, milli, n), 0.03);
    ck_assert_double_lt(ks_hour(mix, mixes[_i].defaults[MIX_DAY], hours, n), 0.03);
    double m = (double)n, r = (m * xy - x * y) / sqrt((m * xx - x * x) * (m * yy - y * y));
    if (mix->class_count == 1)
        ck_assert_double_lt(r, 0.25); /* sizes and run times are nearly independent by count */
    if (mixes[_i].big_gpus > 0)
        ck_assert_double_eq_tol(100 * big_gpu_s / gpu_s, mixes[_i].big_percent, mixes[_i].within);
    /* Load: jobs arrived in the time for which they are that load. The last job arrives shortly
     * before its end. */
    double load = gpu_s / (mixes[_i].defaults[MIX_GPUS] * (double)last_ms / 1000);
    ck_assert_double_eq_tol(load / mixes[_i].load, 1, 0.02);
    free(seconds);
    free(milli);
}
END_TEST

/* ---- ends by size ---- */

START_TEST(test_ends)
{
    const struct mix *mix = mixes[_i].mix;
    const struct trace_parameter set[] = {{"jobs", MANY}, {"sweep_share", 0}};
    double counts[16][TRACE_STATUSES] = {{0}}, failed_s = 0, failed = 0, all_s = 0;
    struct world w;
    for (begin(&w, mixes[_i].name, 3, set, 2); next(&w);) {
        size_t row = (size_t)(mix_outcome_of(mix, trace_job_gpu_milli(&w.job)) - mix->outcomes);
        counts[row][w.job.status]++;
        double ln = log((double)w.job.duration_ms);
        failed_s += w.job.status == TRACE_FAILED ? ln : 0;
        failed += w.job.status == TRACE_FAILED;
        all_s += ln;
    }
    end(&w);
    for (size_t row = 0; row < mix->outcome_count; row++) {
        const double *want = mix->outcomes[row].share, *have = counts[row];
        double sum = want[0] + want[1] + want[2], n = have[0] + have[1] + have[2];
        for (int s = 0; s < TRACE_STATUSES && n >= 5000; s++)
            ck_assert_double_eq_tol(have[s] / n, want[s] / sum, 0.03);
    }
    ck_assert_double_lt(failed_s / failed, all_s / MANY); /* failures are short */
}
END_TEST

/* ---- by horizon, sessions ---- */

START_TEST(test_horizon)
{
    const struct trace_parameter set[] = {{"horizon_s", 14 * 86400.0}, {"load", 0.5}};
    double gpu_s = 0;
    struct world w;
    for (begin(&w, "helios", 11, set, 2); next(&w);) {
        ck_assert_int_lt(w.job.submit_ms, INT64_C(14) * 86400000);
        gpu_s += (double)(w.job.duration_ms / 1000) * (double)trace_job_gpu_milli(&w.job) / 1000;
    }
    end(&w);
    ck_assert_double_eq_tol(gpu_s / (6416 * 14 * 86400.0), 0.5, 0.01);
}
END_TEST

/* In a session the next job has the size of the previous one with the requested probability, or by
 * chance. */
START_TEST(test_sessions)
{
    const struct trace_parameter set[] = {
        {"jobs", 20000}, {"same_size", 1}, {"likeness", 1}, {"session_gap_s", 0}};
    char session[48] = "";
    double milli = 0, length = 0, most = 0;
    int64_t at_ms = 0;
    uint32_t user = 0;
    struct world w;
    for (begin(&w, "helios", 5, set, 4); next(&w);) {
        size_t n = strcspn(w.job.id, ".");
        bool same = strncmp(session, w.job.id, n) == 0 && session[n] == '\0';
        if (same) {
            ck_assert_uint_eq(w.job.user, user);
            ck_assert_int_eq(w.job.submit_ms, at_ms);
            ck_assert_double_eq_tol((double)trace_job_gpu_milli(&w.job), milli, 0.5);
        }
        length = same ? length + 1 : 1;
        most = fmax(most, length);
        snprintf(session, sizeof session, "%.*s", (int)n, w.job.id);
        milli = (double)trace_job_gpu_milli(&w.job);
        at_ms = w.job.submit_ms;
        user = w.job.user;
    }
    end(&w);
    ck_assert_double_gt(most, 30);
    ck_assert_double_le(most, 64);
}
END_TEST

/* ---- sweeps and retries ---- */

START_TEST(test_sweeps)
{
    const struct trace_parameter set[] = {
        {"jobs", 20000}, {"sweep_share", 1}, {"build", 0}, {"sweep_halving", 4}};
    size_t with = 0, n = 0;
    char array[64] = "", rungs[64] = "";
    struct world w;
    begin(&w, "case-study", 5, set, 4);
    ck_assert(trace_linked(w.trace));
    for (; next(&w); n++) {
        ck_assert_str_ne(w.job.array, "");
        ck_assert_int_eq(w.job.array_limit, 4);
        int64_t ms[TRACE_RUNGS];
        int count;
        ck_assert(trace_rungs(w.job.rungs, ms, &count));
        with += count > 0;
        ck_assert_int_eq(w.job.eta_milli, count > 0 ? 4000 : TRACE_UNKNOWN);
        if (strcmp(array, w.job.array) == 0)
            ck_assert_str_eq(w.job.rungs, rungs);
        (void)snprintf(array, sizeof array, "%s", w.job.array);
        (void)snprintf(rungs, sizeof rungs, "%s", w.job.rungs);
        if (count == 2 && ms[0] > 100000) /* a quarter, rounded up */
            ck_assert_double_eq_tol((double)ms[1] / (double)ms[0], 4, 0.05);
    }
    end(&w);
    ck_assert_uint_gt(with, n * 9 / 10);
}
END_TEST

/* All failures are retried: every failed job has one that depends on it and comes after its ideal
 * end. */
START_TEST(test_retries)
{
    const struct trace_parameter set[] = {
        {"horizon_s", 864000}, {"retry_share", 1}, {"gpus", 300}, {"likeness", 0}};
    size_t failed = 0, again = 0;
    struct world w;
    for (begin(&w, "philly", 5, set, 4); next(&w);) {
        failed += w.job.status == TRACE_FAILED;
        again += w.job.after[0] != '\0';
        if (w.job.after[0] != '\0')
            ck_assert_int_eq(strncmp(w.job.after, "any:p", 5), 0);
    }
    end(&w);
    ck_assert_uint_gt(failed, 100);
    ck_assert_uint_eq(failed, again);
}
END_TEST

START_TEST(test_equal_seeds)
{
    const struct trace_parameter set[] = {{"jobs", 3000}};
    struct world a, b, c;
    begin(&a, mixes[_i].name, 42, set, 1);
    begin(&b, mixes[_i].name, 42, set, 1);
    begin(&c, mixes[_i].name, 43, set, 1);
    size_t other = 0;
    while (next(&a)) {
        ck_assert(next(&b) && next(&c));
        ck_assert_str_eq(a.job.id, b.job.id);
        ck_assert_int_eq(a.job.submit_ms, b.job.submit_ms);
        ck_assert_int_eq(a.job.duration_ms, b.job.duration_ms);
        ck_assert_int_eq(a.job.limit_ms, b.job.limit_ms);
        ck_assert_int_eq(a.job.status, b.job.status);
        ck_assert_uint_eq(a.job.user, b.job.user);
        other += a.job.duration_ms != c.job.duration_ms;
    }
    ck_assert(!next(&b));
    ck_assert_uint_gt(other, 2000);
    end(&a);
    end(&b);
    end(&c);
}
END_TEST

static const struct {
    const char *profile;
    struct trace_parameter set[2];
    const char *says;
} refused[] = {
    {"philly", {{"session_slop", 2}, {"load", 1}}, "did you mean 'session_slope'?"},
    {"philly", {{"load", 0}, {"jobs", 1}}, "load is 0"},
    {"case-study", {{"sweep_least", 9}, {"sweep_most", 8}}, "sweep_least is 9, above sweep_most"},
    {"philly", {{"train", 0}, {"jobs", 1}}, "no class of jobs is left"},
    {"acme-kalos", {{"jobs", 1e6}, {"load", 1e-3}}, "expected at most 100"},
};

START_TEST(test_refused)
{
    struct trace_names names = {symbols_create(), symbols_create(), symbols_create(),
                                symbols_create(), symbols_create()};
    struct trace_generate_options options = {.profile = refused[_i].profile,
                                             .parameters = refused[_i].set,
                                             .parameter_count = 2,
                                             .names = names};
    struct trace *trace;
    struct err err = {0};
    ck_assert(!trace_generate(&trace, &options, &err));
    harness_contains(err.msg, refused[_i].says);
    symbols_destroy(names.queues);
    symbols_destroy(names.users);
    symbols_destroy(names.gpu_types);
    symbols_destroy(names.models);
    symbols_destroy(names.nodes);
}
END_TEST

int main(void)
{
    int count = (int)MIX_COUNT(mixes);
    Suite *suite = suite_create("mix");
    TCase *tcase = tcase_create("mix");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, test_sessions);
    tcase_add_test(tcase, test_sweeps);
    tcase_add_test(tcase, test_retries);
    tcase_add_loop_test(tcase, test_equal_seeds, 0, count);
    tcase_add_loop_test(tcase, test_refused, 0, (int)MIX_COUNT(refused));
    if (harness_whole()) {
        tcase_add_test(tcase, test_horizon);
        tcase_add_loop_test(tcase, test_marginals, 0, count);
        tcase_add_loop_test(tcase, test_ends, 0, count);
    }
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
