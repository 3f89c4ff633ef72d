/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work that must be served, for cases computed by hand. */
#include "report/plan/offered.h"
#include "tests/lib/harness.h"

#include <math.h>

#define HOUR INT64_C(3600000)

static const struct offered_pool eight = {.added_milli = 8000};
static const struct offered_window ten_hours = {.to_ms = 10 * HOUR};

/* 8 GPUs for 5 h, and 4 GPUs for 10 h from the eighth hour on, 2 of which are in the window: 48
 * GPU-h in 10 h. */
START_TEST(only_time_in_the_window_counts)
{
    const struct offered_job jobs[] = {
        {0, 5 * HOUR, 8000, 1},
        {8 * HOUR, 10 * HOUR, 4000, 1},
    };
    struct offered load = offered_load(jobs, 2, &ten_hours, &eight, 1);
    ck_assert_double_eq_tol(load.gpus, 4.8, 1e-12);
    ck_assert_double_eq_tol(load.nodes, 0.6, 1e-12);
    struct offered_window whole = ten_hours;
    whole.whole = true; /* 40 + 40 GPU-h */
    load = offered_load(jobs, 2, &whole, &eight, 1);
    ck_assert_double_eq_tol(load.gpus, 8, 1e-12);
    struct offered_window slack = ten_hours;
    slack.slack_ms = 10 * HOUR; /* the same time again: half as many */
    ck_assert_double_eq_tol(offered_load(jobs, 2, &slack, &eight, 1).gpus, 2.4, 1e-12);
    slack.slack_ms = HOUR / 20; /* half a percent of the window */
    ck_assert_double_eq_tol(offered_load(jobs, 2, &slack, &eight, 1).gpus, 4.8, 1e-12);
}
END_TEST

/* Twice the jobs need twice the nodes; twice the GPUs per node halve them; without jobs or window
 * there is no answer. */
START_TEST(it_scales)
{
    const struct offered_job jobs[] = {
        {0, HOUR, 8000, 1},
        {0, HOUR, 8000, 1},
    };
    double one = offered_load(jobs, 1, &ten_hours, &eight, 1).nodes;
    ck_assert_double_eq_tol(offered_load(jobs, 2, &ten_hours, &eight, 1).nodes, 2 * one, 1e-12);
    const struct offered_pool sixteen = {.added_milli = 16000};
    ck_assert_double_eq_tol(offered_load(jobs, 1, &ten_hours, &sixteen, 1).nodes, one / 2, 1e-12);
    const struct offered_window empty = {.to_ms = 0};
    ck_assert(isnan(offered_load(jobs, 1, &empty, &eight, 1).nodes));
    ck_assert(isnan(offered_load(jobs, 0, &ten_hours, &eight, 1).nodes));
}
END_TEST

/*
 * Two pools: the first grows by nodes of 8, the second has 16 GPUs. 40 GPUs of work for any pool
 * need 24 more: 3 nodes. 32 GPUs of work for the first pool need 4, whatever the second has.
 */
START_TEST(other_pools_help_only_jobs_they_may_run)
{
    const struct offered_pool pools[] = {{.added_milli = 8000}, {.fixed_milli = 16000}};
    const struct offered_job free[] = {{0, 10 * HOUR, 40000, 3}};
    const struct offered_job bound[] = {
        {0, 10 * HOUR, 32000, 1},
        {0, 10 * HOUR, 8000, 2},
    };
    ck_assert_double_eq_tol(offered_load(free, 1, &ten_hours, pools, 2).nodes, 3, 1e-12);
    ck_assert_double_eq_tol(offered_load(bound, 2, &ten_hours, pools, 2).nodes, 4, 1e-12);
    const struct offered_job elsewhere[] = {
        {0, 10 * HOUR, 24000, 2}}; /* nodes of the first do not help */
    ck_assert(isnan(offered_load(elsewhere, 1, &ten_hours, pools, 2).nodes));
    const struct offered_pool both[] = {{.added_milli = 4000}, {.added_milli = 4000}}; /* in turn */
    ck_assert_double_eq_tol(offered_load(free, 1, &ten_hours, both, 2).nodes, 5, 1e-12);
    ck_assert_double_eq_tol(offered_load(bound, 2, &ten_hours, both, 2).nodes, 8, 1e-12);
}
END_TEST

START_TEST(three_digits_are_shown)
{
    ck_assert_double_eq_tol(offered_shown(13.446), 13.4, 1e-12);
    ck_assert_double_eq_tol(offered_shown(112.547), 113, 1e-12);
    ck_assert_double_eq_tol(offered_shown(1.2345), 1.23, 1e-12);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("offered");
    TCase *tcase = tcase_create("offered");
    tcase_add_test(tcase, only_time_in_the_window_counts);
    tcase_add_test(tcase, it_scales);
    tcase_add_test(tcase, other_pools_help_only_jobs_they_may_run);
    tcase_add_test(tcase, three_digits_are_shown);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
