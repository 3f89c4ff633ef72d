/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Harm to one metric: Student's own example (hours of sleep with two drugs;
 * tests/report/stats/test_skewed.c computes its interval and p-value), scales, directions, margins,
 * and values with only a lower bound.
 */
#include "report/gate/harm.h"
#include "sim/base/rng.h"
#include "tests/lib/harness.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdint.h>

enum { MOST = 20 };

static const double sleep_a[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
static const double sleep_b[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

static struct harm harm_in(const char *path, const double *a, const double *b, size_t n,
                           const struct harm_rule *rule)
{
    struct measured left[MOST], right[MOST];
    for (size_t i = 0; i < n; i++) {
        left[i] = (struct measured){a[i], false};
        right[i] = (struct measured){b[i], false};
    }
    const struct measure m = {path, metric_find(path), {left, right}};
    return harm_of(&m, n, rule, 0.025);
}

/* b - a is 1.58 (0.568 .. 3.517): harm if less is better, a benefit if more is. Some values are
 * negative. */
START_TEST(sleep_is_harm_or_its_opposite)
{
    const struct harm_rule lower = {METRIC_LOWER, 0, 0}, higher = {METRIC_HIGHER, 0, 0};
    struct harm worse = harm_in("gpu_hours.lost.down", sleep_a, sleep_b, 10, &lower),
                better = harm_in("fairness.jain", sleep_a, sleep_b, 10, &higher);
    ck_assert_int_eq(worse.scale, JUDGE_DIFFERENCE);
    ck_assert_double_eq_tol(worse.harm, 1.58, 1e-12);
    ck_assert_double_eq_tol(worse.low, 0.5681313, 1e-6);
    ck_assert_double_eq_tol(worse.high, 3.5165119, 1e-6);
    ck_assert_double_eq_tol(worse.p_fail, 0.0063910 / 2, 1e-6);
    ck_assert_double_eq_tol(worse.p_fail + worse.p_pass, 1, 1e-12);
    ck_assert_double_eq_tol(better.harm, -1.58, 1e-12);
    ck_assert_double_eq_tol(better.low, -3.5165119, 1e-6);
    ck_assert_double_eq_tol(better.high, -0.5681313, 1e-6);
    ck_assert_double_eq_tol(better.p_pass, 0.0063910 / 2, 1e-6);
    ck_assert_double_eq_tol(harm_share(&worse, worse.harm), 1.58 / 0.75, 1e-12);
}
END_TEST

/* The margin: a share of the base's mean (0.75), or the floor where that is more. A narrow one
 * decides, too. */
static const struct {
    double margin, floor, is;
} margins[] = {
    {0.1, 0, 0.075},
    {0.1, 0.779, 0.779},
    {2, 0.5, 1.5},
};

START_TEST(margins_of_differences)
{
    const struct harm_rule rule = {METRIC_LOWER, margins[_i].margin, margins[_i].floor};
    struct harm h = harm_in("gpu_hours.lost.down", sleep_a, sleep_b, 10, &rule);
    ck_assert_double_eq_tol(h.margin, margins[_i].is, 1e-12);
    double t = (1.58 - margins[_i].is) / 0.3889587 / 1.15;
    ck_assert_double_eq_tol(h.p_fail, gsl_cdf_tdist_Q(t, 9), 1e-6);
    ck_assert_int_eq(h.p_fail <= 0.025, h.low > h.margin);
}
END_TEST

/* To distinguish 1.58 from 1.5 takes (1.15 x 2.262157 x 0.3889587 / 0.08)^2 x 10 = 1,599.7
 * replicas; from 0.075 these are enough. */
START_TEST(replicas_needed)
{
    const struct harm_rule beside = {METRIC_LOWER, 2, 0}, small = {METRIC_LOWER, 0.1, 0},
                           zero = {METRIC_LOWER, 0, 1.58};
    ck_assert_uint_eq(harm_in("gpu_hours.lost.down", sleep_a, sleep_b, 10, &beside).needed, 1600);
    ck_assert_uint_eq(harm_in("gpu_hours.lost.down", sleep_a, sleep_b, 10, &small).needed, 0);
    ck_assert(harm_in("gpu_hours.lost.down", sleep_a, sleep_b, 10, &zero).needed == SIZE_MAX);
}
END_TEST

/*
 * The harm is the change of the means, and so is the margin; the verdict is that of its interval.
 * From 60 to 72 with all pairs, and without one pair from 50, 48, 49, 51, 52, 50 to 60, 57, 60, 61,
 * 62, 60: log ratios of 0.18232, 0.17185, 0.20252, 0.17905, 0.17589, 0.18232 with a sum of squares
 * around their mean of 0.00056987. The jackknife's standard error is sqrt(5 / 6 x 0.00056987) =
 * 0.021792.
 */
START_TEST(harm_is_the_change_of_the_means)
{
    static const double a[] = {10, 12, 11, 9, 8, 10}, b[] = {12, 15, 12, 11, 10, 12};
    const struct harm_rule small = {METRIC_LOWER, 0.02, 0}, fifth = {METRIC_LOWER, 0.2, 0},
                           floor = {METRIC_LOWER, 0.05, 3}, more = {METRIC_HIGHER, 0.1, 0};
    struct harm h = harm_in("wait_s.mean", a, b, 6, &small),
                wide = harm_in("wait_s.mean", a, b, 6, &fifth),
                other = harm_in("wait_s.mean", a, b, 6, &floor),
                turned = harm_in("wait_s.mean", a, b, 6, &more);
    ck_assert_int_eq(h.scale, JUDGE_CHANGE);
    ck_assert_double_eq_tol(h.harm, 72.0 / 60 - 1, 1e-12);
    ck_assert_double_eq_tol(h.se, 0.021792, 1e-6);
    ck_assert_double_eq(h.margin, 0.02);
    ck_assert_double_eq(harm_share(&h, h.harm), h.harm);
    ck_assert(h.low > 0.02 && h.p_fail <= 0.025);
    ck_assert(wide.low < 0.2 && wide.high > 0.2 && wide.p_fail > 0.025 && wide.p_pass > 0.025);
    ck_assert_double_eq(other.margin, 0.3); // 3 is more than 5 % of 10
    ck_assert_int_eq(turned.scale, JUDGE_CHANGE);
    ck_assert_double_eq_tol(turned.harm, -0.2, 1e-12);
    ck_assert_double_eq_tol(turned.low, -h.high, 1e-12);
    ck_assert(turned.p_pass <= 0.025);
}
END_TEST

/* At random: the interval contains the margin exactly if neither p-value reaches its level. */
START_TEST(the_interval_decides)
{
    double a[MOST], b[MOST];
    struct rng_stream stream;
    rng_init(&stream, 6, RNG_TEST, (uint64_t)_i);
    for (int i = 0; i < MOST; i++) {
        a[i] = 1 + gsl_ran_exponential(rng_gsl(&stream), 1);
        b[i] = a[i] * gsl_ran_lognormal(rng_gsl(&stream), 0.1, 0.3);
    }
    const struct harm_rule rule = {_i % 2 ? METRIC_LOWER : METRIC_HIGHER, 0.02 * (_i % 20), 0};
    struct harm h = harm_in("wait_s.mean", a, b, 5 + (size_t)_i % 16, &rule);
    ck_assert_int_eq(h.p_fail <= 0.025, h.low > h.margin);
    ck_assert_int_eq(h.p_pass <= 0.025, h.high < h.margin);
}
END_TEST

/* Without variance the harm is known exactly. */
START_TEST(the_same_in_every_pair)
{
    static const double a[] = {1, 1, 1, 1, 1}, b[] = {1.5, 1.5, 1.5, 1.5, 1.5};
    const struct harm_rule less = {METRIC_LOWER, 0, 0.25}, more = {METRIC_LOWER, 0, 0.5},
                           none = {METRIC_LOWER, 0, 0};
    struct harm h = harm_in("gpu_hours.lost.down", a, b, 5, &less);
    ck_assert(h.p_fail <= 0 && h.p_pass >= 1 && h.needed == 0);
    h = harm_in("gpu_hours.lost.down", a, b, 5, &more);
    ck_assert(h.p_fail >= 1 && h.p_pass <= 0);
    h = harm_in("gpu_hours.lost.down", a, a, 5, &none);
    ck_assert(h.p_pass <= 0);
}
END_TEST

/* In ten pairs the base is 100 and 10 % are tolerated. */
static const struct {
    bool a_bound, b_bound;
    double b;
    size_t above, within;
} bounds[] = {
    {false, true, 111, 10, 0}, /* at least 111 against 100 */
    {false, true, 110, 0, 0},  /* at least 110: more, or exactly the tolerated value */
    {true, false, 110, 0, 10}, /* 110 against at least 100 */
    {true, false, 111, 0, 0},  {true, true, 500, 0, 0}, {true, true, 50, 0, 0},
};

START_TEST(bounds_are_counted)
{
    const struct harm_rule rule = {METRIC_LOWER, 0.1, 0};
    struct measured a[10], b[10];
    for (int i = 0; i < 10; i++) {
        a[i] = (struct measured){100, bounds[_i].a_bound};
        b[i] = (struct measured){bounds[_i].b, bounds[_i].b_bound};
    }
    const struct measure m = {"wait_s.p95", metric_find("wait_s.p95"), {a, b}};
    struct harm h = harm_of(&m, 10, &rule, 0.025);
    ck_assert_int_eq(h.scale, JUDGE_SIGNS);
    ck_assert_uint_eq(h.above, bounds[_i].above);
    ck_assert_uint_eq(h.within, bounds[_i].within);
    ck_assert_double_eq_tol(h.p_fail, bounds[_i].above == 10 ? 1.0 / 1024 : 1, 1e-12);
    ck_assert_double_eq_tol(h.p_pass, bounds[_i].within == 10 ? 1.0 / 1024 : 1, 1e-12);
    ck_assert(isnan(h.harm) && isnan(h.se));
    ck_assert(h.needed == (bounds[_i].above + bounds[_i].within == 10 ? 0 : SIZE_MAX));
}
END_TEST

/* Seven of ten are no sign at 0.025 (p 0.17); 21 of 30 are (p 0.0214), 20 of 29 are not (p 0.031).
 */
START_TEST(more_signs_needed)
{
    const struct harm_rule rule = {METRIC_LOWER, 0.1, 0};
    struct measured a[10], b[10];
    for (int i = 0; i < 10; i++) {
        a[i] = (struct measured){100, false};
        b[i] = (struct measured){i < 7 ? 200 : 50, true};
    }
    const struct measure m = {"wait_s.p95", metric_find("wait_s.p95"), {a, b}};
    struct harm h = harm_of(&m, 10, &rule, 0.025);
    ck_assert_uint_eq(h.above, 7);
    ck_assert_double_eq_tol(h.p_fail, 0.171875, 1e-12);
    ck_assert_uint_eq(h.needed, 30);
}
END_TEST

START_TEST(missing_values)
{
    const double none = (double)NAN;
    const double a[] = {1, none, 3, 4}, same[] = {1.1, none, 3.2, 4.1},
                 less[] = {1.1, none, none, 4.1};
    const struct harm_rule rule = {METRIC_LOWER, 0.1, 0};
    struct harm both = harm_in("gpu_hours.lost.down", a, same, 4, &rule),
                one = harm_in("gpu_hours.lost.down", a, less, 4, &rule);
    ck_assert_uint_eq(both.n, 3);
    ck_assert_uint_eq(both.left_out, 1);
    ck_assert_double_eq_tol(both.harm, 0.4 / 8, 1e-12);
    ck_assert_uint_eq(one.half_defined, 1);
    ck_assert(one.p_fail >= 1 && one.p_pass >= 1);
    ck_assert(isnan(one.harm));
    struct harm single = harm_in("gpu_hours.lost.down", a, same, 1, &rule);
    ck_assert(single.p_fail >= 1 && single.p_pass >= 1);
    ck_assert_uint_eq(single.needed, SIZE_MAX); /* nothing is decided, and the scatter is unknown */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("harm");
    TCase *tcase = tcase_create("harm");
    tcase_add_test(tcase, sleep_is_harm_or_its_opposite);
    tcase_add_loop_test(tcase, margins_of_differences, 0, ROWS(margins));
    tcase_add_test(tcase, replicas_needed);
    tcase_add_test(tcase, harm_is_the_change_of_the_means);
    tcase_add_loop_test(tcase, the_interval_decides, 0, harness_repeats(200));
    tcase_add_test(tcase, the_same_in_every_pair);
    tcase_add_loop_test(tcase, bounds_are_counted, 0, ROWS(bounds));
    tcase_add_test(tcase, more_signs_needed);
    tcase_add_test(tcase, missing_values);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
