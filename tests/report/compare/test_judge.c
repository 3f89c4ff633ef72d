/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts on pairs of values: scales, directions, bounds, what is undefined, no variance, one replica. */
#include "report/compare/judge.h"
#include "tests/lib/harness.h"

#include <math.h>

enum { MOST = 10 };

static struct judgement judged(const char *path, const struct measured *a, const struct measured *b, size_t n)
{
    struct measured left[MOST], right[MOST];
    for (size_t i = 0; i < n; i++) {
        left[i] = a[i];
        right[i] = b[i];
    }
    const struct measure m = {
        path, metric_find(path), {left, right}
    };
    struct judgement j = judge(&m, n, 0.05);
    j.p_holm = j.p;
    judge_decide(&j, m.row->better, 0.05);
    return j;
}

/* Hours of sleep as a metric: difference B - A of the published example. */
static const struct measured sleep_a[] = {
    {0.7,  false},
    {-1.6, false},
    {-0.2, false},
    {-1.2, false},
    {-0.1, false},
    {3.4,  false},
    {3.7,  false},
    {0.8,  false},
    {0.0,  false},
    {2.0,  false}
};
static const struct measured sleep_b[] = {
    {1.9,  false},
    {0.8,  false},
    {1.1,  false},
    {0.1,  false},
    {-0.1, false},
    {4.4,  false},
    {5.5,  false},
    {1.6,  false},
    {4.6,  false},
    {3.4,  false}
};

static const struct {
    const char *path;
    enum judge_verdict verdict;
} directions[] = {
    {"utilization.fleet_goodput", JUDGE_BETTER},
    {"gpu_hours.lost.down",       JUDGE_WORSE },
    {"jobs.submitted",            JUDGE_HIGHER},
};

START_TEST(direction_comes_from_the_metric)
{
    struct judgement j = judged(directions[_i].path, sleep_a, sleep_b, 10);
    ck_assert_int_eq(j.scale, JUDGE_DIFFERENCE);
    ck_assert_int_eq(j.verdict, directions[_i].verdict);
    ck_assert_double_eq_tol(j.p, 0.002833, 5e-7);
    ck_assert_double_eq_tol(j.difference.low, 0.7001142, 1e-7);
    ck_assert_double_eq_tol(j.difference.high, 2.4598858, 1e-7);
    ck_assert(isnan(j.change.mean) && isnan(j.change.low)); /* the mean of A, 0.75, may as well be 0 */
    ck_assert_double_eq_tol(j.p_rank, 2.0 / 512, 1e-12);    /* nine of nine positive */
    ck_assert_uint_eq(j.higher, 9);
}
END_TEST

/* Twice as long, with a tenth of noise in the logarithm: the ratio is 2. */
START_TEST(times_are_compared_by_ratios)
{
    static const struct measured a[] = {
        {10,   false},
        {1000, false},
        {50,   false},
        {200,  false}
    };
    struct measured b[4];
    for (int i = 0; i < 4; i++)
        b[i] = (struct measured){2 * a[i].value * exp(i % 2 ? 0.1 : -0.1), false};
    struct judgement j = judged("wait_s.mean", a, b, 4);
    ck_assert_int_eq(j.scale, JUDGE_LOG_RATIO);
    ck_assert_int_eq(j.verdict, JUDGE_WORSE);
    ck_assert_double_eq_tol(j.change.mean, 1, 1e-12);
    double half = 3.182446 * sqrt(0.04 / 3) / 2; /* t(0.975; 3) sd / sqrt(4) */
    ck_assert_double_eq_tol(j.change.high, 2 * exp(half) - 1, 1e-5);
    ck_assert_double_eq_tol(j.change.low, 2 * exp(-half) - 1, 1e-5);
    b[0].value = 0;
    ck_assert_int_eq(judged("wait_s.mean", a, b, 4).scale, JUDGE_DIFFERENCE);
}
END_TEST

START_TEST(equal_and_constant)
{
    static const struct measured a[] =
        {
            {0.5, false},
            {0.5, false},
            {0.5, false}
    },
                                 b[] = {{0.75, false}, {0.75, false}, {0.75, false}},
                                 zero[] = {{0, false}, {0, false}, {0, false}};
    struct judgement same = judged("fairness.jain", a, a, 3), other = judged("fairness.jain", a, b, 3);
    ck_assert_int_eq(same.verdict, JUDGE_EQUAL);
    ck_assert(isnan(same.p));
    ck_assert_int_eq(other.verdict, JUDGE_BETTER); /* the same difference in every pair */
    ck_assert_double_eq(other.difference.low, 0.25);
    ck_assert_double_eq(other.difference.high, 0.25);
    struct judgement from_none = judged("preemption.moves", zero, a, 3);
    ck_assert(isnan(from_none.change.mean)); /* a share of nothing */
    ck_assert_double_eq(from_none.difference.mean, 0.5);
    ck_assert_int_eq(from_none.verdict, JUDGE_WORSE);
}
END_TEST

START_TEST(one_replica_has_no_verdict)
{
    static const struct measured a[] =
        {
            {100, false}
    },
                                 b[] = {{150, false}};
    struct judgement j = judged("wait_s.mean", a, b, 1);
    ck_assert_int_eq(j.verdict, JUDGE_NONE);
    ck_assert_double_eq_tol(j.change.mean, 0.5, 1e-12);
    ck_assert(isnan(j.change.low) && isnan(j.p));
    judge_certain(&j, METRIC_LOWER); /* but when it is the only one there is */
    ck_assert_int_eq(j.verdict, JUDGE_WORSE);
    judge_certain(&j, METRIC_NEUTRAL);
    ck_assert_int_eq(j.verdict, JUDGE_HIGHER);
    j = judged("wait_s.mean", a, a, 1);
    judge_certain(&j, METRIC_LOWER);
    ck_assert_int_eq(j.verdict, JUDGE_EQUAL);
}
END_TEST

/* Amounts do not fall by more than all of them, however uncertain what is left is. */
START_TEST(no_change_is_below_minus_one)
{
    static const struct measured a[] =
        {
            {10, false},
            {12, false},
            {8,  false},
            {11, false}
    },
                                 b[] = {{0, false}, {0, false}, {0, false}, {1, false}},
                                 none[] = {{0, false}, {0, false}, {0, false}, {0, false}};
    struct judgement j = judged("gpu_hours.lost.down", a, b, 4),
                     all = judged("gpu_hours.lost.down", a, none, 4);
    ck_assert_int_eq(j.scale, JUDGE_DIFFERENCE);
    ck_assert_int_eq(j.verdict, JUDGE_BETTER);
    ck_assert_double_eq_tol(j.change.mean, 0.25 / 10.25 - 1, 1e-12);
    ck_assert_double_eq(j.change.low, -1);
    ck_assert(j.change.high > j.change.mean && j.change.high < 0);
    ck_assert(j.bootstrap.low >= -1 && j.bootstrap.high < 0);
    ck_assert_double_eq(all.change.low, -1);
    ck_assert_double_eq(all.change.high, -1);
    ck_assert_double_eq(all.bootstrap.low, -1);
}
END_TEST

START_TEST(what_is_missing_is_undefined)
{
    static const struct measured a[] =
        {
            {1,           false},
            {(double)NAN, false},
            {3,           false}
    },
                                 b[] = {{1, false}, {2, false}, {3, false}};
    struct judgement j = judged("wait_s.mean", a, b, 3);
    ck_assert_int_eq(j.verdict, JUDGE_UNDEFINED);
    ck_assert_uint_eq(j.defined[SIDE_A], 2);
    ck_assert_uint_eq(j.defined[SIDE_B], 3);
    ck_assert_double_eq(j.mean[SIDE_A], 2);
}
END_TEST

/* Lower bounds of B above A are certain, those below A say nothing, and so do bounds on both sides. */
static const struct {
    bool a_bound, b_bound;
    double b;
    enum judge_verdict verdict;
    size_t higher, lower;
} bounds[] = {
    {false, true,  200, JUDGE_WORSE,  10, 0 },
    {false, true,  50,  JUDGE_UNSEEN, 0,  0 },
    {true,  false, 50,  JUDGE_BETTER, 0,  10},
    {true,  false, 200, JUDGE_UNSEEN, 0,  0 },
    {true,  true,  200, JUDGE_UNSEEN, 0,  0 },
    {true,  true,  100, JUDGE_UNSEEN, 0,  0 },
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
    tcase_add_test(tcase, times_are_compared_by_ratios);
    tcase_add_test(tcase, equal_and_constant);
    tcase_add_test(tcase, one_replica_has_no_verdict);
    tcase_add_test(tcase, no_change_is_below_minus_one);
    tcase_add_test(tcase, what_is_missing_is_undefined);
    tcase_add_loop_test(tcase, bounds_have_signs, 0, ROWS(bounds));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
