/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Student's t for his own example (extra hours of sleep with two drugs, Biometrika 6, 1908) with
 * the figures that R prints for t.test(extra ~ group, data = sleep, paired = TRUE), and edge cases.
 */
#include "report/stats/sample.h"
#include "tests/lib/harness.h"

#include <math.h>

static const double first[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
static const double second[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

START_TEST(the_sleep_of_ten_patients)
{
    double difference[ROWS(first)];
    for (int i = 0; i < ROWS(first); i++)
        difference[i] = first[i] - second[i];
    struct stat_interval s = stat_t_interval(difference, ROWS(first), 0.05);
    ck_assert_uint_eq(s.n, 10);
    ck_assert_double_eq_tol(s.mean, -1.58, 1e-12);
    ck_assert_double_eq_tol(s.t, -4.0621, 5e-5);
    ck_assert_double_eq_tol(s.p, 0.002833, 5e-7);
    ck_assert_double_eq_tol(s.low, -2.4598858, 5e-8);
    ck_assert_double_eq_tol(s.high, -0.7001142, 5e-8);
}
END_TEST

/* 0.975 and 0.995 quantiles of t, from printed tables: with values -1 and 1 repeated, the half
 * width is t sd / sqrt(n). */
static const struct {
    size_t n;
    double alpha, quantile;
} tables[] = {
    {2, 0.05, 12.706},
    {4, 0.05, 3.182},
    {10, 0.01, 3.250},
    {20, 0.05, 2.093},
};

START_TEST(widths_are_those_of_the_tables)
{
    double x[20];
    for (size_t i = 0; i < ROWS(x); i++)
        x[i] = i % 2 ? 1 : -1;
    size_t n = tables[_i].n;
    struct stat_interval s = stat_t_interval(x, n, tables[_i].alpha);
    double sd = sqrt((double)n / (double)(n - 1));
    ck_assert_double_eq_tol(s.sd, sd, 1e-12);
    ck_assert_double_eq_tol((s.high - s.low) / 2, tables[_i].quantile * sd / sqrt((double)n), 1e-3);
    ck_assert_double_eq_tol(s.p, 1, 1e-12);
}
END_TEST

START_TEST(no_variance_is_certainty)
{
    const double same[] = {0.1, 0.1, 0.1}, none[] = {0, 0, 0, 0};
    struct stat_interval s = stat_t_interval(same, 3, 0.05), z = stat_t_interval(none, 4, 0.05);
    ck_assert_double_eq(s.low, 0.1);
    ck_assert_double_eq(s.high, 0.1);
    ck_assert_double_eq(s.sd, 0);
    ck_assert_double_eq(s.p, 0);
    ck_assert(isinf(s.t));
    ck_assert_double_eq(z.p, 1);
    ck_assert_double_eq(z.t, 0);
}
END_TEST

START_TEST(one_value_has_no_interval)
{
    struct stat_interval one = stat_t_interval(first, 1, 0.05),
                         none = stat_t_interval(first, 0, 0.05);
    ck_assert_double_eq(one.mean, 0.7);
    ck_assert(isnan(one.sd) && isnan(one.low) && isnan(one.high) && isnan(one.p));
    ck_assert(isnan(none.mean) && isnan(none.p));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sample");
    TCase *tcase = tcase_create("t");
    tcase_add_test(tcase, the_sleep_of_ten_patients);
    tcase_add_loop_test(tcase, widths_are_those_of_the_tables, 0, ROWS(tables));
    tcase_add_test(tcase, no_variance_is_certainty);
    tcase_add_test(tcase, one_value_has_no_interval);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
