/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts on pairs of values: scales, directions, bounds, undefined values, no variance, one
 * replica. */
#include "report/compare/judge.h"
#include "sim/base/rng.h"
#include "tests/lib/harness.h"

#include <gsl/gsl_randist.h>
#include <math.h>

enum { MOST = 10 };

static struct judgement judged(const char *path, const struct measured *a, const struct measured *b,
                               size_t n)
{
    struct measured left[MOST], right[MOST];
    for (size_t i = 0; i < n; i++) {
        left[i] = a[i];
        right[i] = b[i];
    }
    const struct measure m = {path, metric_find(path), {left, right}};
    struct judgement j = judge(&m, n, 0.05);
    j.p_holm = j.p;
    judge_decide(&j, m.row->better, 0.05);
    return j;
}

/* Hours of sleep as a metric: difference B - A of the published example. */
static const struct measured sleep_a[] = {
    {0.7, false}, {-1.6, false}, {-0.2, false}, {-1.2, false}, {-0.1, false},
    {3.4, false}, {3.7, false},  {0.8, false},  {0.0, false},  {2.0, false}};
static const struct measured sleep_b[] = {{1.9, false},  {0.8, false}, {1.1, false}, {0.1, false},
                                          {-0.1, false}, {4.4, false}, {5.5, false}, {1.6, false},
                                          {4.6, false},  {3.4, false}};

static const struct {
    const char *path;
    enum judge_verdict verdict;
} directions[] = {
    {"utilization.fleet_goodput", JUDGE_BETTER},
    {"gpu_hours.lost.down", JUDGE_WORSE},
    {"jobs.submitted", JUDGE_HIGHER},
};

START_TEST(direction_comes_from_the_metric)
{
    struct judgement j = judged(directions[_i].path, sleep_a, sleep_b, 10);
    ck_assert_int_eq(j.scale, JUDGE_DIFFERENCE);
    ck_assert_int_eq(j.verdict, directions[_i].verdict);
    ck_assert_double_eq_tol(j.p, 0.0063910, 1e-6); /* see tests/report/stats/test_skewed.c */
    ck_assert_double_eq_tol(j.difference.low, 0.5681313, 1e-6);
    ck_assert_double_eq_tol(j.difference.high, 3.5165119, 1e-6);
    ck_assert(isnan(j.change.low));                      /* some are below 0 */
    ck_assert_double_eq_tol(j.p_rank, 2.0 / 512, 1e-12); /* nine of nine positive */
    ck_assert_uint_eq(j.higher, 9);
}
END_TEST

/* Means of 10h14m and 1h15m: -87.8 %, although the pairs' ratios have a geometric mean of 0.150. */
START_TEST(the_change_is_that_of_the_means)
{
    static const struct measured
        a[] = {{10000, false}, {20000, false}, {33420, false}, {50780, false}, {70000, false}},
        b[] = {{5000, false}, {5000, false}, {4500, false}, {4000, false}, {4000, false}};
    struct judgement j = judged("wait_s.mean", a, b, 5);
    ck_assert_int_eq(j.scale, JUDGE_CHANGE);
    ck_assert_double_eq_tol(j.mean[SIDE_A], 36840, 1e-9);
    ck_assert_double_eq_tol(j.mean[SIDE_B], 4500, 1e-9);
    ck_assert_double_eq_tol(j.change.mean, 4500.0 / 36840 - 1, 1e-12);
    ck_assert_double_eq_tol(j.change.mean, -0.878, 5e-4);
    ck_assert_double_eq_tol(j.difference.mean, 4500 - 36840, 1e-9);
}
END_TEST

/* For any sample, the verdict agrees with the interval shown, for amounts and for values that may
 * be negative. */
START_TEST(verdict_and_interval_agree)
{
    struct measured a[MOST], b[MOST];
    struct rng_stream stream;
    rng_init(&stream, 5, RNG_TEST, (uint64_t)_i);
    double shift = _i % 3 == 0 ? 1.5 : 0;
    for (int i = 0; i < MOST; i++) {
        a[i] = (struct measured){gsl_ran_lognormal(rng_gsl(&stream), 0, 0.5), false};
        b[i] = (struct measured){a[i].value * gsl_ran_lognormal(rng_gsl(&stream), 0.2, 0.5) - shift,
                                 false};
        a[i].value -= shift;
    }
    struct judgement j = judged("wait_s.mean", a, b, 5 + (size_t)_i % 6);
    ck_assert_int_eq(j.scale, shift > 0 ? JUDGE_DIFFERENCE : JUDGE_CHANGE);
    const struct judge_range *shown = j.scale == JUDGE_CHANGE ? &j.change : &j.difference;
    ck_assert(shown->low < shown->mean && shown->mean < shown->high);
    ck_assert_int_eq(j.verdict, shown->low > 0    ? JUDGE_WORSE
                                : shown->high < 0 ? JUDGE_BETTER
                                                  : JUDGE_UNSEEN);
    ck_assert_int_eq(j.p <= 0.05, j.verdict != JUDGE_UNSEEN);
}
END_TEST

START_TEST(equal_and_constant)
{
    static const struct measured
        a[] = {{0.5, false}, {0.5, false}, {0.5, false}, {0.5, false}, {0.5, false}},
        b[] = {{0.75, false}, {0.75, false}, {0.75, false}, {0.75, false}, {0.75, false}},
        zero[] = {{0, false}, {0, false}, {0, false}, {0, false}, {0, false}};
    struct judgement same = judged("fairness.jain", a, a, 5),
                     other = judged("fairness.jain", a, b, 5);
    ck_assert_int_eq(same.verdict, JUDGE_EQUAL);
    ck_assert(isnan(same.p) && isnan(same.difference.low));
    ck_assert_int_eq(other.verdict,
                     JUDGE_BETTER); /* the same difference in every pair gives no interval */
    ck_assert(other.constant && isnan(other.difference.low) && isnan(other.change.high));
    ck_assert_double_eq(other.difference.mean, 0.25);
    ck_assert_double_eq_tol(other.change.mean, 0.5, 1e-12);
    struct measured few[5],
        twice[5]; /* the same ratio in every pair, for widely scattered amounts */
    for (int i = 0; i < 5; i++) {
        few[i] = (struct measured){pow(8, i), false};
        twice[i] = (struct measured){2 * few[i].value, false};
    }
    struct judgement doubled = judged("preemption.moves", few, twice, 5);
    ck_assert_int_eq(doubled.verdict, JUDGE_WORSE);
    ck_assert(doubled.constant && isnan(doubled.change.low));
    ck_assert_double_eq_tol(doubled.change.mean, 1, 1e-12);
    struct judgement from_none = judged("preemption.moves", zero, a, 5);
    ck_assert(isnan(from_none.change.mean)); /* a share of zero */
    ck_assert_double_eq(from_none.difference.mean, 0.5);
    ck_assert_int_eq(from_none.verdict, JUDGE_WORSE);
}
END_TEST

START_TEST(one_replica_has_no_verdict)
{
    static const struct measured a[] = {{100, false}}, b[] = {{150, false}};
    struct judgement j = judged("wait_s.mean", a, b, 1);
    ck_assert_int_eq(j.verdict, JUDGE_NONE);
    ck_assert_double_eq_tol(j.change.mean, 0.5, 1e-12);
    ck_assert(isnan(j.change.low) && isnan(j.p));
    judge_certain(&j, METRIC_LOWER); /* but if it is the only one */
    ck_assert_int_eq(j.verdict, JUDGE_WORSE);
    judge_certain(&j, METRIC_NEUTRAL);
    ck_assert_int_eq(j.verdict, JUDGE_HIGHER);
    j = judged("wait_s.mean", a, a, 1);
    judge_certain(&j, METRIC_LOWER);
    ck_assert_int_eq(j.verdict, JUDGE_EQUAL);
}
END_TEST

/* Four pairs say too little about a tail: values, but neither interval nor verdict. */
START_TEST(few_pairs_have_no_verdict)
{
    struct judgement four = judged("utilization.fleet_goodput", sleep_a, sleep_b, 4),
                     five = judged("utilization.fleet_goodput", sleep_a, sleep_b, 5);
    ck_assert_int_eq(four.verdict, JUDGE_NONE);
    ck_assert(isnan(four.difference.low) && isnan(four.change.low) && isnan(four.p));
    ck_assert_double_eq_tol(four.difference.mean, (1.2 + 2.4 + 1.3 + 1.3) / 4, 1e-12);
    ck_assert_int_eq(five.verdict, JUDGE_UNSEEN);
    ck_assert(five.difference.low < five.difference.mean &&
              five.difference.mean < five.difference.high);
}
END_TEST

/* Amounts cannot fall by more than 100 %. If one replica has all of a side, or none has any, there
 * is no ratio. */
START_TEST(no_change_is_below_minus_one)
{
    static const struct measured
        a[] = {{10, false}, {12, false}, {8, false}, {11, false}, {9, false}},
        b[] = {{0, false}, {0, false}, {0.5, false}, {1, false}, {0, false}},
        one[] = {{0, false}, {0, false}, {0, false}, {1, false}, {0, false}},
        none[] = {{0, false}, {0, false}, {0, false}, {0, false}, {0, false}};
    struct judgement j = judged("gpu_hours.lost.down", a, b, 5),
                     lone = judged("gpu_hours.lost.down", a, one, 5),
                     all = judged("gpu_hours.lost.down", a, none, 5);
    ck_assert_int_eq(j.scale, JUDGE_CHANGE);
    ck_assert_double_eq_tol(j.change.mean, 0.03 - 1, 1e-12);
    ck_assert(j.change.low > -1 && j.change.high > j.change.mean);
    ck_assert_int_eq(lone.scale, JUDGE_DIFFERENCE);
    ck_assert_int_eq(all.scale, JUDGE_DIFFERENCE);
    ck_assert(isnan(lone.change.low) && isnan(all.change.low));
    ck_assert_int_eq(lone.verdict, JUDGE_BETTER);
    ck_assert_int_eq(all.verdict, JUDGE_BETTER);
    ck_assert(all.difference.high < 0);
}
END_TEST

START_TEST(missing_values_are_undefined)
{
    static const struct measured a[] = {{1, false}, {(double)NAN, false}, {3, false}},
                                 b[] = {{1, false}, {2, false}, {3, false}};
    struct judgement j = judged("wait_s.mean", a, b, 3);
    ck_assert_int_eq(j.verdict, JUDGE_UNDEFINED);
    ck_assert_uint_eq(j.defined[SIDE_A], 2);
    ck_assert_uint_eq(j.defined[SIDE_B], 3);
    ck_assert_double_eq(j.mean[SIDE_A], 2);
}
END_TEST

/* Lower bounds of B above A are certain; those below A say nothing, nor do bounds on both sides. */
static const struct {
    bool a_bound, b_bound;
    double b;
    enum judge_verdict verdict;
    size_t higher, lower;
} bounds[] = {
    {false, true, 200, JUDGE_WORSE, 10, 0}, {false, true, 50, JUDGE_UNSEEN, 0, 0},
    {true, false, 50, JUDGE_BETTER, 0, 10}, {true, false, 200, JUDGE_UNSEEN, 0, 0},
    {true, true, 200, JUDGE_UNSEEN, 0, 0},  {true, true, 100, JUDGE_UNSEEN, 0, 0},
};

START_TEST(bounds_have_signs)
{
    struct measured a[MOST], b[MOST];
    for (int i = 0; i < MOST; i++) {
        a[i] = (struct measured){100, bounds[_i].a_bound};
        b[i] = (struct measured){bounds[_i].b, bounds[_i].b_bound};
    }
    struct judgement j = judged("wait_s.p95", a, b, MOST);
    ck_assert_int_eq(j.scale, JUDGE_SIGNS);
    ck_assert_int_eq(j.verdict, bounds[_i].verdict);
    ck_assert_uint_eq(j.higher, bounds[_i].higher);
    ck_assert_uint_eq(j.lower, bounds[_i].lower);
    ck_assert(isnan(j.change.mean));
    if (j.higher + j.lower == MOST)
        ck_assert_double_eq_tol(j.p, 2.0 / 1024, 1e-12);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("judge");
    TCase *tcase = tcase_create("judge");
    tcase_add_loop_test(tcase, direction_comes_from_the_metric, 0, ROWS(directions));
    tcase_add_test(tcase, the_change_is_that_of_the_means);
    tcase_add_loop_test(tcase, verdict_and_interval_agree, 0, harness_repeats(100));
    tcase_add_test(tcase, few_pairs_have_no_verdict);
    tcase_add_test(tcase, equal_and_constant);
    tcase_add_test(tcase, one_replica_has_no_verdict);
    tcase_add_test(tcase, no_change_is_below_minus_one);
    tcase_add_test(tcase, missing_values_are_undefined);
    tcase_add_loop_test(tcase, bounds_have_signs, 0, ROWS(bounds));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
