/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MSER-5 and batch means, by hand and on a series with known properties. */
#include "report/stats/steady.h"
#include "sim/base/rng.h"
#include "tests/lib/harness.h"

#include <gsl/gsl_randist.h>
#include <math.h>

enum { GROUPS = 8 };

/*
 * Means of groups of five, each group constant. The first row: discarding d = 0..3 groups, the sums
 * of squares are 62.83, 6.8, 0.75 and 0.667, over 36, 25, 16 and 9: least at d = 2.
 */
static const struct {
    size_t groups;
    double mean[GROUPS];
    size_t left_away;
} rows[] = {
    {6, {10, 4, 1, 1, 2, 1}, 10},
    {4, {1, 1, 1, 1}, 0}, /* all the same: nothing is discarded */
    {4, {9, 1, 1, 1}, 5},
    {4,
     {1, 1, 1, 9},
     0}, /* 48 / 16 = 3; 42.67 / 9 = 4.74; 32 / 4 = 8: a late deviation is no warm-up */
    {1, {7}, 0},
};

START_TEST(mser5_by_hand)
{
    double x[5 * GROUPS + 4];
    size_t n = 0;
    for (size_t g = 0; g < rows[_i].groups; g++)
        for (int i = 0; i < 5; i++) {
            /* Around its mean: variation within a group does not matter. */
            x[n++] = rows[_i].mean[g] + (i - 2) * 0.125;
        }
    ck_assert_uint_eq(stat_mser5(x, n), rows[_i].left_away);
    for (int i = 0; i < 4; i++) /* an incomplete group does not matter */
        x[n++] = 1000;
    ck_assert_uint_eq(stat_mser5(x, n), rows[_i].left_away);
}
END_TEST

/* Noise with a decaying beginning: about the decay is discarded, and not much more. */
START_TEST(a_warm_up_is_found)
{
    double x[5000];
    struct rng_stream stream;
    rng_init(&stream, 11, RNG_TEST, 0);
    for (int i = 0; i < ROWS(x); i++)
        x[i] = gsl_ran_gaussian(rng_gsl(&stream), 1) + 30 * exp(-i / 60.0);
    size_t cut = stat_mser5(x, ROWS(x));
    ck_assert_uint_ge(cut, 120); /* 30 exp(-2) = 4 there */
    ck_assert_uint_le(cut, 600);
    ck_assert_uint_eq(cut % 5, 0);
}
END_TEST

START_TEST(batches_by_hand)
{
    static const double x[] = {99, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    struct stat_interval s = stat_batch_means(x, 11, 2, 0.05);
    ck_assert_uint_eq(s.n, 2);
    ck_assert_double_eq_tol(s.mean, 5.5, 1e-12); /* 3 and 8 */
    ck_assert_double_eq_tol(s.sd, sqrt(12.5), 1e-12);
    ck_assert_uint_eq(stat_batch_means(x, 3, 4, 0.05).n, 0);
    ck_assert_uint_eq(stat_batch_means(x, 3, 0, 0.05).n, 0);
}
END_TEST

/*
 * x(i) = 0.9 x(i-1) + noise has mean 0 and correlations that the interval over single values
 * ignores: over 200 series it covers far too rarely, batch means nearly as often as promised.
 */
START_TEST(batch_means_cover)
{
    static double x[4000];
    int batches = 0, singles = 0;
    for (uint64_t series = 0; series < 200; series++) {
        struct rng_stream stream;
        rng_init(&stream, 5, RNG_TEST, series);
        x[0] = gsl_ran_gaussian(rng_gsl(&stream), 1 / sqrt(1 - 0.81));
        for (int i = 1; i < ROWS(x); i++)
            x[i] = 0.9 * x[i - 1] + gsl_ran_gaussian(rng_gsl(&stream), 1);
        struct stat_interval b = stat_batch_means(x, ROWS(x), 20, 0.05),
                             s = stat_t_interval(x, ROWS(x), 0.05);
        batches += b.low <= 0 && 0 <= b.high;
        singles += s.low <= 0 && 0 <= s.high;
    }
    ck_assert_int_ge(batches, 177); /* 190 expected, standard deviation 3.1 */
    ck_assert_int_le(singles, 110); /* half a width of 0.23 sd: 35 % */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("steady");
    TCase *tcase = tcase_create("steady");
    tcase_add_loop_test(tcase, mser5_by_hand, 0, ROWS(rows));
    tcase_add_test(tcase, a_warm_up_is_found);
    tcase_add_test(tcase, batches_by_hand);
    tcase_add_test(tcase, batch_means_cover);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
