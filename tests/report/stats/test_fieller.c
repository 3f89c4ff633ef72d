/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fieller's interval of a ratio of means. Its ends are where Student's interval of b - (1 + q) a begins and ends at 0: checked
 * by that one (which has tests of its own) on random pairs, and on pairs where the ends can be counted.
 */
#include "report/stats/fieller.h"
#include "report/stats/sample.h"
#include "sim/base/rng.h"
#include "tests/lib/harness.h"

#include <math.h>

#define MOST 20

/* The mean of b - (1 + q) a, over the half width of its interval. */
static double tested(const double *a, const double *b, size_t n, double q, double alpha)
{
    double x[MOST];
    for (size_t i = 0; i < n; i++)
        x[i] = b[i] - (1 + q) * a[i];
    struct stat_interval s = stat_t_interval(x, n, alpha);
    return s.mean / (s.high - s.mean);
}

START_TEST(ends_are_where_the_test_turns)
{
    double a[MOST], b[MOST];
    size_t n = 2 + (size_t)_i % (MOST - 1);
    double alpha = _i % 2 ? 0.05 : 0.2;
    struct rng_stream stream;
    rng_init(&stream, 1, RNG_TEST, (uint64_t)_i);
    for (size_t i = 0; i < n; i++) {
        a[i] = 10 + rng_uniform(&stream);
        b[i] = 12 + 4 * rng_uniform(&stream) + (a[i] - 10);
    }
    struct stat_share s = stat_fieller(a, b, n, alpha);
    ck_assert_double_eq_tol(s.share, stat_mean(b, n) / stat_mean(a, n) - 1, 1e-12);
    ck_assert(s.low < s.share && s.share < s.high);
    if (s.low > -1) // else it was cut there
        ck_assert_double_eq_tol(tested(a, b, n, s.low, alpha), 1, 1e-6);
    ck_assert_double_eq_tol(tested(a, b, n, s.high, alpha), -1, 1e-6);
}
END_TEST

START_TEST(a_constant_ratio_is_known)
{
    const double a[] = {9, 11, 14}, twice[] = {18, 22, 28}, none[] = {0, 0, 0}, more[] = {9.5, 11.5, 14.5};
    struct stat_share s = stat_fieller(a, twice, 3, 0.05), gone = stat_fieller(a, none, 3, 0.05);
    ck_assert_double_eq(s.low, 1);
    ck_assert_double_eq(s.high, 1);
    ck_assert_double_eq(gone.low, -1);
    ck_assert_double_eq(gone.high, -1);
    s = stat_fieller(a, a, 3, 0.05);
    ck_assert_double_eq(s.low, 0);
    ck_assert_double_eq(s.high, 0);
    s = stat_fieller(a, more, 3, 0.05); // the difference is certain, and what it is a share of is not
    ck_assert(s.low > 0 && s.low < s.share && s.share < s.high);
}
END_TEST

START_TEST(amounts_fall_by_all_of_them_at_most)
{
    double a[] = {10, 12, 8, 11}, b[] = {0, 0, 0, 1};
    struct stat_share s = stat_fieller(a, b, 4, 0.05);
    ck_assert_double_eq(s.low, -1);
    ck_assert(s.high < 0);
    b[0] = -0.001; // what may be below 0 may fall further
    s = stat_fieller(a, b, 4, 0.05);
    ck_assert(s.low < -1);
}
END_TEST

START_TEST(of_what_may_be_nothing_there_is_no_share)
{
    const double a[] = {0, 0, 3}, b[] = {1, 2, 3}, none[] = {0, 0, 0};
    struct stat_share s = stat_fieller(a, b, 3, 0.05);
    ck_assert(isnan(s.share) && isnan(s.low) && isnan(s.high));
    s = stat_fieller(none, b, 3, 0.05);
    ck_assert(isnan(s.share) && isnan(s.low));
    s = stat_fieller(b, a, 1, 0.05);
    ck_assert_double_eq(s.share, -1);
    ck_assert(isnan(s.low) && isnan(s.high));
    s = stat_fieller(a, b, 0, 0.05);
    ck_assert(isnan(s.share));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fieller");
    TCase *tcase = tcase_create("fieller");
    tcase_add_loop_test(tcase, ends_are_where_the_test_turns, 0, harness_repeats(100));
    tcase_add_test(tcase, a_constant_ratio_is_known);
    tcase_add_test(tcase, amounts_fall_by_all_of_them_at_most);
    tcase_add_test(tcase, of_what_may_be_nothing_there_is_no_share);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
