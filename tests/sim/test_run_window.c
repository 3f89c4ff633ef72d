/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The extent of a run: the window, draining and its cap, sampling times, and the intervals that
 * observers integrate: without gaps, each moment once, and with the right state.
 */
#include "tests/sim/small.h"

/* ---- windows: four jobs in sequence on one device, 0..10, 10..20, 20..30, 30..31 s ---- */

static void four_jobs(struct small *s)
{
    small_begin(s, "fifo", "");
    small_pool(s, "p", 1, 1);
    small_job(s, "a", 0, 10000, 1);
    small_job(s, "b", 4000, 10000, 1);
    small_job(s, "c", 8000, 10000, 1);
    small_job(s, "d", 20000, 1000, 1);
}

static const struct {
    int64_t warmup_s, horizon_s, cap_s; /* -1: none; horizon -1, -2: as SIM_TO_... */
    bool drain;
    int64_t start_s, end_s, now_s; /* expected */
    uint64_t submitted, counted, ended, running, pending;
} windows[] = {
    {0, -1, -1, true, 0, 31, 31, 4, 4, 4, 0, 0},
    {0, -1, -1, false, 0, 31, 31, 4, 4, 4, 0, 0},
    {0, 8, -1, true, 0, 8, 20, 2, 2, 2, 0, 0},
    {0, 8, -1, false, 0, 8, 8, 2, 2, 0, 1, 1},    /* nothing has ended */
    {0, 10, -1, false, 0, 10, 10, 3, 3, 1, 1, 1}, /* an end at the window's end is in it */
    {0, 10, 0, true, 0, 10, 10, 3, 3, 1, 1, 1},
    {0, 10, 10, true, 0, 10, 20, 3, 3, 2, 1, 0},
    {0, 10, 15, true, 0, 10, 25, 3, 3, 2, 1, 0},
    {0, 10, 1000, true, 0, 10, 30, 3, 3, 3, 0, 0}, /* a cap need not be reached */
    {0, 20, -1, true, 0, 20, 30, 3, 3, 3, 0, 0},   /* arrivals at the window's end are not in it */
    {0, 21, -1, true, 0, 21, 31, 4, 4, 4, 0, 0},
    {0, 100, -1, true, 0, 100, 100, 4, 4, 4, 0, 0}, /* the whole window is measured */
    {0, 100, 50, true, 0, 100, 100, 4, 4, 4, 0, 0},
    {0, 100, -1, false, 0, 100, 100, 4, 4, 4, 0, 0},
    {5, -1, -1, true, 5, 31, 31, 4, 2, 4, 0, 0},
    {4, 21, -1, true, 4, 21, 31, 4, 3, 4, 0, 0},
    {50, 100, -1, true, 50, 100, 100, 4, 0, 4, 0, 0},
    {0, 0, -1, true, 0, 0, 0, 0, 0, 0, 0, 0},
    {0, -2, -1, true, 0, 20, 31, 4, 4, 4, 0, 0}, /* the last job is submitted at 20 s, and counts */
    {0, -2, -1, false, 0, 20, 20, 4, 4, 2, 1, 1},
    {0, -2, 5, true, 0, 20, 25, 4, 4, 2, 1, 1},
    {5, -2, -1, true, 5, 20, 31, 4, 2, 4, 0, 0},
    {20, -2, -1, true, 20, 31, 31, 4, 1, 4, 0,
     0}, /* no time is left up to it: the window ends with the last job */
    {30, -2, -1, true, 30, 31, 31, 4, 0, 4, 0, 0},
};

static void count(void *self, const struct sim *sim, const struct work_job *job)
{
    (void)sim;
    *(uint64_t *)self += job->counted;
}

START_TEST(the_window_bounds_the_run)
{
    struct small s;
    four_jobs(&s);
    uint64_t counted = 0;
    small_observe(&s, (struct sim_observer){.self = &counted, .submitted = count});
    s.config.warmup_ms = windows[_i].warmup_s * 1000;
    s.config.horizon_ms =
        windows[_i].horizon_s < 0 ? windows[_i].horizon_s : windows[_i].horizon_s * 1000;
    s.config.drain = windows[_i].drain;
    s.config.drain_cap_ms = windows[_i].cap_s < 0 ? -1 : windows[_i].cap_s * 1000;
    small_run(&s);
    ck_assert_int_eq(s.sim->window_start_ms, windows[_i].start_s * 1000);
    ck_assert_int_eq(s.sim->window_end_ms, windows[_i].end_s * 1000);
    ck_assert_int_eq(s.sim->now_ms, windows[_i].now_s * 1000);
    ck_assert_uint_eq(s.sim->submitted, windows[_i].submitted);
    ck_assert_uint_eq(counted, windows[_i].counted);
    ck_assert_uint_eq(s.sim->ended, windows[_i].ended);
    ck_assert_uint_eq(s.sim->running, windows[_i].running);
    ck_assert_uint_eq(s.sim->pending, windows[_i].pending);
    ck_assert_int_eq(s.sim->last_end_ms == INT64_MIN, windows[_i].ended == 0);
    small_end(&s);
}
END_TEST

/* There would be nothing to measure. */
START_TEST(a_warm_up_is_shorter_than_the_run)
{
    static const int64_t horizons[] = {SIM_TO_LAST_SUBMISSION, SIM_TO_LAST_JOB};
    struct small s;
    four_jobs(&s);
    s.config.warmup_ms = 31000;
    s.config.horizon_ms = horizons[_i];
    ck_assert(!small_try(&s));
    ck_assert_int_eq(s.err.code, EXIT_INPUT);
    ck_assert_str_eq(s.err.msg, "window.warmup: expected less than the run lasts (31 s), got 31 s");
    small_end(&s);
}
END_TEST

/* The window counts from the first submission, whatever the trace's clock. */
START_TEST(windows_begin_with_the_first_job)
{
    static const int64_t clocks[] = {-1000000, 13219203000};
    struct small s;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    small_job(&s, "a", clocks[_i], 5000, 1);
    small_job(&s, "b", clocks[_i] + 1000, 5000, 1);
    s.config.warmup_ms = 500;
    s.config.horizon_ms = 2000;
    small_run(&s);
    ck_assert_int_eq(s.sim->window_start_ms, clocks[_i] + 500);
    ck_assert_int_eq(s.sim->window_end_ms, clocks[_i] + 2000);
    ck_assert_int_eq(small_stop(&s, "b"), clocks[_i] + 10000);
    ck_assert_int_eq(s.sim->last_end_ms, clocks[_i] + 10000);
    small_end(&s);
}
END_TEST

/* Users who react submit their last job at a time that follows from the run: b 5 s after a, which
 * ends at 30 s. */
START_TEST(a_closed_run_is_measured_to_its_last_submission)
{
    struct small s;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    uint32_t other = symbols_add(s.names.users, "other", 5),
             one = symbols_add(s.names.users, "one", 3);
    small_job(&s, "first", 0, 20000, 1)->user = other;
    small_job(&s, "a", 0, 10000, 1)->user = one;
    small_job(&s, "b", 15000, 7000, 1)->user = one;
    s.config.closed = true;
    s.config.think_max_ms = -1;
    s.config.horizon_ms = SIM_TO_LAST_SUBMISSION;
    small_run(&s);
    ck_assert_int_eq(small_stop(&s, "a"), 30000);
    ck_assert_int_eq(small_start(&s, "b"), 35000);
    ck_assert_int_eq(s.sim->window_end_ms, 35000);
    ck_assert_int_eq(s.sim->now_ms, 42000);
    ck_assert(!s.sim->window_falls_back);
    small_end(&s);
}
END_TEST

/* Events at the instant of the last submission are in the window, those before and those after it.
 */
struct points {
    uint64_t inside, after;
};

static void at_end(void *self, const struct sim *sim, const struct work_job *job)
{
    (void)job;
    struct points *points = self;
    ++*(sim->now_ms < sim->window_end_ms ? &points->inside : &points->after);
}

START_TEST(the_instant_of_the_last_submission_is_in_the_window)
{
    struct small s;
    struct points points = {0};
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    small_job(&s, "a", 0, 10000, 1);
    small_job(&s, "b", 10000, 5000, 1);
    small_observe(&s, (struct sim_observer){.self = &points, .ended = at_end, .started = at_end});
    s.config.horizon_ms = SIM_TO_LAST_SUBMISSION;
    small_run(&s);
    ck_assert_int_eq(s.sim->window_end_ms, 10000);
    ck_assert_uint_eq(points.inside, 3); /* a's start and end, b's start */
    ck_assert_uint_eq(points.after, 1);
    small_end(&s);
}
END_TEST

/* A last decision without jobs would extend a window that ends with the last job. */
START_TEST(an_open_window_ends_with_the_last_job)
{
    struct small s;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    small_job(&s, "a", 0, 12000, 1);
    s.config.cycle_ms = 60000;
    small_run(&s);
    ck_assert_int_eq(s.sim->window_end_ms, 12000);
    small_end(&s);
}
END_TEST

/* ---- sampling ---- */

struct samples {
    char text[1024];
};

static void sample(void *self, const struct sim *sim, int64_t at_ms)
{
    struct samples *samples = self;
    size_t used = strlen(samples->text);
    (void)snprintf(samples->text + used, sizeof samples->text - used, "%g:%d+%d ",
                   (double)at_ms / 1000.0, (int)sim->running, (int)sim->pending);
}

/* Time:running+pending at the sampling times, after all events up to and including them. */
static const struct {
    int64_t horizon_s, cap_s;
    bool drain;
    const char *text;
} samplings[] = {
    {-1, -1, true, "0:1+0 5:1+1 10:1+1 15:1+1 20:1+1 25:1+1 30:1+0 "},
    {10, 1000, true, "0:1+0 5:1+1 10:1+1 15:1+1 20:1+0 25:1+0 30:0+0 "},
    {12, -1, false, "0:1+0 5:1+1 10:1+1 "},
    {10, -1, false, "0:1+0 5:1+1 10:1+1 "},
    {42, -1, true, "0:1+0 5:1+1 10:1+1 15:1+1 20:1+1 25:1+1 30:1+0 35:0+0 40:0+0 "},
};

START_TEST(samples_show_the_state_behind_the_instant)
{
    struct small s;
    struct samples samples = {{0}};
    four_jobs(&s);
    small_observe(&s, (struct sim_observer){.self = &samples, .tick = sample});
    s.config.tick_ms = 5000;
    s.config.horizon_ms = samplings[_i].horizon_s < 0 ? -1 : samplings[_i].horizon_s * 1000;
    s.config.drain = samplings[_i].drain;
    s.config.drain_cap_ms = samplings[_i].cap_s < 0 ? -1 : samplings[_i].cap_s * 1000;
    small_run(&s);
    ck_assert_str_eq(samples.text, samplings[_i].text);
    small_end(&s);
}
END_TEST

/* ---- intervals ---- */

struct cover {
    struct small *s;
    int64_t until[8]; /* of each site */
    uint64_t intervals;
};

/* Checks what held the site's devices and what was pending in [from, to), by the times in the log
 * alone. */
static void expect_state(const struct small *s, const struct sim *sim, uint32_t site, int64_t from,
                         int64_t to)
{
    int64_t used = 0;
    int64_t waiting = 0;
    for (size_t i = 0; i < s->job_count; i++) {
        const struct small_life *life = &s->lives[i];
        const struct trace_job *job = &s->jobs[i];
        if (life->times_submitted == 0 || sim->queues[sim->queue_of_name[job->queue]].site != site)
            continue;
        bool was_submitted = job->submit_ms <= from;
        bool was_started = life->start_ms != WORK_NEVER && life->start_ms <= from;
        bool was_over = life->end_ms != WORK_NEVER && life->end_ms <= from;
        used += was_started && !was_over ? trace_job_gpu_milli(job) : 0;
        waiting += was_submitted && !was_started ? trace_job_gpu_milli(job) : 0;
    }
    ck_assert_msg(sim->sites[site].milli_used == used,
                  "site %u in [%lld, %lld): %lld in use, expected %lld", site, (long long)from,
                  (long long)to, (long long)sim->sites[site].milli_used, (long long)used);
    struct policy_backlog backlog;
    sim_backlog(sim, site, &backlog);
    int64_t told = 0;
    int64_t of_queues = 0;
    for (int reason = 0; reason < POLICY_REASONS; reason++)
        told += backlog.gpu_milli[reason];
    for (size_t i = 0; i < sim->sites[site].queue_count; i++)
        of_queues += sim->queues[sim->sites[site].queues[i]].wanted_milli;
    of_queues += sim->sites[site].aside_milli;
    ck_assert_msg(told == waiting && of_queues == waiting,
                  "site %u in [%lld, %lld): %lld in the backlog, %lld in queues, expected %lld",
                  site, (long long)from, (long long)to, (long long)told, (long long)of_queues,
                  (long long)waiting);
}

static void interval(void *self, const struct sim *sim, uint32_t site, int64_t from, int64_t to)
{
    struct cover *cover = self;
    ck_assert_int_lt(from, to);
    ck_assert_int_eq(from,
                     cover->until[site] == INT64_MIN ? sim->first_submit_ms : cover->until[site]);
    cover->until[site] = to;
    cover->intervals++;
    expect_state(cover->s, sim, site, from, to);
}

static const char *const options[] = {
    "scope=fleet blocking=strict placement=best-fit",
    "scope=fleet blocking=skip placement=count",
    "scope=queue blocking=strict placement=first-fit",
    "scope=queue blocking=skip placement=spread",
};
static const int64_t cycles_ms[] = {0, 7000};

/* Three sites; jobs at equal instants, without duration or devices, too large, or not eligible at
 * once. */
static void random_run(struct small *s, uint64_t *random, int option, int64_t cycle_ms)
{
    small_begin(s, *random % 2 != 0 ? "fifo" : "sjf", options[option]);
    s->silent = true;
    s->config.cycle_ms = cycle_ms;
    small_pool(s, "p", 2, 4);
    small_pool(s, "q", 3, 2);
    small_pool(s, "r", 1, 8);
    small_pool(s, "s", 1, 4);
    small_queue(s, "one", 1);
    small_queue(s, "two", 2);
    small_queue(s, "both", 12);
    small_queue(s, "half", 4);
    int64_t at = small_below(random, 100) * 1000 - 50000;
    for (int i = 0; i < 120; i++) {
        static const char *const names[] = {"one", "two", "both", "half"};
        struct trace_job *job =
            small_job_of(s, names[small_below(random, 4)], "j", at, small_below(random, 20) * 1000,
                         small_below(random, 10));
        job->eligible_ms += small_below(random, 5) == 0 ? 1000 + small_below(random, 30) * 1000 : 0;
        at += small_below(random, 3) * 1000;
        if (job->eligible_ms == 0)
            job->eligible_ms = 1;
    }
}

START_TEST(intervals_cover_each_moment_once)
{
    uint64_t random = (uint64_t)_i;
    int cycle = _i / ROWS(options) % ROWS(cycles_ms);
    struct small s;
    random_run(&s, &random, _i % ROWS(options), cycles_ms[cycle]);
    struct cover cover = {.s = &s};
    for (int site = 0; site < 8; site++)
        cover.until[site] = INT64_MIN;
    small_observe(&s, (struct sim_observer){.self = &cover, .interval = interval});
    small_run(&s);
    ck_assert_uint_eq(s.sim->site_count, 3);
    ck_assert_uint_gt(cover.intervals, 20);
    for (uint32_t site = 0; site < s.sim->site_count; site++)
        ck_assert_int_eq(cover.until[site], s.sim->now_ms);
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("window");
    TCase *tcase = tcase_create("window");
    tcase_add_loop_test(tcase, the_window_bounds_the_run, 0, ROWS(windows));
    tcase_add_loop_test(tcase, a_warm_up_is_shorter_than_the_run, 0, 2);
    tcase_add_loop_test(tcase, windows_begin_with_the_first_job, 0, 2);
    tcase_add_test(tcase, a_closed_run_is_measured_to_its_last_submission);
    tcase_add_test(tcase, the_instant_of_the_last_submission_is_in_the_window);
    tcase_add_test(tcase, an_open_window_ends_with_the_last_job);
    tcase_add_loop_test(tcase, samples_show_the_state_behind_the_instant, 0, ROWS(samplings));
    tcase_add_loop_test(tcase, intervals_cover_each_moment_once, 0, 40);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
