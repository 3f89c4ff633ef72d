/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expected values of a kind of sessions, without drawing: durations, GPU-seconds, bursts, rates. */
#include "traces/generate/generator.h"

#include "tests/lib/harness.h"

#include <math.h>

/* Expected values: Simpson's rule over the survival function, computed outside this program. */
static const struct {
    double median_s, sigma, max_s, mean_s;
} mean_rows[] = {
    {1800, 1.6, 172800, 6167.707145},
    {5400, 1.5, 259200, 15583.794896},
    {8100, 1.2, 43200, 13127.997581},
    {1000, 1, 1000, 761.578292},
    {100, 0.5, 1e8, 113.314845}, // never stopped: 100 exp(1/8)
    {100, 0, 1e8, 100},
    {100, 0, 60, 60},
};

START_TEST(durations_have_the_mean_of_the_integral)
{
    double mean =
        gen_duration_mean_s(mean_rows[_i].median_s, mean_rows[_i].sigma, mean_rows[_i].max_s);
    ck_assert_double_eq_tol(mean, mean_rows[_i].mean_s, 1e-3);
}
END_TEST

static const struct gen_outcome outcomes[] = {
    {0, {[TRACE_COMPLETED] = 1}},
    {4, {[TRACE_COMPLETED] = 3, [TRACE_FAILED] = 1}},
};

static const struct gen_kind two_sizes = {
    .sizes = {{500, 1}, {8000, 3}},
    .size_count = 2,
    .outcomes = outcomes,
    .outcome_count = 2,
    .median_s = {[TRACE_COMPLETED] = 100, [TRACE_FAILED] = 20, [TRACE_CANCELLED] = 1},
    .sigma = 0,
    .max_s = 1000,
};

START_TEST(gpu_seconds_add_up)
{
    // A quarter of half a GPU for 100 s, three quarters of 8 GPUs for (3 x 100 + 1 x 20) / 4 = 80
    // s.
    ck_assert_double_eq_tol(gen_kind_gpu_s(&two_sizes), 0.25 * 50 + 0.75 * 640, 1e-9);
}
END_TEST

static const struct {
    int64_t gpu_milli;
    int row;
} outcome_rows[] = {
    {250, 0}, {1000, 0}, {3999, 0}, {4000, 1}, {64000, 1},
};

START_TEST(outcomes_go_by_size)
{
    ck_assert_ptr_eq(gen_kind_outcome(&two_sizes, outcome_rows[_i].gpu_milli),
                     &outcomes[outcome_rows[_i].row]);
}
END_TEST

static const struct {
    double share, exponent;
    int max;
    double mean;
} burst_rows[] = {
    {0, 2.2, 32, 1},
    {0.15, 2.2, 32, 1.5091163658},
    {0.5, 2.2, 3, 1.6453462393},
    {1, 0, 4, 3}, // 2, 3 and 4 equally likely
};

START_TEST(bursts_have_their_mean)
{
    struct gen_kind kind = {.burst_share = burst_rows[_i].share,
                            .burst_exponent = burst_rows[_i].exponent,
                            .burst_max = burst_rows[_i].max};
    double weights[32] = {0}, sum = 0, jobs = 0;
    double mean = gen_kind_bursts(&kind, weights);
    for (int n = 1; n <= 32; n++) {
        sum += weights[n - 1];
        jobs += n * weights[n - 1];
    }
    ck_assert_double_eq_tol(mean, burst_rows[_i].mean, 1e-9);
    ck_assert_double_eq_tol(sum, 1, 1e-12);
    ck_assert_double_eq_tol(jobs, burst_rows[_i].mean, 1e-9);
}
END_TEST

/* Nights are half as busy as days, Sundays a quarter of the other days. */
static const struct gen_calendar calendar = {
    .hour = {1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
    .weekday = {4, 4, 4, 4, 4, 4, 1},
};

static const int64_t horizon_rows[] = {0, 3600, 86400, 90000, 604800, 700000, 1209600, 100000000};

START_TEST(rates_have_mean_one_over_the_horizon)
{
    struct gen_kind kind = {.calendar = &calendar};
    int64_t horizon_s = horizon_rows[_i] ? horizon_rows[_i] : 604800;
    for (kind.calendar_power = 0; kind.calendar_power < 3; kind.calendar_power++) {
        double rates[GEN_WEEK_HOURS], sum = 0, largest = 0;
        double peak = gen_kind_rates(&kind, horizon_rows[_i], rates);
        for (int64_t t = 0; t < horizon_s; t += 100)
            sum += rates[t / 3600 % GEN_WEEK_HOURS];
        for (int h = 0; h < GEN_WEEK_HOURS; h++)
            largest = fmax(largest, rates[h]);
        ck_assert_double_eq_tol(sum / ((double)horizon_s / 100), 1, 1e-9);
        ck_assert_double_eq(peak, largest);
        // Monday noon against Sunday, 3 o'clock: 8 to 1 in the calendar.
        ck_assert_double_eq_tol(rates[12] / rates[6 * 24 + 3], pow(8, kind.calendar_power), 1e-9);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("generate_laws");
    TCase *tcase = tcase_create("generate_laws");
    tcase_add_loop_test(tcase, durations_have_the_mean_of_the_integral, 0, ROWS(mean_rows));
    tcase_add_test(tcase, gpu_seconds_add_up);
    tcase_add_loop_test(tcase, outcomes_go_by_size, 0, ROWS(outcome_rows));
    tcase_add_loop_test(tcase, bursts_have_their_mean, 0, ROWS(burst_rows));
    tcase_add_loop_test(tcase, rates_have_mean_one_over_the_horizon, 0, ROWS(horizon_rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
