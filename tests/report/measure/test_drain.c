/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The window ends with the last submission, at 80 s. Two GPUs, strictly first in, first out:
 *
 *     0        40       80      100              200  210
 *     a: 1 GPU =================|
 *              b: 2 GPUs waits  |================|
 *                       c: 1 GPU waits           |====|
 *     |====== window ===|------- drain ---------------|
 */
#include "tests/report/recorded.h"

static void three_jobs(struct recorded *r, int64_t horizon_ms)
{
    recorded_begin(r, "fifo", "", false);
    small_pool(&r->s, "p", 1, 2);
    small_job(&r->s, "a", 0, 100000, 1);
    small_job(&r->s, "b", 40000, 100000, 2);
    small_job(&r->s, "c", 80000, 10000, 1);
    r->s.config.horizon_ms = horizon_ms;
    recorded_run(r);
}

static const struct {
    int64_t horizon_ms;
    const char *path;
    double value;
} figures[] = {
    {SIM_TO_LAST_SUBMISSION, "window.end_s", 80},
    {SIM_TO_LAST_SUBMISSION, "gpu_hours.installed", 160 / 3600.0},
    {SIM_TO_LAST_SUBMISSION, "utilization.allocation", 0.5},
    {SIM_TO_LAST_SUBMISSION, "gpu_hours.lost.idle_blocked", 40 / 3600.0},
    {SIM_TO_LAST_SUBMISSION, "gpu_hours.lost.idle_no_demand", 40 / 3600.0},
    {SIM_TO_LAST_SUBMISSION, "drain.length_s", 130},
    {SIM_TO_LAST_SUBMISSION, "drain.jobs", 3},
    {SIM_TO_LAST_SUBMISSION, "drain.available_gpu_h", 260 / 3600.0},
    {SIM_TO_LAST_SUBMISSION, "drain.allocated_gpu_h", (20 + 200 + 10) / 3600.0},
    {SIM_TO_LAST_SUBMISSION, "drain.allocation", 230 / 260.0},
    {SIM_TO_LAST_SUBMISSION, "wait_s.mean", 60}, /* 0, 60, 120 */
    {SIM_TO_LAST_SUBMISSION, "wait_s.censored", 0},
    {SIM_TO_LAST_SUBMISSION, "jobs.completed", 3},
    {SIM_TO_LAST_SUBMISSION, "makespan_s", 210},
    {SIM_TO_LAST_JOB, "window.end_s", 210},
    {SIM_TO_LAST_JOB, "utilization.allocation", (100 + 200 + 10) / 420.0},
    {SIM_TO_LAST_JOB, "drain.length_s", 0},
    {SIM_TO_LAST_JOB, "drain.jobs", 0},
    {SIM_TO_LAST_JOB, "wait_s.mean", 60},
    {80001, "drain.length_s", 129.999}, /* nothing else differs */
    {80001, "drain.jobs", 3},
    {80001, "wait_s.mean", 60},
    {80001, "utilization.allocation", (80 + 0.001) / (2 * (80 + 0.001))},
};

START_TEST(the_drain_is_reported_apart)
{
    struct recorded r;
    three_jobs(&r, figures[_i].horizon_ms);
    ck_assert_double_eq_tol(recorded_number(&r, figures[_i].path), figures[_i].value, 1e-6);
    recorded_end(&r);
}
END_TEST

START_TEST(no_drain_has_no_utilization)
{
    struct recorded r;
    three_jobs(&r, SIM_TO_LAST_JOB);
    ck_assert(recorded_null(&r, "drain.allocation"));
    recorded_end(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("drain");
    TCase *tcase = tcase_create("drain");
    tcase_add_loop_test(tcase, the_drain_is_reported_apart, 0, ROWS(figures));
    tcase_add_test(tcase, no_drain_has_no_utilization);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
