/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded values, and bursts by the hour, against arithmetic on a few jobs. */
#include "tests/lib/harness.h"
#include "traces/stats/recorded.h"
#include "traces/trace_internal.h"

#include <math.h>

START_TEST(means_of_known_values)
{
    struct stats_recorded recorded = {0};
    struct trace_job job;
    trace_job_init(&job);
    job.submit_ms = 1000;
    job.eligible_ms = 5000;
    job.start_ms = 35000;
    job.duration_ms = 90000;
    job.limit_ms = 120000;
    job.estimate_ms = 60000;
    job.attempts = 3;
    job.sm_util_ppm = 250000;
    stats_recorded_add(&recorded, &job);
    job.start_ms = 15000;
    job.limit_ms = 90000;
    job.attempts = 1;
    job.cause = TRACE_TIMEOUT;
    stats_recorded_add(&recorded, &job);
    trace_job_init(&job); // no recorded values
    stats_recorded_add(&recorded, &job);
    ck_assert_uint_eq(recorded.wait_s.jobs, 2);
    ck_assert_double_eq_tol(stats_mean_of(&recorded.wait_s), 20, 1e-12);
    ck_assert_double_eq_tol(recorded.wait_s.most, 30, 1e-12);
    ck_assert_double_eq_tol(stats_mean_of(&recorded.limit_used), (0.75 + 1) / 2, 1e-12);
    ck_assert_uint_eq(recorded.limit_reached, 1);
    ck_assert_double_eq_tol(stats_mean_of(&recorded.estimate), 1.5, 1e-12);
    ck_assert_double_eq_tol(stats_mean_of(&recorded.attempts), 2, 1e-12);
    ck_assert_uint_eq(recorded.retried, 1);
    ck_assert_double_eq_tol(stats_mean_of(&recorded.sm_util), 0.25, 1e-12);
    ck_assert_uint_eq(recorded.causes[TRACE_TIMEOUT], 1);
    ck_assert_uint_eq(recorded.causes[TRACE_CAUSE_UNKNOWN], 2);
    ck_assert(isnan(stats_mean_of(&(struct stats_mean){0})));
}
END_TEST

START_TEST(links)
{
    struct stats_recorded recorded = {0};
    struct trace_job job;
    trace_job_init(&job);
    stats_recorded_add(&recorded, &job);
    job.after = "a|any:b|c";
    job.think_ms = 3000;
    stats_recorded_add(&recorded, &job);
    job.after = "a";
    job.think_ms = 0;
    job.array = "sweep";
    stats_recorded_add(&recorded, &job);
    ck_assert_uint_eq(recorded.linked, 2);
    ck_assert_uint_eq(recorded.entries, 4);
    ck_assert_uint_eq(recorded.think_s.jobs, 2);
    ck_assert_double_eq_tol(stats_mean_of(&recorded.think_s), 1.5, 1e-12);
    ck_assert_uint_eq(recorded.members, 1);
}
END_TEST

/* A start before the job was eligible is no wait. */
START_TEST(no_negative_waits)
{
    struct stats_recorded recorded = {0};
    struct trace_job job;
    trace_job_init(&job);
    job.submit_ms = 1000;
    job.eligible_ms = 5000;
    job.start_ms = 4000;
    stats_recorded_add(&recorded, &job);
    ck_assert_uint_eq(recorded.wait_s.jobs, 0);
}
END_TEST

/* 3, 0, 1 and 4 arrivals in four hours: mean 2, variance (1 + 4 + 1 + 4) / 4 = 2.5, dispersion
 * 1.25. */
START_TEST(hours)
{
    static const int64_t arrivals[] = {-1, -1, -1, 1, 2, 2, 2, 2};
    struct stats_hours counted = {0};
    ck_assert(isnan(stats_hours_mean(&counted)));
    ck_assert(isnan(stats_hours_dispersion(&counted)));
    for (size_t i = 0; i < sizeof arrivals / sizeof *arrivals; i++) {
        stats_hours_add(&counted, arrivals[i]);
        if (i == 2)
            ck_assert(isnan(stats_hours_dispersion(&counted)));
    }
    ck_assert_double_eq_tol(stats_hours_mean(&counted), 2, 1e-12);
    ck_assert_double_eq_tol(stats_hours_dispersion(&counted), 1.25, 1e-12);
    ck_assert_uint_eq(stats_hours_most(&counted), 4);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stats_recorded");
    TCase *tcase = tcase_create("stats_recorded");
    tcase_add_test(tcase, means_of_known_values);
    tcase_add_test(tcase, links);
    tcase_add_test(tcase, no_negative_waits);
    tcase_add_test(tcase, hours);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
