/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many replicas may miss, the interval of the risk, and Student's replacement, against tables
 * and formulas. */
#include "report/plan/rule.h"
#include "tests/lib/harness.h"

#include <math.h>

/* The largest k with (k + 1) / (n + 1) <= 1 - c. */
static const struct {
    double confidence;
    size_t replicas;
    int64_t allows;
} rows[] = {
    {0.9, 8, -1}, {0.9, 9, 0},   {0.9, 18, 0},  {0.9, 19, 1},   {0.9, 20, 1},
    {0.9, 29, 2}, {0.9, 100, 9}, {0.95, 20, 0}, {0.95, 18, -1}, {0.8, 20, 3},
};

START_TEST(as_many_as_order_statistics_allow)
{
    ck_assert_int_eq(rule_allows(rows[_i].confidence, rows[_i].replicas), rows[_i].allows);
}
END_TEST

/* Clopper and Pearson: with none of n the upper end is 1 - 0.025^(1/n); the two ends are symmetric.
 */
START_TEST(the_interval_is_exact)
{
    struct rule_risk none = rule_risk(0, 20, true);
    ck_assert_double_eq_tol(none.high, 1 - pow(0.025, 1.0 / 20), 1e-9);
    ck_assert(!(none.low > 0));
    struct rule_risk all = rule_risk(20, 20, true);
    ck_assert_double_eq_tol(all.low, pow(0.025, 1.0 / 20), 1e-9);
    ck_assert(!(all.high < 1));
    for (size_t k = 0; k <= 20; k++) {
        struct rule_risk risk = rule_risk(k, 20, true), mirror = rule_risk(20 - k, 20, true);
        ck_assert_double_eq_tol(risk.low, 1 - mirror.high, 1e-9);
        ck_assert(risk.low <= risk.share && risk.share <= risk.high);
    }
    ck_assert(!(rule_risk(2, 4, false).high < 1)); /* ended early: there may be more */
}
END_TEST

/* P(at least 2 misses of n) at a risk of 0.1 is 1 - 0.9^n - n 0.1 0.9^(n-1): 0.01, 0.052, 0.187 for
 * 2, 4, 8. */
START_TEST(few_misses_of_many_leave_it_open)
{
    ck_assert(!rule_leaves_open(0.9, 2, 2));
    ck_assert(!rule_leaves_open(0.9, 2, 4));
    ck_assert(rule_leaves_open(0.9, 2, 8));
    ck_assert(rule_leaves_open(0.9, 0, 2));
}
END_TEST

/* 10, 20, 30: t(0.9; 2) = 1.8856, sd 10: 1.8856 x 10 x sqrt(1 + 1/3) = 21.773. */
START_TEST(a_fresh_value_scatters_more_than_the_mean)
{
    const double x[] = {10, 20, 30};
    struct stat_interval over = stat_t_interval(x, 3, 0.2);
    ck_assert_double_eq_tol(rule_margin(&over), 21.773, 1e-3);
}
END_TEST

START_TEST(looks_double_up_to_the_end)
{
    const size_t expected[] = {2, 4, 8, 16, 20};
    size_t tried = 0;
    for (int i = 0; i < ROWS(expected); i++) {
        tried = rule_next_look(0.9, tried, 20);
        ck_assert_uint_eq(tried, expected[i]);
    }
    ck_assert_uint_eq(rule_next_look(0.9, 0, 3), 3); /* too few to count: all of them */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rule");
    TCase *tcase = tcase_create("rule");
    tcase_add_loop_test(tcase, as_many_as_order_statistics_allow, 0, ROWS(rows));
    tcase_add_test(tcase, the_interval_is_exact);
    tcase_add_test(tcase, few_misses_of_many_leave_it_open);
    tcase_add_test(tcase, a_fresh_value_scatters_more_than_the_mean);
    tcase_add_test(tcase, looks_double_up_to_the_end);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
