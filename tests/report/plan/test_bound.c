/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lower bound: cases whose need follows from arithmetic, and that the bound never exceeds a
 * schedule that meets the target (random schedules on C GPUs, whose waits are the targets).
 */
#include "report/plan/bound.h"
#include "sim/base/rng.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdlib.h>

#define S 1000

static int64_t need(const struct bound_job *jobs, size_t n, enum bound_measure measure,
                    double limit_s, double quantile)
{
    struct bound_question q = {measure, limit_s, quantile};
    return bound_gpus(jobs, n, &q);
}

START_TEST(known_cases)
{
    struct bound_job all[10];
    for (int i = 0; i < 10; i++)
        all[i] = (struct bound_job){5 * S, 100 * S, 2000, false};
    /* Ten at once without waiting: all ten. If one in ten may wait: nine. */
    ck_assert_int_eq(need(all, 10, BOUND_WAIT, 0, 1), 20000);
    ck_assert_int_eq(need(all, 10, BOUND_WAIT, 0, 0.9), 18000);
    ck_assert_int_eq(need(all, 10, BOUND_WAIT, 0, 0), 20000);
    /* If they may wait as long as they run, all must be running or done at 105 s: at least half of
     * them. */
    ck_assert_int_eq(need(all, 10, BOUND_WAIT, 100, 1), 10000);
    /* Twenty GPU-sized pieces of 100 s in 200 s, in 100 s, in 99 s. */
    ck_assert_int_eq(need(all, 10, BOUND_JCT, 200, 1), 10000);
    ck_assert_int_eq(need(all, 10, BOUND_JCT, 100, 1), 20000);
    ck_assert_int_eq(need(all, 10, BOUND_JCT, 99, 1), BOUND_NONE);
    ck_assert_int_eq(need(all, 10, BOUND_QUEUE, 100, 1), 10000);
    ck_assert_int_eq(need(all, 10, BOUND_MAKESPAN, 250, 1), 8000);
    ck_assert_int_eq(need(all, 10, BOUND_WAIT, -1, 1), BOUND_NONE);
    ck_assert_int_eq(need(all, 0, BOUND_WAIT, 0, 1), 0);
}
END_TEST

/* Graham's nine jobs: 34 seconds of work within 12 seconds. */
START_TEST(grahams_jobs)
{
    static const int run_s[] = {3, 2, 2, 2, 4, 4, 4, 4, 9};
    struct bound_job jobs[9];
    for (int i = 0; i < 9; i++)
        jobs[i] = (struct bound_job){0, run_s[i] * S, 1000, true};
    int64_t least = need(jobs, 9, BOUND_MAKESPAN, 12, 1);
    ck_assert_int_gt(least, 2000);
    ck_assert_int_le(least, 3000);
    ck_assert_int_eq(need(jobs, 9, BOUND_WAIT, 0, 1), 0); /* whose waits begin when others end */
}
END_TEST

struct machine {
    int64_t free_ms[16];
};

/* First come, first served on `gpus` machines, jobs of one GPU; waits in the order of the jobs. */
static void serve(struct bound_job *jobs, int64_t *wait, int n, int gpus)
{
    struct machine m = {{0}};
    for (int i = 0; i < n; i++) {
        int first = 0;
        for (int k = 1; k < gpus; k++)
            first = m.free_ms[k] < m.free_ms[first] ? k : first;
        int64_t start =
            m.free_ms[first] > jobs[i].arrival_ms ? m.free_ms[first] : jobs[i].arrival_ms;
        wait[i] = start - jobs[i].arrival_ms;
        m.free_ms[first] = start + jobs[i].run_ms;
    }
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

enum { JOBS = 60 };

static void check_random(uint64_t seed)
{
    static const double quantiles[] = {0.5, 0.9, 0.95, 1};
    struct rng_stream r;
    rng_init(&r, seed, RNG_TEST, 0);
    struct bound_job jobs[JOBS];
    int64_t wait[JOBS], jct[JOBS], now = 0;
    int gpus = 1 + (int)(rng_uniform(&r) * 8);
    for (int i = 0; i < JOBS; i++) {
        now += (int64_t)(rng_uniform(&r) * 200 * S / gpus);
        jobs[i] = (struct bound_job){now, 1 + (int64_t)(rng_uniform(&r) * 200 * S), 1000, false};
    }
    serve(jobs, wait, JOBS, gpus);
    double sum = 0, makespan = 0;
    for (int i = 0; i < JOBS; i++) {
        jct[i] = wait[i] + jobs[i].run_ms;
        sum += (double)wait[i] / S;
        makespan = fmax(makespan, (double)(jobs[i].arrival_ms + jct[i] - jobs[0].arrival_ms) / S);
    }
    qsort(wait, JOBS, sizeof *wait, by_value);
    qsort(jct, JOBS, sizeof *jct, by_value);
    for (int q = 0; q < ROWS(quantiles); q++) {
        int rank = (int)ceil(quantiles[q] * JOBS - 1e-9) - 1;
        double w = (double)wait[rank] / S, j = (double)jct[rank] / S;
        ck_assert_int_le(need(jobs, JOBS, BOUND_WAIT, w, quantiles[q]), gpus * 1000);
        ck_assert_int_le(need(jobs, JOBS, BOUND_QUEUE, w, quantiles[q]), gpus * 1000);
        ck_assert_int_le(need(jobs, JOBS, BOUND_JCT, j, quantiles[q]), gpus * 1000);
        ck_assert_int_ge(need(jobs, JOBS, BOUND_JCT, j, quantiles[q]), 0);
        /* Without preemption the need is not less than with it. */
        ck_assert_int_ge(need(jobs, JOBS, BOUND_WAIT, w, quantiles[q]),
                         need(jobs, JOBS, BOUND_QUEUE, w, quantiles[q]));
    }
    ck_assert_int_le(need(jobs, JOBS, BOUND_WAIT, sum / JOBS, 0), gpus * 1000);
    ck_assert_int_le(need(jobs, JOBS, BOUND_MAKESPAN, makespan, 1), gpus * 1000);
}

START_TEST(no_schedule_does_with_less)
{
    for (int i = 0; i < harness_repeats(100); i++)
        check_random(1000 + (uint64_t)i);
}
END_TEST

/* Without waiting the need is the peak of running GPUs, whatever the sizes. */
START_TEST(no_waiting_is_the_peak)
{
    struct rng_stream r;
    rng_init(&r, 7, RNG_TEST, 1);
    struct bound_job jobs[JOBS];
    int64_t most = 0;
    for (int i = 0; i < JOBS; i++)
        jobs[i] = (struct bound_job){(int64_t)(rng_uniform(&r) * 900 * S),
                                     1 + (int64_t)(rng_uniform(&r) * 300 * S),
                                     1000 * (int64_t)(rng_uniform(&r) * 16), false};
    for (int i = 0; i < JOBS; i++) {
        int64_t sum = 0, t = jobs[i].arrival_ms;
        for (int k = 0; k < JOBS; k++)
            sum += jobs[k].arrival_ms <= t && t < jobs[k].arrival_ms + jobs[k].run_ms
                       ? jobs[k].gpu_milli
                       : 0;
        most = sum > most ? sum : most;
    }
    ck_assert_int_eq(need(jobs, JOBS, BOUND_WAIT, 0, 1), most);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bound");
    TCase *tcase = tcase_create("bound");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, known_cases);
    tcase_add_test(tcase, grahams_jobs);
    tcase_add_test(tcase, no_schedule_does_with_less);
    tcase_add_test(tcase, no_waiting_is_the_peak);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
