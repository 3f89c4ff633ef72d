/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The end of the warm-up: backlogs whose end follows from arithmetic, slots against a naive
 * millisecond-by-millisecond count, and a queue with exponential times (M/M/3) that begins empty or
 * overloaded.
 */
#include "report/measure/warmup.h"
#include "sim/base/rng.h"
#include "tests/sim/small.h"

#include <gsl/gsl_randist.h>
#include <math.h>

static struct small s;
static struct warmup warmup;

static void begin(int gpus)
{
    small_begin(&s, "fifo", "scope=fleet blocking=strict placement=count");
    s.silent = true;
    small_pool(&s, "p", 1, gpus);
    small_observe(&s, warmup_observer(&warmup));
}

static void job_at(int64_t submit_ms, int64_t duration_ms)
{
    char id[16];
    (void)snprintf(id, sizeof id, "j%zu", s.job_count);
    small_job(&s, id, submit_ms, duration_ms, 1);
}

static int64_t end(bool *half)
{
    int64_t at = warmup_end(&warmup, s.sim, half);
    warmup_fini(&warmup);
    small_end(&s);
    return at;
}

/* ---- a backlog at the beginning ---- */

/*
 * A burst of jobs of a second each arrives at one device, then one every two seconds up to
 * `last_s`, none of which waits. The k-th job of the burst waits until k - 1 s, so the queue is
 * empty from burst - 1 s on, where the sum of squares of all following groups first reaches its
 * minimum, 0. Slots are the shortest of which 10,000 reach the last submission; a group is five.
 */
static const struct {
    int burst;
    int64_t first_s, every_s, last_s, slot_ms;
    bool half;
} backlogs[] = {
    {100, 200, 2, 1000, 100, false}, /* 99 s: the 198th group of half a second */
    {41, 60, 2, 100, 10, false},     {76, 100, 4, 900, 100, false}, /* 75 s */
    {51, 60, 2, 1010, 200, false}, /* just longer than 10,000 slots of 100 ms */
    {1, 2, 2, 1000, 100, false},   /* no job ever waits */
    {90, 100, 2, 120, 20, true},   /* 89 s are more than half of the run */
};

START_TEST(a_backlog_ends)
{
    int64_t first_s = backlogs[_i].first_s, last_s = backlogs[_i].last_s;
    bool half;
    begin(1);
    for (int i = 0; i < backlogs[_i].burst; i++)
        job_at(0, 1000);
    for (int64_t at = first_s; at <= last_s; at += backlogs[_i].every_s)
        job_at(at * 1000, 1000);
    small_run(&s);
    int64_t group_ms = 5 * backlogs[_i].slot_ms, waits_ms = (backlogs[_i].burst - 1) * 1000;
    int64_t expected = (waits_ms + group_ms - 1) / group_ms * group_ms;
    if (backlogs[_i].half)
        expected = last_s * 1000 / group_ms / 2 * group_ms;
    ck_assert_int_eq(end(&half), expected);
    ck_assert_int_eq(half, backlogs[_i].half);
}
END_TEST

START_TEST(too_short_for_a_warm_up)
{
    bool half;
    begin(1);
    job_at(5, 100);
    job_at(5, 100);
    job_at(14, 100);
    small_run(&s);
    ck_assert_int_eq(end(&half), 0);
    ck_assert(!half);
}
END_TEST

/* ---- slots ---- */

enum { MOST_MS = 60000 };
static int64_t pending[MOST_MS]; /* by millisecond since the first submission */

static void count_naively(int64_t first_ms)
{
    memset(pending, 0, sizeof pending);
    for (size_t i = 0; i < s.job_count; i++)
        for (int64_t t = s.jobs[i].submit_ms; t < s.lives[i].start_ms && t - first_ms < MOST_MS;
             t++)
            pending[t - first_ms]++;
}

/* Random arrivals, also on a clock below zero: each slot has the value of a
 * millisecond-by-millisecond count. */
START_TEST(slots_are_exact)
{
    uint64_t state = (uint64_t)_i;
    int64_t first_ms = (_i - 3) * 7001, at = first_ms;
    begin(2);
    for (int i = 0; i < 200; i++) {
        job_at(at, 1 + (int64_t)(test_draw(&state) % 500));
        at += (int64_t)(test_draw(&state) % (uint64_t)(_i % 2 == 0 ? 300 : 40));
    }
    small_run(&s);
    count_naively(first_ms);
    int64_t span_ms = s.jobs[s.job_count - 1].submit_ms - first_ms;
    bool half;
    (void)warmup_end(&warmup, s.sim, &half);
    ck_assert_int_eq(warmup.width_ms, span_ms > 20000 ? 10 : span_ms > 10000 ? 2 : 1);
    for (int64_t slot = 0; slot < span_ms / warmup.width_ms; slot++) {
        int64_t sum = 0;
        for (int64_t t = slot * warmup.width_ms; t < (slot + 1) * warmup.width_ms; t++)
            sum += pending[t];
        ck_assert_int_eq((int64_t)warmup.slots[slot], sum);
    }
    warmup_fini(&warmup);
    small_end(&s);
}
END_TEST

/* ---- M/M/3 ---- */

enum { DEVICES = 3, JOBS = 500, SERVICE_MS = 1000000 };

/* The mean queue over time from `from` ms to the last submission. */
static double mean_queue(int64_t from_ms, int64_t last_ms)
{
    double area = 0;
    for (size_t i = 0; i < s.job_count; i++) {
        int64_t since = s.jobs[i].submit_ms > from_ms ? s.jobs[i].submit_ms : from_ms;
        int64_t until = s.lives[i].start_ms < last_ms ? s.lives[i].start_ms : last_ms;
        area += until > since ? (double)(until - since) : 0;
    }
    return area / (double)(last_ms - from_ms);
}

static double exponential(uint64_t seed, enum rng_purpose purpose, uint64_t i, double mean)
{
    struct rng_stream stream;
    rng_init(&stream, seed, purpose, i);
    return gsl_ran_exponential(rng_gsl(&stream), mean);
}

/*
 * At half load, from empty: the mean queue is C a / (1 - rho) with Erlang's C = 0.2368 (rho 0.5, c
 * 3), 0.2368 jobs. The mean of 40 such runs after the warm-up is within 4 standard errors of that,
 * and little of them is discarded. With 60 jobs at the beginning, which the spare half of the
 * devices needs 40 services to work off, most of that time is discarded, and the mean of the rest
 * is closer to the truth than that of the whole.
 */
START_TEST(queue_from_empty_and_from_full)
{
    enum { RUNS = 40 };
    const double truth = 0.23684;
    double sum = 0, squares = 0, left = 0;
    bool full = _i == 1, half;
    int runs = full ? 10 : RUNS / harness_thin() > 4 ? RUNS / harness_thin() : 4;
    for (int run = 0; run < runs; run++) {
        begin(DEVICES);
        s.config.audit = false;
        double now = 0;
        for (int i = 0; i < JOBS; i++) {
            if (!full || i >= 60)
                now += exponential((uint64_t)run, RNG_ARRIVAL, (uint64_t)i,
                                   SERVICE_MS / (0.5 * DEVICES));
            job_at(llround(now),
                   1 + llround(exponential((uint64_t)run, RNG_DURATION, (uint64_t)i, SERVICE_MS)));
        }
        small_run(&s);
        int64_t first_ms = s.jobs[0].submit_ms, last_ms = s.jobs[JOBS - 1].submit_ms;
        int64_t cut = warmup_end(&warmup, s.sim, &half);
        ck_assert_int_le(cut, (last_ms - first_ms) / 2);
        double mean = mean_queue(first_ms + cut, last_ms);
        if (full) {
            ck_assert_int_ge(cut, 20 * (int64_t)SERVICE_MS);
            ck_assert_double_lt(fabs(mean - truth), fabs(mean_queue(first_ms, last_ms) - truth));
        }
        sum += mean;
        squares += mean * mean;
        left += (double)cut / (double)(last_ms - first_ms);
        warmup_fini(&warmup);
        small_end(&s);
    }
    double mean = sum / runs, sd = sqrt((squares / runs - mean * mean) * runs / (runs - 1));
    ck_assert_msg(fabs(mean - truth) < 4 * sd / sqrt(runs), "mean queue %g, expected %g, sd %g",
                  mean, truth, sd);
    if (!full)
        ck_assert_double_lt(left / runs, 0.35);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("warmup");
    TCase *tcase = tcase_create("warmup");
    tcase_add_loop_test(tcase, a_backlog_ends, 0, (int)(sizeof backlogs / sizeof *backlogs));
    tcase_add_test(tcase, too_short_for_a_warm_up);
    tcase_add_loop_test(tcase, slots_are_exact, 0, 6);
    tcase_add_loop_test(tcase, queue_from_empty_and_from_full, 0, 2);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
