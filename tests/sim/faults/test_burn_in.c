/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Burn-in: a node's number of tests is geometric, and independent of other queries. */
#include "sim/faults/burn_in.h"

#include "tests/lib/harness.h"

#include <math.h>

#define NODES 20000

static const double shares[] = {0, 0.05, 0.2, 0.5, 0.9};

/* Mean 1 / (1 - p), variance p / (1 - p)^2: within five standard errors. P(1 test) is 1 - p. */
START_TEST(tests_are_geometric)
{
    const double p = shares[_i];
    const struct fault_burn_in rule = {.takes_ms = 1, .rejects = p};
    double sum = 0, first = 0;
    for (uint64_t node = 0; node < NODES; node++) {
        uint32_t tests = fault_burn_in_tests(&rule, 7, node);
        ck_assert_uint_ge(tests, 1);
        ck_assert_uint_eq(tests, fault_burn_in_tests(&rule, 7, node));
        sum += tests;
        first += tests == 1;
    }
    double error = sqrt(p / NODES) / (1 - p);
    ck_assert(fabs(sum / NODES - 1 / (1 - p)) <= 5 * error + 1e-3);
    ck_assert(fabs(first / NODES - (1 - p)) <= 5 * sqrt(p * (1 - p) / NODES));
}
END_TEST

START_TEST(tests_end_where_all_are_rejected)
{
    const struct fault_burn_in rule = {.takes_ms = 1, .rejects = 1};
    ck_assert_uint_eq(fault_burn_in_tests(&rule, 1, 1), FAULT_BURN_INS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("burn-in");
    TCase *tcase = tcase_create("burn-in");
    tcase_add_loop_test(tcase, tests_are_geometric, 0, ROWS(shares));
    tcase_add_test(tcase, tests_end_where_all_are_rejected);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
