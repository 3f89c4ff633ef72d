/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formulas of ETTR against published figures, against a job followed failure by failure, and
 * against laws that hold for any figures. Rates are failures per 1,000 node-days, times are
 * minutes.
 */
#include "sim/goodput/ettr.h"

#include "sim/base/rng.h"
#include "tests/lib/harness.h"

#include <gsl/gsl_randist.h>
#include <math.h>

#define MINUTES_1000_DAYS 1440000.0
#define LLAMA_KND         3.789

/* "Revisiting reliability", arXiv 2410.21680: mean time to failure by size of the job, with its
 * fitted rates. */
static const struct mttf_row {
    double nodes, knd, hours, tolerance;
} mttf_rows[] = {
    {2048, 6.50, 1.8, 0.02},   /* 16,384 GPUs */
    {16384, 6.50, 0.23, 0.03}, /* 131,072; printed with two digits */
    {512, 6.50, 7.21, 0.02},   {512, 2.34, 20.0, 0.02},
    {1, 22, 45.5 * 24, 0.10},  {128, 22, 8.5, 0.10},
};

START_TEST(mttf_by_size)
{
    const struct mttf_row *row = &mttf_rows[_i];
    double hours = ettr_mttf_hours(row->nodes, row->knd);
    ck_assert_double_eq_tol(hours, row->hours, row->tolerance * row->hours);
    ck_assert_double_eq_tol(ettr_mttf_hours(2 * row->nodes, row->knd), hours / 2, 1e-9 * hours);
    ck_assert_double_eq_tol(ettr_mttf_hours(2 * row->nodes, row->knd / 2), hours, 1e-9 * hours);
}
END_TEST

static struct ettr job_of(double nodes, double knd, double interval, double write, double restart)
{
    return (struct ettr){nodes * knd / MINUTES_1000_DAYS, interval, write, restart};
}

/* `interval` 0: that of Young's formula, which must be `best`. `first` 0: not given. */
static const struct ettr_row {
    double nodes, knd, interval, write, restart, exact, tolerance, first, best;
} ettr_rows[] = {
    {2000, 6.50, 60, 0, 5, 0.720, 0.0072, 0.684, 0},
    {2000, 6.50, 5, 0, 5, 0.935, 0.0047, 0.932, 0},
    {512, 6.50, 60, 0, 5, 0.922, 0.0046, 0, 0},
    {256, 6.50, 60, 0, 5, 0.960, 0.0048, 0, 0},
    {1500, 6.50, 0, 5, 5, 0.736, 0.0074, 0.740, 38.4},
    {2048, LLAMA_KND, 0, 0.5, 5, 0.904, 0.0045, 0, 13.6},
    {2048, LLAMA_KND, 0, 1. / 6, 10, 0.908, 0.0045, 0, 7.9},
    {2048, LLAMA_KND, 0, 1, 5, 0.876, 0.0044, 0, 19.3},
    {2048, LLAMA_KND, 0, 5, 20, 0.705, 0.0035, 0, 43.1},
    {12500, 6.50, 7, 0, 5, 0.615, 0.0031, 0.520, 0},
};

START_TEST(ettr_as_published)
{
    const struct ettr_row *row = &ettr_rows[_i];
    struct ettr job = job_of(row->nodes, row->knd, row->interval, row->write, row->restart);
    if (row->interval == 0) {
        job.interval = ettr_young_interval(job.write, 1 / job.rate);
        ck_assert_double_eq_tol(job.interval, row->best, 0.06);
    }
    ck_assert_double_eq_tol(ettr_exact(&job), row->exact, row->tolerance);
    if (row->first > 0)
        ck_assert_double_eq_tol(ettr_first_order(&job), row->first, 0.005);
    ck_assert_double_ge(ettr_immune(&job), ettr_exact(&job));
}
END_TEST

/* Follows the job failure by failure, with a clock and no formula. Restarts may fail, too, unless
 * `immune`. */
static double followed(const struct ettr *job, bool immune, double until, uint64_t seed)
{
    struct rng_stream stream;
    rng_init(&stream, seed, RNG_TEST, 0);
    double clock = 0, kept = 0, next = gsl_ran_exponential(rng_gsl(&stream), 1 / job->rate);
    bool restarting = false;
    while (clock < until) {
        double span = restarting ? job->restart : job->interval + job->write;
        if (restarting && immune)
            next += span;
        if (next >= clock + span) {
            clock += span;
            kept += restarting ? 0 : job->interval;
            restarting = false;
        } else {
            clock = next;
            restarting = true;
            next = clock + gsl_ran_exponential(rng_gsl(&stream), 1 / job->rate);
        }
    }
    return kept / clock;
}

START_TEST(ettr_as_followed)
{
    const struct ettr_row *row = &ettr_rows[_i];
    struct ettr job = job_of(row->nodes, row->knd, row->interval > 0 ? row->interval : row->best,
                             row->write, row->restart);
    // 30,000 failures: the noise of the mean is some 0.6 % of what is lost.
    double until = 30000 / job.rate;
    ck_assert_double_eq_tol(followed(&job, false, until, 1), ettr_exact(&job), 0.005);
    ck_assert_double_eq_tol(followed(&job, true, until, 2), ettr_immune(&job), 0.005);
}
END_TEST

START_TEST(more_of_anything_bad_is_worse)
{
    for (double rate = 1e-6; rate < 0.1; rate *= 3) {
        struct ettr job = {rate, 30, 1, 5};
        double here = ettr_exact(&job);
        ck_assert_double_gt(here, 0);
        ck_assert_double_lt(here, 1);
        struct ettr worse[3] = {job, job, job};
        worse[0].rate *= 1.01;
        worse[1].write *= 1.01;
        worse[2].restart *= 1.01;
        for (int i = 0; i < 3; i++) {
            ck_assert_double_lt(ettr_exact(&worse[i]), here);
            ck_assert_double_lt(ettr_immune(&worse[i]), ettr_immune(&job));
            if (ettr_first_order(&job) > 0)
                ck_assert_double_lt(ettr_first_order(&worse[i]), ettr_first_order(&job));
        }
    }
}
END_TEST

START_TEST(without_failures_only_writes_cost)
{
    struct ettr job = {0, 60, 2, 5};
    ck_assert_double_eq_tol(ettr_exact(&job), 1 / (1 + 2. / 60), 1e-15);
    ck_assert_double_eq_tol(ettr_immune(&job), 1 / (1 + 2. / 60), 1e-15);
    ck_assert_double_eq_tol(ettr_first_order(&job), 1 / (1 + 2. / 60), 1e-15);
    job.rate = 1e-12; // and almost none is close to that
    ck_assert_double_eq_tol(ettr_exact(&job), 1 / (1 + 2. / 60), 1e-9);
}
END_TEST

/* M = 180 minutes, write 2, restart 0: Young 26.8, Daly 25.5, first-order waste 14.9 %, true least
 * waste 14.2 %. */
START_TEST(intervals_of_young_and_daly)
{
    ck_assert_double_eq_tol(ettr_young_interval(2, 180), 26.8, 0.05);
    ck_assert_double_eq_tol(ettr_daly_interval(2, 180), 25.5, 0.05);
    ck_assert_double_eq_tol(ettr_best_interval(2, 180), 25.5, 0.05);
    ck_assert_double_eq_tol(ettr_young_waste(2, 180, 0), 0.149, 0.0005);
    ck_assert_double_eq_tol(ettr_young_waste(2, 180, 9), 0.149 + 0.05, 0.0005);
    struct ettr job = {1. / 180, ettr_best_interval(2, 180), 2, 0};
    double best = ettr_exact(&job);
    ck_assert_double_eq_tol(1 - best, 0.142, 0.003);
    for (job.interval = 20; job.interval <= 35; job.interval += 1) { // flat around the optimum
        ck_assert_double_le(ettr_exact(&job), best + 1e-12);
        ck_assert_double_ge(ettr_exact(&job), best - 0.008);
    }
    ck_assert_double_eq(ettr_daly_interval(400, 180), 180);
    // At Young's interval, writes cost as much as rework: w / tau = tau / (2 M).
    double young = ettr_young_interval(2, 180);
    ck_assert_double_eq_tol(2 / young, young / 360, 1e-12);
}
END_TEST

START_TEST(no_interval_is_better_than_the_best)
{
    for (double write = 1e-6; write < 1000; write *= 7) {
        double best = ettr_best_interval(write, 100);
        for (double factor = 0.9; factor < 1.2; factor += 0.2) {
            struct ettr job = {0.01, best, write, 5}, other = {0.01, factor * best, write, 5};
            ck_assert_double_gt(ettr_exact(&job), ettr_exact(&other));
        }
        if (write < 1)
            ck_assert_double_eq_tol(ettr_daly_interval(write, 100), best, 0.001 * best);
    }
}
END_TEST

/* "FT-HSDP", arXiv 2602.00277: a stop every 18 minutes; the printed 0.80 for 3 minutes is not the
 * result of the division. */
START_TEST(stops_seen_from_outside)
{
    ck_assert_double_eq_tol(ettr_stop_to_stop(18, 10), 0.44, 0.02 * 0.44);
    ck_assert_double_eq_tol(ettr_stop_to_stop(18, 3), 0.833, 0.02 * 0.833);
    ck_assert_double_eq(ettr_stop_to_stop(18, 20), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ettr");
    TCase *tcase = tcase_create("formulas");
    tcase_add_loop_test(tcase, mttf_by_size, 0, ROWS(mttf_rows));
    tcase_add_loop_test(tcase, ettr_as_published, 0, ROWS(ettr_rows));
    tcase_add_loop_test(tcase, ettr_as_followed, 0, ROWS(ettr_rows));
    tcase_add_test(tcase, more_of_anything_bad_is_worse);
    tcase_add_test(tcase, without_failures_only_writes_cost);
    tcase_add_test(tcase, intervals_of_young_and_daly);
    tcase_add_test(tcase, no_interval_is_better_than_the_best);
    tcase_add_test(tcase, stops_seen_from_outside);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
