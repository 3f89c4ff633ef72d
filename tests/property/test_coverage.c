/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks that the confidence intervals of a comparison cover the truth as often as they claim, on
 * the waits of 400 jobs on one GPU and on two (M/M/1 and M/M/2): the short form of `make
 * coverage-study`. And checks the queues against hand calculations.
 */
#include "report/compare/judge.h"
#include "report/stats/sample.h"
#include "sim/base/mem.h"
#include "tests/lib/harness.h"
#include "tests/lib/queue_pairs.h"

#include <math.h>
#include <stdlib.h>

enum { POPULATION = 4000, TRIALS = 1000, MOST = 20 };
#define LOAD 0.8

/*
 * The first job does not wait. The second one waits in A while the first one runs: exponential
 * times with rates 1 and 0.8 make the first end later with probability 0.8 / 1.8, and then a mean
 * of 1 is left. With two servers it never waits.
 */
START_TEST(two_jobs_by_hand)
{
    enum { MANY = 40000 };
    double sum[2] = {0}, squares = 0, expected = 0.8 / 1.8 / 2;
    for (uint64_t i = 0; i < MANY; i++) {
        struct queue_pair pair = queue_pair_draw(9, i, 2, LOAD, 1);
        for (int side = 0; side < 2; side++)
            sum[side] += pair.wait[QUEUE_MEAN][side];
        squares += pair.wait[QUEUE_MEAN][0] * pair.wait[QUEUE_MEAN][0];
        ck_assert_double_eq_tol(pair.wait[QUEUE_P95][0], 2 * pair.wait[QUEUE_MEAN][0],
                                1e-12); // the larger of two
    }
    double mean = sum[0] / MANY, error = sqrt((squares / MANY - mean * mean) / MANY);
    ck_assert_double_eq_tol(mean, expected, 4 * error);
    ck_assert_double_eq(sum[1], 0);
}
END_TEST

static const size_t pairs[] = {5, 10, 20};

/* At least 93 % of the 95 % intervals must cover the truth; Student's cover it in 89, 90 and 92 %
 * of these trials. */
START_TEST(intervals_hold_the_truth)
{
    size_t n = pairs[_i], given[2] = {0}, held[2] = {0};
    struct queue_pair *all = mem_alloc(POPULATION, sizeof *all);
    double mean[2] = {0};
    for (uint64_t i = 0; i < POPULATION; i++) {
        all[i] = queue_pair_draw(1, i, QUEUE_JOBS, LOAD, 1);
        for (int side = 0; side < 2; side++)
            mean[side] += all[i].wait[QUEUE_MEAN][side] / POPULATION;
    }
    const double truth[2] = {mean[1] - mean[0], mean[1] / mean[0] - 1};
    struct rng_stream stream;
    rng_init(&stream, 2, RNG_TEST, n);
    for (int t = 0; t < TRIALS; t++) {
        struct measured value[SIDES][MOST];
        const struct measure m = {
            "wait_s.mean", metric_find("wait_s.mean"), {value[SIDE_A], value[SIDE_B]}};
        for (size_t i = 0; i < n; i++) {
            const struct queue_pair *pair = &all[gsl_rng_uniform_int(rng_gsl(&stream), POPULATION)];
            for (int side = 0; side < SIDES; side++)
                value[side][i] = (struct measured){pair->wait[QUEUE_MEAN][side], false};
        }
        struct judgement j = judge(&m, n, 0.05);
        const struct judge_range ranges[2] = {j.difference, j.change};
        for (int k = 0; k < 2; k++) {
            given[k] += isnan(ranges[k].low) ? 0 : 1;
            held[k] += ranges[k].low <= truth[k] && ranges[k].high >= truth[k];
        }
    }
    free(all);
    ck_assert_uint_eq(given[0], TRIALS);
    ck_assert_uint_ge(given[1],
                      TRIALS * 8 / 10); // else the mean of A is not distinguishable from 0
    for (int k = 0; k < 2; k++)
        ck_assert_msg((double)held[k] >= 0.93 * (double)given[k], "%zu of %zu", held[k], given[k]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("coverage");
    TCase *tcase = tcase_create("coverage");
    tcase_add_test(tcase, two_jobs_by_hand);
    if (harness_whole())
        tcase_add_loop_test(tcase, intervals_hold_the_truth, 0, ROWS(pairs));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
