/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sign and signed-rank tests against binomial coefficients, a published example, and an enumeration
 * of all signs.
 */
#include "report/stats/signs.h"
#include "tests/lib/harness.h"

#include <math.h>

static const struct {
    size_t positive, n;
    double p;
} signs[] = {
    {8, 10, 0.109375}, /* 2 (45 + 10 + 1) / 1024 */
    {2, 10, 0.109375},
    {5, 10, 1},
    {20, 20, 2.0 / (1 << 20)},
    {0, 20, 2.0 / (1 << 20)},
    {19, 20, 42.0 / (1 << 20)},
    {1, 1, 1},
    {0, 0, 1},
};

START_TEST(sign_test)
{
    ck_assert_double_eq_tol(stat_sign_p(signs[_i].positive, signs[_i].n), signs[_i].p, 1e-12);
}
END_TEST

/* Hamilton's depression scale before and after, M. Hollander and D. A. Wolfe (1973), p. 29: V = 40,
   p = 0.01953 on one side, as R's wilcox.test prints it. */
START_TEST(nine_patients)
{
    static const double before[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    static const double after[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
    double x[ROWS(before)];
    for (int i = 0; i < ROWS(before); i++)
        x[i] = before[i] - after[i];
    ck_assert_double_eq_tol(stat_signed_rank_p(x, ROWS(x)), 2 * 0.01953125, 1e-12);
}
END_TEST

/* With ties and zeros: the number of the 2^n sign assignments that are as extreme. */
START_TEST(all_signs_enumerated)
{
    static const double x[] = {1, -2, 2, 2, 0, 5, -0.5, 5, 7, 1, 0};
    /* sizes 0.5 1 1 2 2 2 5 5 7 have ranks 1 2.5 2.5 5 5 5 7.5 7.5 9 (sum 45); negative are 5 and 1
     */
    static const double rank[] = {1, 2.5, 2.5, 5, 5, 5, 7.5, 7.5, 9};
    int extreme = 0;
    for (unsigned ways = 0; ways < 1u << ROWS(rank); ways++) {
        double sum = 0;
        for (int i = 0; i < ROWS(rank); i++)
            sum += ways >> i & 1u ? rank[i] : 0;
        extreme += sum <= 6;
    }
    ck_assert_double_eq_tol(stat_signed_rank_p(x, ROWS(x)), 2.0 * extreme / (1 << ROWS(rank)),
                            1e-12);
}
END_TEST

/* Just beyond the exact range the normal distribution gives nearly the same. */
START_TEST(large_samples_are_normal)
{
    double x[STAT_EXACT_RANKS + 1];
    for (size_t i = 0; i < ROWS(x); i++)
        x[i] = (i % 5 < 3 ? 1.0 : -1.0) * (double)(1 + i * 37 % 61);
    double exact = stat_signed_rank_p(x, STAT_EXACT_RANKS),
           normal = stat_signed_rank_p(x, STAT_EXACT_RANKS + 1);
    ck_assert_double_eq_tol(exact, normal, 0.1);
    double all[200];
    for (int i = 0; i < ROWS(all); i++)
        all[i] = 1 + i;
    ck_assert_double_lt(stat_signed_rank_p(all, 200), 1e-30);
}
END_TEST

START_TEST(nothing_left)
{
    static const double zeros[] = {0, 0};
    ck_assert_double_eq(stat_signed_rank_p(zeros, 2), 1);
    ck_assert_double_eq(stat_signed_rank_p(zeros, 0), 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("signs");
    TCase *tcase = tcase_create("signs");
    tcase_add_loop_test(tcase, sign_test, 0, ROWS(signs));
    tcase_add_test(tcase, nine_patients);
    tcase_add_test(tcase, all_signs_enumerated);
    tcase_add_test(tcase, large_samples_are_normal);
    tcase_add_test(tcase, nothing_left);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
