/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bootstrap against full enumeration of all resamples, and against the normal distribution for a large sample. */
#include "report/stats/bootstrap.h"
#include "report/stats/sample.h"
#include "tests/lib/harness.h"

#include <math.h>

/*
 * Three values 0, 3, 9 have 27 resamples. Sorted means and their counts: 0 (1), 1 (3), 2 (3), 3 (4: 1 of 3,3,3 and 3 of
 * 0,0,9), 4 (6), 5 (3), 6 (3), 7 (3), 9 (1): 1, 4, 7, 11, 17, 20, 23, 26 and 27 of them up to each.
 */
static const struct {
    double alpha, low, high;
} enumerated[] = {
    {0.02, 0, 9}, /* 0.01 is below 1/27, 0.99 above 26/27 */
    {0.20, 1, 7}, /* 0.10 is above 1/27, below 4/27; 0.90 above 23/27, below 26/27 */
    {0.50, 2, 6}, /* 0.25 is above 4/27, below 7/27; 0.75 above 20/27, below 23/27 */
    {0.80, 3, 4}, /* 0.40 is above 7/27, below 11/27; 0.60 above 11/27, below 17/27 */
};

START_TEST(many_resamples_come_near_all_of_them)
{
    static const double x[] = {0, 3, 9};
    struct stat_range range = stat_bootstrap_mean(x, 3, enumerated[_i].alpha, 200000, 7);
    ck_assert_double_eq(range.low, enumerated[_i].low);
    ck_assert_double_eq(range.high, enumerated[_i].high);
}
END_TEST

START_TEST(a_large_sample_is_normal)
{
    double x[400];
    for (int i = 0; i < ROWS(x); i++)
        x[i] = (double)((i * 7919) % 400);
    struct stat_range range = stat_bootstrap_mean(x, ROWS(x), 0.05, 20000, 1);
    double mean = 199.5, half = 1.959964 * sqrt((400.0 * 400 - 1) / 12) / sqrt(400);
    ck_assert_double_eq_tol(range.low, mean - half, 0.05 * half);
    ck_assert_double_eq_tol(range.high, mean + half, 0.05 * half);
}
END_TEST

START_TEST(a_seed_has_one_answer)
{
    static const double x[] = {1, 2, 4, 8, 16, 32};
    struct stat_range a = stat_bootstrap_mean(x, 6, 0.05, STAT_RESAMPLES, 3);
    struct stat_range b = stat_bootstrap_mean(x, 6, 0.05, STAT_RESAMPLES, 3);
    ck_assert_double_eq(a.low, b.low);
    ck_assert_double_eq(a.high, b.high);
    double apart = 0;
    for (uint64_t seed = 4; seed < 12; seed++) {
        struct stat_range other = stat_bootstrap_mean(x, 6, 0.2, 50, seed);
        struct stat_range next = stat_bootstrap_mean(x, 6, 0.2, 50, seed + 1);
        apart += fabs(other.low - next.low) + fabs(other.high - next.high);
    }
    ck_assert_double_gt(apart, 0);
}
END_TEST

START_TEST(edges)
{
    static const double x[] = {5, 5, 5};
    struct stat_range same = stat_bootstrap_mean(x, 3, 0.05, 100, 1),
                      one = stat_bootstrap_mean(x, 1, 0.05, 100, 1);
    ck_assert_double_eq(same.low, 5);
    ck_assert_double_eq(same.high, 5);
    ck_assert(isnan(one.low) && isnan(one.high));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bootstrap");
    TCase *tcase = tcase_create("bootstrap");
    tcase_add_loop_test(tcase, many_resamples_come_near_all_of_them, 0, ROWS(enumerated));
    tcase_add_test(tcase, a_large_sample_is_normal);
    tcase_add_test(tcase, a_seed_has_one_answer);
    tcase_add_test(tcase, edges);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
