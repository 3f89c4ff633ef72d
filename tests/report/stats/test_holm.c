/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holm's correction of p-values, against values by hand. */
#include "report/stats/holm.h"
#include "tests/lib/harness.h"

#include <math.h>

enum { MOST = 5 };
#define NONE ((double)NAN)

/* 0.01 0.04 0.03 0.005: sorted 4 x 0.005, 3 x 0.01, 2 x 0.03, 1 x 0.04, made non-decreasing. */
static const struct {
    size_t n;
    double p[MOST], adjusted[MOST];
} rows[] = {
    {4, {0.01, 0.04, 0.03, 0.005}, {0.03, 0.06, 0.06, 0.02}},
    {1, {0.04}, {0.04}},
    {3, {0.5, 0.6, 0.02}, {1, 1, 0.06}},
    {3, {0.02, 0.02, 0.02}, {0.06, 0.06, 0.06}},
    {4, {NONE, 0.01, NONE, 0.03}, {NONE, 0.02, NONE, 0.03}},
    {5, {0, 1, 0.25, 0.0125, 0.125}, {0, 1, 0.5, 0.05, 0.375}},
    {2, {NONE, NONE}, {NONE, NONE}},
    {0, {0}, {0}},
};

START_TEST(by_hand)
{
    double adjusted[MOST];
    stat_holm(rows[_i].p, rows[_i].n, adjusted);
    for (size_t k = 0; k < rows[_i].n; k++) {
        ck_assert_int_eq(isnan(adjusted[k]) != 0, isnan(rows[_i].adjusted[k]) != 0);
        if (!isnan(adjusted[k]))
            ck_assert_double_eq_tol(adjusted[k], rows[_i].adjusted[k], 1e-15);
    }
}
END_TEST

START_TEST(in_place)
{
    double p[] = {0.01, 0.04, 0.03, 0.005};
    stat_holm(p, 4, p);
    for (int k = 0; k < 4; k++)
        ck_assert_double_eq_tol(p[k], rows[0].adjusted[k], 1e-15);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("holm");
    TCase *tcase = tcase_create("holm");
    tcase_add_loop_test(tcase, by_hand, 0, ROWS(rows));
    tcase_add_test(tcase, in_place);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
