/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Levels of a group sequential test against the boundaries published for five equal looks (the
 * example of the R package ldbounds and of East: Pocock-type spending, one-sided 0.025), and
 * against their promise: of samples without an effect, as many are wrong as allowed.
 */
#include "report/stats/sample.h"
#include "report/stats/spending.h"
#include "sim/base/rng.h"
#include "tests/lib/harness.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

START_TEST(published_boundaries)
{
    static const double looks[] = {1, 2, 3, 4, 5}, z[] = {2.4380, 2.4268, 2.4101, 2.3966, 2.3859};
    double level[5];
    stat_spending_levels(looks, 5, 0.025, level);
    for (int k = 0; k < 5; k++)
        ck_assert_double_eq_tol(gsl_cdf_ugaussian_Qinv(level[k]), z[k], 1e-4);
}
END_TEST

/* One look spends everything; the first of several what the function says. */
START_TEST(the_first_look)
{
    static const double looks[] = {20, 40, 80};
    double level[3];
    stat_spending_levels(looks, 1, 0.025, level);
    ck_assert_double_eq_tol(level[0], 0.025, 1e-12);
    stat_spending_levels(looks, 3, 0.025, level);
    ck_assert_double_eq_tol(level[0], 0.025 * log(1 + (exp(1) - 1) * 0.25), 1e-12);
    ck_assert_double_lt(level[2], 0.025);
    ck_assert_double_gt(level[0] + level[1] + level[2], 0.025);
}
END_TEST

/*
 * The share of samples of normal values with mean 0 that are called above 0 at any look is alpha:
 * Student's t at the levels for the normal distribution. 40,000 samples give it to 0.0008 (one
 * standard error).
 */
START_TEST(the_chance_to_be_wrong_is_alpha)
{
    enum { MOST = 80 };
    static const double looks[] = {20, 40, MOST};
    int samples = 40000, wrong = 0;
    double level[3], x[MOST];
    stat_spending_levels(looks, 3, 0.025, level);
    for (int sample = 0; sample < samples; sample++) {
        struct rng_stream stream;
        rng_init(&stream, 1, RNG_TEST, (uint64_t)sample);
        for (int i = 0; i < MOST; i++)
            x[i] = gsl_ran_gaussian_ziggurat(rng_gsl(&stream), 1);
        bool found = false;
        for (int k = 0; k < 3 && !found; k++) {
            struct stat_interval s = stat_t_interval(x, (size_t)looks[k], 0.05);
            found = gsl_cdf_tdist_Q(s.t, looks[k] - 1) <= level[k];
        }
        wrong += found;
    }
    double share = (double)wrong / samples, error = sqrt(0.025 * 0.975 / samples);
    ck_assert_double_le(fabs(share - 0.025), 3 * error);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("spending");
    TCase *tcase = tcase_create("spending");
    tcase_add_test(tcase, published_boundaries);
    tcase_add_test(tcase, the_first_look);
    if (harness_whole())
        tcase_add_test(tcase, the_chance_to_be_wrong_is_alpha);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
