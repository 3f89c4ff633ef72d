/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces generated like others: distances of marginals from arithmetic; a fit to a generated trace
 * with known distributions, compared with it; frequent values, users, queues and names; refusals.
 */
#include "traces/generate/fit.h"

#include "sim/base/mem.h"
#include "tests/lib/harness.h"
#include "traces/generate/mix.h"
#include "traces/trace_internal.h"
#include "traces/vary/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct world {
    struct trace_names names;
    struct whole whole;
    struct sample *source, *made;
    struct trace_fit *fit;
    struct trace *trace;
    struct err err;
};

static void begin(struct world *w)
{
    *w = (struct world){.source = sample_create(), .made = sample_create()};
    w->names = (struct trace_names){symbols_create(), symbols_create(), symbols_create(),
                                    symbols_create(), symbols_create()};
}

static void add(struct world *w, const struct trace_job *job)
{
    whole_add(&w->whole, job);
    sample_add(w->source, job);
}

static void like(struct world *w, uint64_t seed, const struct trace_parameter *set, size_t count)
{
    w->fit = trace_fit_create(&w->whole, &w->names, &w->err);
    ck_assert_msg(w->fit != NULL, "%s", w->err.msg);
    struct trace_generate_options options = {
        .parameters = set, .parameter_count = count, .seed = seed, .names = w->names};
    bool ok = trace_generate_like(&w->trace, w->fit, &options, &w->err);
    ck_assert_msg(ok, "%s", ok ? "" : w->err.msg);
}

static void end(struct world *w)
{
    trace_close(w->trace);
    trace_fit_destroy(w->fit);
    whole_free(&w->whole);
    sample_destroy(w->source);
    sample_destroy(w->made);
    symbols_destroy(w->names.queues);
    symbols_destroy(w->names.users);
    symbols_destroy(w->names.gpu_types);
    symbols_destroy(w->names.models);
    symbols_destroy(w->names.nodes);
}

/* ---- distances ---- */

/* 1 2 3 4 against 3 4 5 6: at 2, one has reached a half and the other nothing. Gaps of 1 h, hours
 * 0..3. */
START_TEST(test_distance)
{
    struct sample *a = sample_create(), *b = sample_create();
    for (int i = 0; i < 4; i++) {
        struct trace_job job;
        trace_job_init(&job);
        job.gpus_total = 1;
        job.submit_ms = i * INT64_C(3600000);
        job.status = i == 3 ? TRACE_FAILED : TRACE_COMPLETED;
        job.duration_ms = (1 + i) * 1000;
        sample_add(a, &job);
        job.duration_ms = (3 + i) * 1000;
        job.gpus_total = i < 3 ? 1 : 2;
        sample_add(b, &job);
    }
    double ks[SAMPLE_MARGINALS];
    sample_compare(a, b, ks);
    ck_assert_double_eq_tol(ks[SAMPLE_DURATION], 0.5, 1e-12);
    ck_assert_double_eq_tol(ks[SAMPLE_GPUS], 0.25, 1e-12);
    ck_assert_double_eq_tol(ks[SAMPLE_HOUR], 0, 1e-12);
    ck_assert_double_eq_tol(sample_mean(a, SAMPLE_DURATION), 2.5, 1e-12);
    ck_assert_double_eq_tol(sample_median(a, SAMPLE_DURATION), 2, 1e-12);
    ck_assert_double_eq_tol(sample_mean(a, SAMPLE_SESSION), 1, 1e-12);
    ck_assert_double_eq_tol(sample_status(a, TRACE_FAILED), 0.25, 1e-12);
    ck_assert_double_eq_tol(sample_top_users(a), 1, 1e-12);
    sample_destroy(a);
    sample_destroy(b);
}
END_TEST

/* ---- a generated trace and one like it ---- */

static const char *const profiles[] = {"helios", "philly", "acme-kalos", "pai"};

START_TEST(test_like_made)
{
    struct world w;
    struct trace_job job;
    struct trace *source;
    const struct trace_parameter set[] = {{"jobs", 30000}, {"load", 0.05}};
    begin(&w);
    struct trace_generate_options options = {.profile = profiles[_i],
                                             .parameters = set,
                                             .parameter_count = 2,
                                             .seed = 4,
                                             .names = w.names};
    ck_assert(trace_generate(&source, &options, &w.err));
    while (trace_next(source, &job, &w.err) == TRACE_JOB)
        add(&w, &job);
    trace_close(source);
    uint32_t users = symbols_count(w.names.users);
    like(&w, 9, NULL, 0);
    while (trace_next(w.trace, &job, &w.err) == TRACE_JOB)
        sample_add(w.made, &job);
    ck_assert_uint_eq(sample_jobs(w.made), 30000);
    ck_assert_uint_eq(symbols_count(w.names.users), users);
    double ks[SAMPLE_MARGINALS];
    sample_compare(w.source, w.made, ks);
    ck_assert_double_lt(ks[SAMPLE_DURATION], 0.03);
    ck_assert_double_lt(ks[SAMPLE_GPUS], 0.03);
    ck_assert_double_lt(ks[SAMPLE_GPU_S], 0.04);
    ck_assert_double_lt(ks[SAMPLE_HOUR], 0.04);
    ck_assert_double_lt(ks[SAMPLE_DAY], 0.06);
    ck_assert_double_lt(ks[SAMPLE_INTERVAL], 0.15);
    for (int s = 0; s < TRACE_STATUSES; s++)
        ck_assert_double_eq_tol(sample_status(w.source, (enum trace_status)s),
                                sample_status(w.made, (enum trace_status)s), 0.02);
    end(&w);
}
END_TEST

/* ---- properties kept exactly ---- */

/* 3 of 5 jobs run exactly an hour, users a and b have their own queues, and failures are the short
 * ones. */
static void add_plain(struct world *w)
{
    uint32_t queues[] = {symbols_add(w->names.queues, "x", 1),
                         symbols_add(w->names.queues, "y", 1)};
    uint32_t users[] = {symbols_add(w->names.users, "a", 1), symbols_add(w->names.users, "b", 1)};
    for (int i = 0; i < 2000; i++) {
        struct trace_job job;
        trace_job_init(&job);
        job.id = "j";
        job.gpus_total = i % 2 == 0 ? 1 : 4;
        job.submit_ms = job.eligible_ms = i * INT64_C(1800000);
        job.duration_ms = i % 5 < 3 ? 3600000 : i % 5 == 3 ? 60000 : 7200000;
        job.status = i % 5 == 3 ? TRACE_FAILED : TRACE_COMPLETED;
        job.queue = queues[i % 4 == 0];
        job.user = users[i % 4 == 0];
        add(w, &job);
    }
}

START_TEST(test_kept)
{
    struct world w;
    struct trace_job job;
    const struct trace_parameter set[] = {
        {"jobs", 0}, {"horizon_s", 10 * 2000 * 1800.0}, {"load", 0.5}};
    begin(&w);
    add_plain(&w);
    like(&w, 1, set, 3);
    double n = 0, hour = 0, of_b = 0, failed = 0, failed_short = 0, gpu_s = 0;
    while (trace_next(w.trace, &job, &w.err) == TRACE_JOB) {
        n++;
        hour += job.duration_ms == 3600000;
        of_b += strcmp(symbols_name(w.names.users, job.user), "b") == 0;
        ck_assert_str_eq(symbols_name(w.names.queues, job.queue),
                         strcmp(symbols_name(w.names.users, job.user), "b") == 0 ? "y" : "x");
        ck_assert(job.gpus_total == 1 || job.gpus_total == 4);
        failed += job.status == TRACE_FAILED;
        failed_short += job.status == TRACE_FAILED && job.duration_ms == 60000;
        gpu_s += (double)job.gpus_total * (double)job.duration_ms / 1000;
    }
    ck_assert_double_eq_tol(hour / n, 0.6, 0.03);
    ck_assert_double_eq_tol(of_b / n, 0.25, 0.03);
    ck_assert_double_eq_tol(failed / n, 0.2, 0.03);
    ck_assert_double_gt(failed_short / failed, 0.3); /* 0.2 if statuses were independent */
    /* Capacity is the largest job or the mean use: 2.5 GPUs x 3612 s / 1800 s, as 6. */
    ck_assert_double_eq_tol(gpu_s / (6 * 10 * 2000 * 1800.0), 0.5, 0.01);
    end(&w);
}
END_TEST

START_TEST(test_too_few)
{
    struct world w;
    begin(&w);
    struct trace_job job;
    trace_job_init(&job);
    for (int i = 0; i < 60; i++) {
        job.gpus_total = i < 49;
        whole_add(&w.whole, &job);
    }
    ck_assert_ptr_null(trace_fit_create(&w.whole, &w.names, &w.err));
    harness_contains(w.err.msg, "49 jobs with GPUs, expected at least 50");
    end(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fit");
    TCase *tcase = tcase_create("fit");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, test_distance);
    tcase_add_test(tcase, test_kept);
    tcase_add_test(tcase, test_too_few);
    if (harness_whole())
        tcase_add_loop_test(tcase, test_like_made, 0, (int)MIX_COUNT(profiles));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
