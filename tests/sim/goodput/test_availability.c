/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of parts that work: published rows, and binomial sums computed here. */
#include "sim/goodput/availability.h"

#include "sim/goodput/goodput.h"
#include "tests/lib/harness.h"

#include <math.h>

/* NCSA Delta (arXiv 2503.11901): hours between errors of a node, hours out, availability in per
 * cent. */
START_TEST(nodes_of_delta)
{
    ck_assert_double_eq_tol(100 * availability_of(148.4, 0.88), 99.41, 0.05);
    ck_assert_double_eq_tol(100 * availability_of(288.8, 2.2), 99.24, 0.05);
    ck_assert_double_eq(availability_of(5, 0), 1);
}
END_TEST

/* A pod of 144 cubes of which 130 must work. */
START_TEST(cubes_of_a_pod)
{
    ck_assert_double_eq_tol(availability_needed(144, 130, 0.95), 0.935, 0.002);
    ck_assert_double_ge(availability_at_least(144, 130, 0.937), 0.95);
    ck_assert_double_lt(availability_at_least(144, 130, 0.933), 0.95);
}
END_TEST

/* The probability that exactly k of n work, from its definition. */
static double exactly(unsigned n, unsigned k, double p)
{
    double product = 1;
    for (unsigned i = 0; i < k; i++)
        product *= (double)(n - i) / (i + 1) * p;
    return product * pow(1 - p, n - k);
}

START_TEST(sums_by_hand)
{
    for (unsigned n = 1; n <= 12; n++) {
        for (unsigned k = 0; k <= n + 1; k++) {
            double sum = 0;
            for (unsigned i = k; i <= n; i++)
                sum += exactly(n, i, 0.9);
            ck_assert_double_eq_tol(availability_at_least(n, k, 0.9), sum, 1e-12);
        }
        ck_assert_double_eq(availability_at_least(n, n, 1), 1);
        ck_assert_double_eq(availability_at_least(n, 1, 0), 0);
    }
}
END_TEST

/* The definition: the smallest s with P(Bin(n + s, 1 - A) > s) < risk. */
START_TEST(spares_are_enough_and_no_more)
{
    static const struct {
        unsigned n;
        double available, risk;
    } rows[] = {
        {10, 0.99, 0.01},    {124, 0.95, 0.05}, {1024, 0.999, 0.01},
        {256, 0.994, 0.001}, {3, 0.5, 0.01},
    };
    for (int i = 0; i < ROWS(rows); i++) {
        unsigned s = availability_spares(rows[i].n, rows[i].available, rows[i].risk);
        ck_assert_double_gt(availability_at_least(rows[i].n + s, rows[i].n, rows[i].available),
                            1 - rows[i].risk);
        if (s > 0)
            ck_assert_double_le(
                availability_at_least(rows[i].n + s - 1, rows[i].n, rows[i].available),
                1 - rows[i].risk);
    }
    ck_assert_uint_eq(availability_spares(1000, 1, 0.01), 0);
    ck_assert_uint_eq(availability_spares(0, 0.5, 0.01), 0);
    ck_assert_uint_eq(availability_spares(5, 0, 0.01), AVAILABILITY_NEVER);
    // More nodes, less availability, less risk: never fewer spares.
    ck_assert_uint_ge(availability_spares(2048, 0.99, 0.01), availability_spares(1024, 0.99, 0.01));
    ck_assert_uint_ge(availability_spares(1024, 0.98, 0.01), availability_spares(1024, 0.99, 0.01));
    ck_assert_uint_ge(availability_spares(1024, 0.99, 0.001),
                      availability_spares(1024, 0.99, 0.01));
}
END_TEST

/* One GPU in a thousand out: domains of 64 and of 8. */
START_TEST(domains_that_are_whole)
{
    ck_assert_double_eq_tol(100 * availability_domain(0.001, 64), 93.8, 0.2);
    ck_assert_double_eq_tol(100 * availability_domain(0.001, 8), 99.2, 0.2);
    ck_assert_double_eq(availability_domain(0, 64), 1);
    ck_assert_double_eq(availability_domain(1, 64), 0);
    ck_assert_double_eq(availability_domain(1, 0), 1);
}
END_TEST

START_TEST(shares_of_goodput)
{
    // 100 minutes, of which 10 were lost, then 5 in the queue and 5 to resume.
    ck_assert_double_eq_tol(goodput_runtime(100, 10, 5, 5), 90. / 110, 1e-15);
    ck_assert_double_eq(goodput_runtime(100, 0, 0, 0), 1);
    ck_assert_double_eq_tol(goodput_overall(0.9, 0.8, 0.5), 0.36, 1e-15);
    ck_assert_double_eq_tol(goodput_cluster(60, 10, 8), 0.75, 1e-15);
    ck_assert_double_eq(goodput_cluster(0, 0, 8), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("availability");
    TCase *tcase = tcase_create("shares");
    tcase_add_test(tcase, nodes_of_delta);
    tcase_add_test(tcase, cubes_of_a_pod);
    tcase_add_test(tcase, sums_by_hand);
    tcase_add_test(tcase, spares_are_enough_and_no_more);
    tcase_add_test(tcase, domains_that_are_whole);
    tcase_add_test(tcase, shares_of_goodput);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
