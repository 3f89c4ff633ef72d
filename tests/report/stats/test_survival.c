/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The curve of the classic example: weeks of remission of 21 leukemia patients with
 * 6-mercaptopurine (Freireich et al., Blood 21, 1963; the table as in Kleinbaum and Klein,
 * "Survival Analysis", 3rd ed., section 2.IV, errors as R's survfit prints them).
 */
#include "report/stats/survival.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdlib.h>

static const struct {
    int64_t week;
    bool censored;
} patients[] = {
    {6, false},  {6, false},  {6, false},  {6, true},   {7, false}, {9, true},  {10, false},
    {10, true},  {11, true},  {13, false}, {16, false}, {17, true}, {19, true}, {20, true},
    {22, false}, {23, false}, {25, true},  {32, true},  {32, true}, {34, true}, {35, true},
};

static const struct {
    int64_t week;
    uint64_t at_risk;
    double survives, se;
} published[] = {
    {6, 21, 0.857, 0.0764},  {7, 17, 0.807, 0.0869},  {10, 15, 0.753, 0.0963},
    {13, 12, 0.690, 0.1068}, {16, 11, 0.627, 0.1141}, {22, 7, 0.538, 0.1282},
    {23, 6, 0.448, 0.1346},
};

START_TEST(remission_of_21_patients)
{
    struct tally tally = {0};
    for (int i = 0; i < ROWS(patients); i++)
        tally_add(&tally, patients[i].week, patients[i].censored);
    size_t count;
    struct stat_step *steps = stat_survival(&tally, &count);
    ck_assert_uint_eq(count, ROWS(published));
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(steps[i].value, published[i].week);
        ck_assert_uint_eq(steps[i].at_risk, published[i].at_risk);
        ck_assert_double_eq_tol(steps[i].survives, published[i].survives, 5e-4);
        ck_assert_double_eq_tol(steps[i].se, published[i].se, 5e-5);
    }
    size_t cells;
    struct tally_cell *cell = tally_sorted(&tally, &cells);
    struct tally_quantile median = tally_quantile(&tally, cell, cells, 0.5);
    ck_assert(median.known);
    ck_assert_int_eq(median.value, 23);
    ck_assert(!tally_quantile(&tally, cell, cells, 0.9).known);
    free(cell);
    free(steps);
    tally_fini(&tally);
}
END_TEST

/* Without censored values it is one minus the observed share, and the last step is 0. */
START_TEST(complete_values)
{
    struct tally tally = {0};
    for (int64_t i = 0; i < 100; i++)
        tally_add(&tally, i / 10, false);
    size_t count;
    struct stat_step *steps = stat_survival(&tally, &count);
    ck_assert_uint_eq(count, 10);
    for (size_t i = 0; i < count; i++)
        ck_assert_double_eq_tol(steps[i].survives, 0.9 - 0.1 * (double)i, 1e-12);
    ck_assert_double_eq_tol(steps[4].se, sqrt(0.5 * 0.5 / 100), 1e-12); /* the binomial error */
    ck_assert(isnan(steps[9].se));
    free(steps);
    tally_fini(&tally);
}
END_TEST

START_TEST(nothing_ended)
{
    struct tally tally = {0};
    size_t count;
    free(stat_survival(&tally, &count));
    ck_assert_uint_eq(count, 0);
    tally_add(&tally, 5, true);
    free(stat_survival(&tally, &count));
    ck_assert_uint_eq(count, 0);
    tally_fini(&tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("survival");
    TCase *tcase = tcase_create("survival");
    tcase_add_test(tcase, remission_of_21_patients);
    tcase_add_test(tcase, complete_values);
    tcase_add_test(tcase, nothing_ended);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
