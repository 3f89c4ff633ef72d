/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits, completion times and slowdowns of hand-made runs: observed, censored, and only counted. */
#include "report/measure/waits.h"
#include "tests/sim/small.h"

#include <math.h>

static const struct {
    int64_t milli;
    const char *name;
} sizes[] = {
    {0, "0"},        {1, "<1"},         {999, "<1"},        {1000, "1"},      {1999, "1"},
    {2000, "2-7"},   {7999, "2-7"},     {8000, "8"},        {8999, "8"},      {9000, "9-63"},
    {63999, "9-63"}, {64000, "64-511"}, {511000, "64-511"}, {512000, "512+"}, {INT64_MAX, "512+"},
};

START_TEST(sizes_have_names)
{
    ck_assert_str_eq(waits_size_names[waits_size_of(sizes[_i].milli)], sizes[_i].name);
}
END_TEST

/* max(1, (end - submit) / max(duration, 60 s)) in thousandths, to the nearest. */
static const struct {
    int64_t submit_ms, end_ms, duration_ms, milli;
} slowdowns[] = {
    {0, 30000, 30000, 1000},
    {0, 60000, 0, 1000},
    {0, 60030, 0, 1001}, /* 1000.5, half up */
    {0, 120000, 30000, 2000},
    {-100000, -10000, 60000, 1500},
    {0, 100000, 60000, 1667},
    {5000, 7205000, 3600000, 2000},
    {0, INT64_C(1000000000000000000), INT64_C(500000000000000000),
     2000}, /* whole multiples if it would overflow */
    {0, INT64_C(4000000000000000000), 60000, INT64_C(66666666666666000)},
};

START_TEST(slowdown_is_bounded)
{
    struct work_job job = {.submit_ms = slowdowns[_i].submit_ms,
                           .end_ms = slowdowns[_i].end_ms,
                           .duration_ms = slowdowns[_i].duration_ms};
    ck_assert_int_eq(waits_slowdown_milli(&job, WAITS_TAU_MS), slowdowns[_i].milli);
}
END_TEST

/* Submitted at 0, ended after 300 s, with 20 s of work: 300 s over the larger of these and tau. */
static const struct {
    int64_t tau_ms, milli;
} taus[] = {
    {1000, 15000}, {20000, 15000}, {60000, 5000}, {300000, 1000}, {600000, 1000},
};

START_TEST(tau_is_as_requested)
{
    struct work_job job = {.end_ms = 300000, .duration_ms = 20000};
    ck_assert_int_eq(waits_slowdown_milli(&job, taus[_i].tau_ms), taus[_i].milli);
}
END_TEST

static void watch(struct small *s, struct waits *w)
{
    *w = (struct waits){0};
    small_observe(s, waits_observer(w));
}

static void done(struct small *s, struct waits *w)
{
    waits_fini(w);
    small_end(s);
}

START_TEST(jobs_fall_into_class_size_and_queue)
{
    struct small s;
    struct waits w;
    small_begin(&s, "fifo", "scope=queue");
    small_pool(&s, "p", 2, 8);
    small_job_of(&s, "x", "a", 0, 100000, 16); /* distributed */
    small_job_of(&s, "x", "b", 10000, 50000, 8)->status = TRACE_CANCELLED;
    small_job_of(&s, "y", "c", 20000, 30000, 2)->class = TRACE_BUILD;
    small_job_of(&s, "y", "d", 20000, 200000, 0)->status = TRACE_FAILED;
    small_job_of(&s, "y", "e", 30000, 5000, 1)->eligible_ms = 200000;
    watch(&s, &w);
    small_run(&s);
    waits_finish(&w, s.sim);
    ck_assert_uint_eq(w.submitted, 5);
    ck_assert_uint_eq(w.completed, 3);
    ck_assert_uint_eq(w.failed, 1);
    ck_assert_uint_eq(w.cancelled, 1);
    const struct waits_cell *a = &w.cells[TRACE_DISTRIBUTED][SIZE_9];
    const struct waits_cell *b = &w.cells[TRACE_TRAIN][SIZE_8];
    const struct waits_cell *c = &w.cells[TRACE_BUILD][SIZE_2];
    const struct waits_cell *d = &w.cells[TRACE_TRAIN][SIZE_NONE];
    const struct waits_cell *e = &w.cells[TRACE_TRAIN][SIZE_1];
    ck_assert_int_eq(a->wait.max, 0);
    ck_assert_int_eq(a->jct.max, 100000);
    ck_assert_int_eq(b->wait.max, 90000);
    ck_assert_int_eq(b->jct.max, 140000);
    ck_assert_int_eq(c->wait.max, 80000);
    ck_assert_int_eq(d->wait.max, 80000); /* strict: behind c of its queue */
    ck_assert_int_eq(e->wait.max, 0);     /* from its eligible time */
    ck_assert_int_eq(e->jct.max, 175000); /* from submission */
    const struct waits_queue *x = &w.by_queue[0], *y = &w.by_queue[1];
    ck_assert_int_eq(x->queue.max, 90000);
    ck_assert_int_eq(x->slowdown.max, 2333);
    ck_assert_int_eq(y->slowdown.max, 2917); /* e: 175 s instead of 60 s */
    ck_assert(y->slowdown.sum == 1833 + 1400 + 2917);
    const struct waits_cell *all[] = {a, b, c, d, e};
    for (int i = 0; i < ROWS(all); i++) {
        ck_assert_uint_eq(all[i]->jobs, 1);
        ck_assert_uint_eq(all[i]->wait.observed, 1);
        ck_assert_uint_eq(all[i]->jct.observed, 1);
    }
    ck_assert(w.by_queue[0].wait.sum == 90000);
    ck_assert_uint_eq(w.by_queue[0].wait.observed, 2);
    ck_assert(w.by_queue[1].wait.sum == 160000);
    ck_assert(w.by_queue[0].jct.sum == 240000);
    ck_assert(w.by_queue[1].jct.sum == 565000);
    ck_assert_double_eq_tol(w.slowdown_sum, 1.0 + 2.333 + 1.833 + 1.4 + 2.917, 1e-9);
    ck_assert_double_eq_tol(w.slowdown_log_sum, log(2.333) + log(1.833) + log(1.4) + log(2.917),
                            1e-9);
    done(&s, &w);
}
END_TEST

/* At 20 s a has run since 0, b has been pending since 5 s, c is not eligible yet, d never fits. */
START_TEST(unfinished_jobs_are_censored)
{
    struct small s;
    struct waits w;
    small_begin(&s, "fifo", "blocking=strict");
    small_pool(&s, "p", 1, 4);
    small_job(&s, "a", 0, 100000, 4);
    small_job(&s, "b", 5000, 1000, 2);
    small_job(&s, "c", 6000, 1000, 1)->eligible_ms = 30000;
    small_job(&s, "d", 7000, 1000, 9);
    s.config.horizon_ms = 20000;
    s.config.drain = false;
    watch(&s, &w);
    small_run(&s);
    waits_finish(&w, s.sim);
    ck_assert_uint_eq(w.submitted, 4);
    ck_assert_uint_eq(w.running, 1);
    ck_assert_uint_eq(w.pending, 2);
    ck_assert_uint_eq(w.never_fits, 1);
    const struct waits_cell *a = &w.cells[TRACE_TRAIN][SIZE_2]; /* b is as large */
    const struct waits_cell *c = &w.cells[TRACE_TRAIN][SIZE_1];
    const struct waits_cell *d = &w.cells[TRACE_DISTRIBUTED][SIZE_9];
    ck_assert_uint_eq(a->wait.observed, 1);
    ck_assert_uint_eq(a->wait.censored, 1);
    ck_assert_int_eq(a->wait.max, 15000);
    ck_assert_uint_eq(a->jct.censored, 2);
    ck_assert_int_eq(a->jct.max, 20000);
    ck_assert_uint_eq(w.by_queue[0].slowdown.observed, 0);
    ck_assert_uint_eq(c->wait.censored, 1);
    ck_assert_int_eq(c->wait.max, 0); /* its wait has not begun */
    ck_assert_int_eq(c->jct.max, 14000);
    ck_assert_uint_eq(d->jobs, 1); /* only submitted: no policy could start it */
    ck_assert_uint_eq(d->wait.censored + d->jct.censored, 0);
    ck_assert_uint_eq(w.by_queue[0].wait.censored, 2);
    done(&s, &w);
}
END_TEST

START_TEST(only_jobs_of_the_window_count)
{
    struct small s;
    struct waits w;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    for (int i = 0; i < 10; i++)
        small_job(&s, "j", i * 1000, 5000, 1);
    s.config.warmup_ms = 3000;
    s.config.horizon_ms = 7000;
    watch(&s, &w);
    small_run(&s);
    waits_finish(&w, s.sim);
    ck_assert_uint_eq(s.sim->ended, 7);
    ck_assert_uint_eq(w.submitted, 4); /* 3, 4, 5, 6 s */
    ck_assert_uint_eq(w.completed, 4);
    ck_assert_int_eq(w.cells[TRACE_TRAIN][SIZE_1].wait.max, 24000);
    done(&s, &w);
}
END_TEST

START_TEST(times_before_0_are_times)
{
    struct small s;
    struct waits w;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    small_job(&s, "a", -50000, 10000, 1);
    small_job(&s, "b", -50000, 10000, 1);
    watch(&s, &w);
    small_run(&s);
    waits_finish(&w, s.sim);
    const struct waits_cell *cell = &w.cells[TRACE_TRAIN][SIZE_1];
    ck_assert_uint_eq(cell->wait.observed, 2);
    ck_assert_int_eq(cell->wait.max, 10000);
    ck_assert_uint_eq(w.by_queue[0].queue.observed, 2);
    ck_assert_int_eq(w.by_queue[0].queue.max, 10000);
    ck_assert_int_eq(cell->jct.max, 20000);
    done(&s, &w);
}
END_TEST

START_TEST(dropped_jobs_have_failed)
{
    struct small s;
    struct waits w;
    small_begin(&s, "best-fit", "");
    small_pool(&s, "p", 1, 2);
    small_job(&s, "a", 0, 1000, 2);
    small_job(&s, "b", 0, 1000, 1);
    watch(&s, &w);
    static const int64_t order[] = {0, 1, 1};
    ck_assert(small_create(&s) && sim_fill(s.sim, s.jobs, order, ROWS(order), &s.err) &&
              sim_finish(s.sim, &s.err));
    waits_finish(&w, s.sim);
    ck_assert_uint_eq(w.submitted, 3);
    ck_assert_uint_eq(w.failed, 2);
    ck_assert_uint_eq(w.running, 1);
    ck_assert_uint_eq(w.never_fits, 0);
    ck_assert_uint_eq(w.cells[TRACE_TRAIN][SIZE_1].jobs, 2);
    ck_assert_uint_eq(w.cells[TRACE_TRAIN][SIZE_1].wait.observed, 0);
    done(&s, &w);
}
END_TEST

/* Every job is counted once, wherever the run is cut. */
START_TEST(every_job_is_counted_once)
{
    struct small s;
    struct waits w;
    uint64_t random = (uint64_t)_i;
    small_begin(&s, "sjf", _i % 2 == 0 ? "blocking=skip" : "placement=count scope=queue");
    s.silent = true;
    small_pool(&s, "p", 2, 3);
    int64_t at = -30000;
    for (int i = 0; i < 80; i++) {
        small_job(&s, "j", at, small_below(&random, 9000), small_below(&random, 8))->status =
            (enum trace_status)small_below(&random, 3);
        at += small_below(&random, 1500);
    }
    s.config.horizon_ms = small_below(&random, 60000);
    s.config.warmup_ms = small_below(&random, 2) * s.config.horizon_ms / 3;
    s.config.drain = _i % 3 == 0;
    watch(&s, &w);
    small_run(&s);
    waits_finish(&w, s.sim);
    uint64_t jobs = 0;
    uint64_t waits = 0;
    uint64_t ends = 0;
    uint64_t ended = 0;
    uint64_t started = 0;
    for (int c = 0; c < TRACE_CLASSES; c++)
        for (int size = 0; size < WAITS_SIZES; size++) {
            const struct waits_cell *cell = &w.cells[c][size];
            jobs += cell->jobs;
            waits += cell->wait.observed + cell->wait.censored;
            ends += cell->jct.observed + cell->jct.censored;
            ended += cell->jct.observed;
            started += cell->wait.observed;
        }
    for (size_t i = 0; i < w.queue_count; i++) {
        ended -= w.by_queue[i].slowdown.observed;
        started -= w.by_queue[i].queue.observed;
    }
    ck_assert_uint_eq(ended, 0);
    ck_assert_uint_eq(started, 0);
    ck_assert_uint_eq(jobs, w.submitted);
    ck_assert_uint_eq(w.submitted,
                      w.completed + w.failed + w.cancelled + w.running + w.pending + w.never_fits);
    ck_assert_uint_eq(waits, w.submitted - w.never_fits);
    ck_assert_uint_eq(ends, w.submitted - w.never_fits);
    done(&s, &w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("waits");
    TCase *tcase = tcase_create("definitions");
    tcase_add_loop_test(tcase, sizes_have_names, 0, ROWS(sizes));
    tcase_add_loop_test(tcase, slowdown_is_bounded, 0, ROWS(slowdowns));
    tcase_add_loop_test(tcase, tau_is_as_requested, 0, ROWS(taus));
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("runs");
    tcase_add_test(tcase, jobs_fall_into_class_size_and_queue);
    tcase_add_test(tcase, unfinished_jobs_are_censored);
    tcase_add_test(tcase, only_jobs_of_the_window_count);
    tcase_add_test(tcase, times_before_0_are_times);
    tcase_add_test(tcase, dropped_jobs_have_failed);
    tcase_add_loop_test(tcase, every_job_is_counted_once, 0, 60);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
