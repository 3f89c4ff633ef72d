/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The change of two means: the jackknife by hand, and laws for any sample.
 * tests/property/test_coverage.c checks how often the interval covers.
 */
#include "report/stats/change.h"
#include "sim/base/rng.h"
#include "tests/lib/harness.h"

#include <gsl/gsl_randist.h>
#include <math.h>

enum { MOST = 20 };

/*
 * From 5 to 10 with all pairs. Without one of the first four 9 / 4, without the last 4 / 4: the
 * logarithms 0.810930 (four times) and 0 have a mean of 0.648744. So log 2 + 4 (0.648744 -
 * 0.810930) = 0.044403, and log 2 + 4 x 0.648744 = 3.288123.
 */
START_TEST(jackknife_by_hand)
{
    static const double a[] = {1, 1, 1, 1, 1}, b[] = {1, 1, 1, 1, 6};
    double y[5];
    ck_assert(stat_log_ratios(a, b, 5, y));
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq_tol(y[i], 0.044403, 1e-6);
    ck_assert_double_eq_tol(y[4], 3.288123, 1e-6);
    struct stat_change change = stat_change(a, b, 5, 0.05);
    struct stat_interval s = stat_skewed_interval(y, 5, 0.05);
    ck_assert_double_eq_tol(s.mean, log(2), 1e-12);
    ck_assert_double_eq_tol(change.share, 1, 1e-12);
    ck_assert_double_eq_tol(change.low, expm1(s.low), 1e-12);
    ck_assert_double_eq_tol(change.high, expm1(s.high), 1e-12);
    ck_assert_double_eq(change.p, s.p);
}
END_TEST

/* The interval contains the share, the sides are symmetric, and neither the unit nor the order of
 * the pairs matters. */
START_TEST(symmetries)
{
    double a[MOST], b[MOST], back_a[MOST], back_b[MOST];
    size_t n = STAT_LEAST + (size_t)_i % (MOST - STAT_LEAST + 1);
    struct rng_stream stream;
    rng_init(&stream, 1, RNG_TEST, (uint64_t)_i);
    for (size_t i = 0; i < n; i++) {
        a[i] = gsl_ran_lognormal(rng_gsl(&stream), 0, 1);
        b[i] = a[i] * gsl_ran_lognormal(rng_gsl(&stream), 0.3, 0.5);
        back_a[n - 1 - i] = 3600 * a[i];
        back_b[n - 1 - i] = 3600 * b[i];
    }
    struct stat_change s = stat_change(a, b, n, 0.05), turned = stat_change(b, a, n, 0.05),
                       same = stat_change(back_a, back_b, n, 0.05);
    ck_assert_double_eq_tol(s.share, stat_mean(b, n) / stat_mean(a, n) - 1, 1e-12);
    ck_assert(-1 < s.low && s.low < s.share && s.share < s.high);
    ck_assert_int_eq(s.p <= 0.05, s.low > 0 || s.high < 0);
    ck_assert_double_eq_tol(1 / (1 + turned.low), 1 + s.high, 1e-9 * (1 + s.high));
    ck_assert_double_eq_tol(1 / (1 + turned.high), 1 + s.low, 1e-9);
    ck_assert_double_eq_tol(same.low, s.low, 1e-9);
    ck_assert_double_eq_tol(same.high, s.high, 1e-9 * (1 + s.high));
}
END_TEST

START_TEST(a_constant_ratio_is_known)
{
    static const double a[] = {9, 11, 14, 10, 12}, twice[] = {18, 22, 28, 20, 24};
    struct stat_change s = stat_change(a, twice, 5, 0.05), none = stat_change(a, a, 5, 0.05);
    ck_assert_double_eq_tol(s.low, 1, 1e-12);
    ck_assert_double_eq_tol(s.high, 1, 1e-12);
    ck_assert_double_eq(none.low, 0);
    ck_assert_double_eq(none.high, 0);
    ck_assert_double_eq(none.p, 1);
}
END_TEST

START_TEST(samples_without_an_interval)
{
    static const double a[] = {1, 2, 3, 4, 5}, below[] = {1, 2, -0.1, 4, 5},
                        zeros[] = {0, 0, 0, 0, 0}, lone[] = {0, 0, 3, 0, 0},
                        two[] = {0, 0, 3, 1, 0};
    ck_assert(isnan(stat_change(a, below, 5, 0.05).low));
    ck_assert(isnan(stat_change(a, lone, 5, 0.05).p));
    ck_assert(isnan(stat_change(lone, a, 5, 0.05).high));
    ck_assert(!isnan(stat_change(two, a, 5, 0.05).high));
    ck_assert(isnan(stat_change(zeros, a, 5, 0.05).share));
    ck_assert_double_eq(stat_change(a, zeros, 5, 0.05).share, -1);
    struct stat_change few = stat_change(a, two, 4, 0.05);
    ck_assert_double_eq_tol(few.share, 4.0 / 10 - 1, 1e-12);
    ck_assert(isnan(few.low) && isnan(few.p));
    ck_assert(isnan(stat_change(a, a, 0, 0.05).share));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("change");
    TCase *tcase = tcase_create("change");
    tcase_add_test(tcase, jackknife_by_hand);
    tcase_add_loop_test(tcase, symmetries, 0, harness_repeats(100));
    tcase_add_test(tcase, a_constant_ratio_is_known);
    tcase_add_test(tcase, samples_without_an_interval);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
