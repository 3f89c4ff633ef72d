/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The interval for skewed samples: skewness against a published example, ends by hand, symmetry,
 * and the p-value against its interval. tests/property/test_coverage.c checks how often it covers.
 */
#include "report/stats/skewed.h"
#include "sim/base/rng.h"
#include "tests/lib/harness.h"

#include <gsl/gsl_randist.h>
#include <math.h>

/* The example of Microsoft's page on Excel's function SKEW: 0.359543. */
START_TEST(skewness_as_published)
{
    static const double x[] = {3, 4, 5, 2, 3, 4, 5, 6, 4, 7}, two[] = {1, 9}, same[] = {4, 4, 4, 4};
    ck_assert_double_eq_tol(stat_skewness(x, ROWS(x)), 0.359543, 5e-7);
    ck_assert_double_eq(stat_skewness(two, 2), 0);
    ck_assert_double_eq(stat_skewness(same, 4), 0);
}
END_TEST

/*
 * 0, 0, 0, 0, 1: mean 0.2, s / sqrt(5) = 0.2, skewness sqrt(5), t(0.975; 4) = 2.776445. Johnson's
 * shift is sqrt(5) sqrt(0.2) (1 + 2 x 7.708647) / 30 = 0.547243. So 0.2 - 1.3 x 0.555289 and 0.2 +
 * 1.3 (0.555289 + 2 x 0.547243).
 */
START_TEST(one_in_five)
{
    static const double x[] = {0, 0, 0, 0, 1}, mirrored[] = {0, 0, 0, 0, -1};
    struct stat_interval s = stat_skewed_interval(x, 5, 0.05),
                         m = stat_skewed_interval(mirrored, 5, 0.05);
    ck_assert_double_eq_tol(s.low, -0.521876, 1e-6);
    ck_assert_double_eq_tol(s.high, 2.344708, 1e-6);
    ck_assert_double_eq_tol(m.high, -s.low, 1e-12);
    ck_assert_double_eq_tol(m.low, -s.high, 1e-12);
    ck_assert_double_eq_tol(m.p, s.p, 1e-12);
    ck_assert_double_eq_tol(stat_above_p(&s) + stat_above_p(&m), 1, 1e-12);
}
END_TEST

/*
 * Student's differences of sleep (mean 1.58, s 1.229995, skewness 1.745550), t(0.975; 9) =
 * 2.262157: the shift is 0.402019, so 1.58 - 1.15 x 0.879886 and 1.58 + 1.15 (0.879886 + 0.804038).
 * Towards 0 there is no tail: p is that of t = 1.58 / (1.15 x 0.388959) = 3.532285 with 9 degrees
 * of freedom, 0.0063910.
 */
START_TEST(the_sleep_of_ten_patients)
{
    static const double x[] = {1.2, 2.4, 1.3, 1.3, 0, 1.0, 1.8, 0.8, 4.6, 1.4};
    struct stat_interval s = stat_skewed_interval(x, ROWS(x), 0.05);
    ck_assert_double_eq_tol(s.low, 0.5681313, 1e-6);
    ck_assert_double_eq_tol(s.high, 3.5165119, 1e-6);
    ck_assert_double_eq_tol(s.t, 3.5322850, 1e-6);
    ck_assert_double_eq_tol(s.p, 0.0063910, 1e-6);
}
END_TEST

START_TEST(without_skew_it_is_a_wider_student)
{
    static const double x[] = {-3, -1, 0, 1, 3, 7, 9, 10, 11, 13}; // around 5, alike on both sides
    struct stat_interval s = stat_skewed_interval(x, ROWS(x), 0.05),
                         t = stat_t_interval(x, ROWS(x), 0.05);
    ck_assert_double_eq_tol(s.high - 5, 1.15 * (t.high - 5), 1e-9);
    ck_assert_double_eq_tol(s.low - 5, 1.15 * (t.low - 5), 1e-9);
}
END_TEST

/* An interval at alpha = p ends at 0; a narrower one does not contain 0, a wider one does. */
START_TEST(p_is_where_the_interval_ends_at_0)
{
    double x[40];
    size_t n = STAT_LEAST + (size_t)_i % 36;
    struct rng_stream stream;
    rng_init(&stream, 3, RNG_TEST, (uint64_t)_i);
    for (size_t i = 0; i < n; i++)
        x[i] = (_i % 2 ? 1 : -1) * (gsl_ran_lognormal(rng_gsl(&stream), 0, 1) - 0.7);
    struct stat_interval s = stat_skewed_interval(x, n, 0.05), at = stat_skewed_interval(x, n, s.p);
    if (s.p > 0.999) // an interval of width 0 may contain 0 because of its tail
        return;
    ck_assert_double_eq_tol(s.mean > 0 ? at.low : at.high, 0, 1e-6 * fabs(s.mean) + 1e-9);
    ck_assert_int_eq(s.p <= 0.05, !(s.low <= 0 && s.high >= 0));
}
END_TEST

START_TEST(few_values_and_equal_ones)
{
    static const double x[] = {1, 2, 4, 8, 16}, same[] = {0.1, 0.1, 0.1, 0.1, 0.1},
                        none[] = {0, 0, 0, 0, 0};
    struct stat_interval four = stat_skewed_interval(x, 4, 0.05),
                         s = stat_skewed_interval(same, 5, 0.05),
                         z = stat_skewed_interval(none, 5, 0.05);
    ck_assert_double_eq_tol(four.mean, 3.75, 1e-12);
    ck_assert(isnan(four.low) && isnan(four.high) && isnan(four.p));
    ck_assert(!isnan(stat_skewed_interval(x, 5, 0.05).p));
    ck_assert_double_eq(s.low, 0.1);
    ck_assert_double_eq(s.high, 0.1);
    ck_assert_double_eq(s.p, 0);
    ck_assert_double_eq(z.p, 1);
    ck_assert(isnan(stat_skewed_interval(x, 1, 0.05).low));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("skewed");
    TCase *tcase = tcase_create("skewed");
    tcase_add_test(tcase, skewness_as_published);
    tcase_add_test(tcase, one_in_five);
    tcase_add_test(tcase, the_sleep_of_ten_patients);
    tcase_add_test(tcase, without_skew_it_is_a_wider_student);
    tcase_add_loop_test(tcase, p_is_where_the_interval_ends_at_0, 0, harness_repeats(200));
    tcase_add_test(tcase, few_values_and_equal_ones);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
