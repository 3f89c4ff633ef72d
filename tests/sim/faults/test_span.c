/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spans against the quantiles and means of their distributions, and against the repairs of LANL. */
#include "sim/faults/span.h"

#include "sim/faults/classes.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdlib.h>

#define DRAWS 200000

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorted draws in seconds. */
static double *draws_of(const struct fault_span *span, double *mean)
{
    double *draws = calloc(DRAWS, sizeof *draws), sum = 0;
    ck_assert_ptr_nonnull(draws);
    struct rng_stream stream;
    rng_init(&stream, 1, RNG_TEST, 0);
    for (int i = 0; i < DRAWS; i++)
        sum += draws[i] = (double)fault_span_draw_ms(span, &stream) / 1000;
    qsort(draws, DRAWS, sizeof *draws, by_value);
    *mean = sum / DRAWS;
    return draws;
}

static const struct span_row {
    struct fault_span span;
    double mean, median, tolerance; /* seconds, relative */
} span_rows[] = {
    {{.kind = FAULT_SPAN_NONE}, 0, 0, 0},
    {{.kind = FAULT_SPAN_FIXED, .a = 90}, 90, 90, 0},
    {{.kind = FAULT_SPAN_FIXED, .a = 90, .at_once = 0.25}, 67.5, 90, 0.02},
    {{.kind = FAULT_SPAN_UNIFORM, .a = 60, .b = 300}, 180, 180, 0.01},
    {{.kind = FAULT_SPAN_LOGNORMAL, .a = 1200, .b = 1}, 1978.5, 1200, 0.02}, /* 1200 e^0.5 */
    {{.kind = FAULT_SPAN_WEIBULL, .a = 1000, .b = 0.5}, 1000, 240.2, 0.02},  /* 500 ln(2)^2 */
};

START_TEST(spans_have_their_moments)
{
    const struct span_row *row = &span_rows[_i];
    double mean, *draws = draws_of(&row->span, &mean);
    ck_assert_double_eq_tol(fault_span_mean_s(&row->span), row->mean, 1e-4 * row->mean + 1e-9);
    ck_assert_double_eq_tol(mean, row->mean, row->tolerance * row->mean + 0.001);
    ck_assert_double_eq_tol(draws[DRAWS / 2], row->median, row->tolerance * row->median + 0.001);
    free(draws);
}
END_TEST

/* The body of LANL's repairs: ln-minutes 4.15 +- 1.40, median 63 minutes fitted (60 counted), mean
 * 169. */
START_TEST(body_of_lanl)
{
    struct fault_span body = {.kind = FAULT_SPAN_LOGNORMAL, .a = 60 * exp(4.15), .b = 1.40};
    double mean, *draws = draws_of(&body, &mean);
    ck_assert_double_eq_tol(draws[DRAWS / 2] / 60, 63, 0.05 * 63);
    ck_assert_double_eq_tol(fault_span_mean_s(&body) / 60, 169, 0.01 * 169);
    free(draws);
}
END_TEST

/* The whole has the same median, and the mean of 355 due to its longest repairs. */
START_TEST(tail_of_lanl)
{
    struct fault_span whole = fault_span_heavy(60 * exp(4.15), 1.40, 355 * 60);
    double mean, *draws = draws_of(&whole, &mean);
    ck_assert_double_eq_tol(draws[DRAWS / 2] / 60, 63, 0.05 * 63);
    ck_assert_double_eq_tol(fault_span_mean_s(&whole) / 60, 355, 0.5);
    ck_assert_double_eq_tol(mean / 60, 355, 0.05 * 355);
    ck_assert_double_le(draws[DRAWS - 1], 30 * 24 * 3600);
    // Up to the 95th percentile it equals the body: e^(4.15 + 1.40 z) minutes.
    ck_assert_double_eq_tol(draws[DRAWS / 4] / 60, exp(4.15 - 1.40 * 0.6745), 0.5);
    ck_assert_double_eq_tol(draws[DRAWS / 100 * 90] / 60, exp(4.15 + 1.40 * 1.2816), 8);
    free(draws);
}
END_TEST

START_TEST(means_make_lognormals)
{
    // Delta: 0.88 and 2.2 hours out on average, while half of the resets take 20 minutes.
    struct fault_span a100 = fault_span_of_mean(1200, 0.88 * 3600),
                      h100 = fault_span_of_mean(1200, 2.2 * 3600);
    ck_assert_double_eq_tol(a100.b, 1.393, 0.001); // sqrt(2 ln 2.64)
    ck_assert_double_eq_tol(h100.b, 1.943, 0.001); // sqrt(2 ln 6.6)
    ck_assert_double_eq_tol(fault_span_mean_s(&a100), 3168, 0.01);
    ck_assert_double_eq_tol(fault_span_mean_s(&h100), 7920, 0.01);
    ck_assert_double_eq(fault_span_of_mean(7, 7).b, 0);
    // A mean that no tail can reach becomes the largest possible one.
    struct fault_span far = fault_span_heavy(60, 1, 1e9);
    ck_assert_double_le(fault_span_mean_s(&far), 0.05 * 30 * 24 * 3600 + 120);
    struct fault_span endless = {.kind = FAULT_SPAN_FIXED, .a = 1e15};
    struct rng_stream stream;
    rng_init(&stream, 1, RNG_TEST, 0);
    ck_assert_int_eq(fault_span_draw_ms(&endless, &stream), FAULT_SPAN_MOST_MS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("span");
    TCase *tcase = tcase_create("spans");
    tcase_add_loop_test(tcase, spans_have_their_moments, 0, ROWS(span_rows));
    tcase_add_test(tcase, body_of_lanl);
    tcase_add_test(tcase, tail_of_lanl);
    tcase_add_test(tcase, means_make_lognormals);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
