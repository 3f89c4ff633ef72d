/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulator against queueing theory, and the comparison against itself, on a queue with
 * exponential interarrival and service times and c devices (M/M/c): mean wait and fraction of
 * waiting jobs follow Erlang's C formula, the mean queue length Little's law; runs of the same
 * policy with different seeds on both sides differ significantly no more often than alpha, and a
 * true difference is found.
 */
#include "report/compare/judge.h"
#include "report/stats/holm.h"
#include "report/stats/sample.h"
#include "report/stats/steady.h"
#include "sim/base/rng.h"
#include "tests/sim/small.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <math.h>

enum { DEVICES = 3, SERVICE_MS = 1000000 };

/* Observations of a run: waits in order of start, in units of the mean service time, and the
 * integral of the queue length. */
struct seen {
    double *wait;
    size_t count, waited;
    int64_t queue, last_ms, area_ms, sum_ms, first_ms;
};

static void pass_time(struct seen *seen, const struct sim *sim, int change)
{
    seen->area_ms += seen->queue * (sim->now_ms - seen->last_ms);
    seen->queue += change;
    seen->last_ms = sim->now_ms;
}

static void on_submitted(void *self, const struct sim *sim, const struct work_job *job)
{
    (void)job;
    pass_time(self, sim, 1);
}

static void on_started(void *self, const struct sim *sim, const struct work_job *job)
{
    struct seen *seen = self;
    int64_t wait = sim->now_ms - job->eligible_ms;
    pass_time(seen, sim, -1);
    seen->waited += wait > 0;
    seen->sum_ms += wait;
    seen->wait[seen->count++] = (double)wait / SERVICE_MS;
}

/* One run with `jobs` jobs; `load` is the requested fraction of device time. */
static void run_queue(struct seen *seen, double load, size_t jobs, uint64_t seed)
{
    static struct small s;
    struct trace_job *job = mem_alloc(jobs, sizeof *job);
    char(*id)[24] = mem_alloc(jobs, sizeof *id);
    double now = 0;
    small_begin(&s, "fifo", "scope=fleet blocking=strict placement=count");
    (void)small_pool(&s, "p", 1, DEVICES);
    for (size_t i = 0; i < jobs; i++) {
        struct rng_stream arrival, service;
        rng_init(&arrival, seed, RNG_ARRIVAL, i);
        rng_init(&service, seed, RNG_DURATION, i);
        now += gsl_ran_exponential(rng_gsl(&arrival), SERVICE_MS / (load * DEVICES));
        trace_job_init(&job[i]);
        (void)snprintf(id[i], sizeof id[i], "%zu", i);
        job[i].id = id[i];
        job[i].row = i;
        job[i].submit_ms = job[i].eligible_ms = llround(now);
        job[i].duration_ms = 1 + llround(gsl_ran_exponential(rng_gsl(&service), SERVICE_MS));
        job[i].gpus_total = 1;
    }
    *seen = (struct seen){.wait = mem_alloc(jobs, sizeof *seen->wait), .last_ms = job[0].submit_ms};
    seen->first_ms = seen->last_ms;
    s.observers[0] =
        (struct sim_observer){.self = seen, .submitted = on_submitted, .started = on_started};
    s.config.audit = false;
    s.trace = small_trace(job, jobs);
    s.config.fleet = &s.fleet;
    s.config.queues = mem_alloc(SMALL_QUEUES, sizeof *s.config.queues);
    ck_assert_msg(sim_create(&s.sim, &s.config, s.trace, &s.err) &&
                      sim_run(s.sim, INT64_MAX, &s.err) && sim_finish(s.sim, &s.err),
                  "%s", s.err.msg);
    ck_assert_uint_eq(seen->count, jobs);
    small_end(&s);
    free(job);
    free(id);
}

/* Erlang's C: the fraction of arrivals that finds all devices busy (R. B. Cooper, "Introduction to
 * Queueing Theory"). */
static double erlang_c(double load)
{
    double a = load * DEVICES, term = 1, sum = 0;
    for (int k = 0; k < DEVICES; k++) {
        sum += term;
        term *= a / (k + 1);
    }
    double busy = term / (1 - load);
    return busy / (sum + busy);
}

static const double loads[] = {0.5, 0.8};

START_TEST(waits_are_erlangs)
{
    enum { RUNS = 20, JOBS = 8000, WARM = 1000 };
    double load = loads[_i], mean[RUNS], waited[RUNS];
    for (int run = 0; run < RUNS; run++) {
        struct seen seen;
        run_queue(&seen, load, JOBS, 100 + (uint64_t)run);
        mean[run] = stat_mean(seen.wait + WARM, JOBS - WARM);
        waited[run] = (double)seen.waited / JOBS;
        /* Little: mean queue = arrival rate x mean wait, from the first arrival to the last
         * start. */
        double span = (double)(seen.last_ms - seen.first_ms);
        double queue = (double)seen.area_ms / span, rate = JOBS / span,
               wait = (double)seen.sum_ms / JOBS;
        ck_assert_double_eq_tol(queue, rate * wait, 1e-9 * queue);
        ck_assert_int_eq(seen.queue, 0);
        free(seen.wait);
    }
    struct stat_interval w = stat_t_interval(mean, RUNS, 0.01),
                         c = stat_t_interval(waited, RUNS, 0.01);
    double expected = erlang_c(load) / (DEVICES * (1 - load));
    ck_assert_msg(w.low <= expected && expected <= w.high, "wait %g in %g .. %g", expected, w.low,
                  w.high);
    ck_assert_double_lt(w.high - w.low, 0.3 * expected);
    ck_assert_msg(c.low <= erlang_c(load) && erlang_c(load) <= c.high, "share %g in %g .. %g",
                  erlang_c(load), c.low, c.high);
}
END_TEST

START_TEST(one_long_run_has_batches)
{
    enum { JOBS = 60000, BATCHES = 20 };
    struct seen seen;
    run_queue(&seen, 0.8, JOBS, 7);
    size_t cut = stat_mser5(seen.wait, JOBS);
    ck_assert_uint_lt(cut, JOBS / 4);
    struct stat_interval w = stat_batch_means(seen.wait + cut, JOBS - cut, BATCHES, 0.01);
    double expected = erlang_c(0.8) / (DEVICES * 0.2);
    ck_assert_msg(w.low <= expected && expected <= w.high, "wait %g in %g .. %g", expected, w.low,
                  w.high);
    free(seen.wait);
}
END_TEST

/* ---- comparisons ---- */

enum { PAIRS = 20, METRICS = 3, SHORT = 150 };
static const char *const paths[METRICS] = {"wait_s.mean", "wait_s.p95", "wait_s.max"};

static void measure_run(struct measure rows[METRICS], int side, size_t replica, double load,
                        uint64_t seed)
{
    struct seen seen;
    run_queue(&seen, load, SHORT, seed);
    rows[0].of[side][replica].value = stat_mean(seen.wait, SHORT);
    gsl_sort(seen.wait, 1, SHORT);
    rows[1].of[side][replica].value = seen.wait[SHORT * 95 / 100];
    rows[2].of[side][replica].value = seen.wait[SHORT - 1];
    free(seen.wait);
}

/* Returns true if any metric differs significantly, in a family of PAIRS pairs. */
static bool family_differs(double load_a, double load_b, uint64_t seed_a, uint64_t seed_b)
{
    struct measured value[METRICS][SIDES][PAIRS] = {{{{0}}}};
    struct measure rows[METRICS];
    struct judgement judged[METRICS];
    double p[METRICS];
    bool found = false;
    for (int m = 0; m < METRICS; m++)
        rows[m] =
            (struct measure){paths[m], metric_find(paths[m]), {value[m][SIDE_A], value[m][SIDE_B]}};
    for (size_t i = 0; i < PAIRS; i++) {
        measure_run(rows, SIDE_A, i, load_a, seed_a + i);
        measure_run(rows, SIDE_B, i, load_b, seed_b + i);
    }
    for (int m = 0; m < METRICS; m++) {
        judged[m] = judge(&rows[m], PAIRS, 0.05);
        p[m] = judged[m].p;
    }
    stat_holm(p, METRICS, p);
    for (int m = 0; m < METRICS; m++) {
        judged[m].p_holm = p[m];
        judge_decide(&judged[m], rows[m].row->better, 0.05);
        found |= judge_found(&judged[m]);
    }
    return found;
}

/* 200 families of which one in twenty may be a false positive: more than 20 would have probability
 * 0.001. */
START_TEST(the_same_policy_is_not_different)
{
    enum { FAMILIES = 200 };
    int families = FAMILIES / harness_thin(), found = 0;
    for (int f = 0; f < families; f++)
        found +=
            family_differs(0.8, 0.8, 1000000 + (uint64_t)f * 1000, 2000000 + (uint64_t)f * 1000);
    ck_assert_int_le(found, families / 10 + 2);
}
END_TEST

/* The same seeds on both sides and a tenth more load: the purpose of common random numbers. */
START_TEST(a_planted_difference_is_found)
{
    int found = 0;
    for (uint64_t f = 0; f < 10; f++)
        found += family_differs(0.75, 0.825, 3000000 + f * 1000, 3000000 + f * 1000);
    ck_assert_int_eq(found, 10);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("queueing");
    TCase *tcase = tcase_create("M/M/c");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, the_same_policy_is_not_different);
    tcase_add_test(tcase, a_planted_difference_is_found);
    if (harness_whole()) {
        tcase_add_test(tcase, one_long_run_has_batches);
        tcase_add_loop_test(tcase, waits_are_erlangs, 0, ROWS(loads));
    }
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
