/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The event loop: small runs whose every event follows from arithmetic. Times in tables are in
 * seconds. A log shows the order of events, also at one instant.
 */
#include "tests/sim/small.h"

enum { LISTED = 6 };

struct listed {
    const char *id, *queue;
    int64_t submit_s, duration_s, gpus;
    int64_t eligible_s; /* 0: at once */
};

static const struct {
    const char *what, *preset, *options;
    int nodes, gpus;
    int64_t cycle_s;
    struct listed jobs[LISTED]; /* jobs with an id */
    const char *log;
} rows[] = {
    {"one job", "fifo", "", 1, 2, 0, {{"a", "q", 3, 4, 1, 0}}, "submit a 3; start a 3; end a 7; "},
    {"strict: what could start waits behind what cannot",
     "fifo",
     "blocking=strict",
     1,
     2,
     0,
     {{"a", "q", 0, 10, 1, 0}, {"b", "q", 0, 5, 2, 0}, {"c", "q", 1, 1, 1, 0}},
     "submit a 0; submit b 0; start a 0; submit c 1; end a 10; start b 10; end b 15; start c 15; "
     "end c 16; "},
    {"skip: it does not",
     "fifo",
     "blocking=skip",
     1,
     2,
     0,
     {{"a", "q", 0, 10, 1, 0}, {"b", "q", 0, 5, 2, 0}, {"c", "q", 1, 1, 1, 0}},
     "submit a 0; submit b 0; start a 0; submit c 1; start c 1; end c 2; end a 10; start b 10; end "
     "b 15; "},
    {"strict, fleet: another queue waits too",
     "fifo",
     "blocking=strict scope=fleet",
     1,
     2,
     0,
     {{"a", "x", 0, 10, 1, 0}, {"b", "x", 0, 5, 2, 0}, {"c", "y", 1, 1, 1, 0}},
     "submit a 0; submit b 0; start a 0; submit c 1; end a 10; start b 10; end b 15; start c 15; "
     "end c 16; "},
    {"strict, queue: it does not",
     "fifo",
     "blocking=strict scope=queue",
     1,
     2,
     0,
     {{"a", "x", 0, 10, 1, 0}, {"b", "x", 0, 5, 2, 0}, {"c", "y", 1, 1, 1, 0}},
     "submit a 0; submit b 0; start a 0; submit c 1; start c 1; end c 2; end a 10; start b 10; end "
     "b 15; "},
    {"shortest first, equal ones in order of submission",
     "sjf",
     "",
     1,
     1,
     0,
     {{"a", "q", 0, 4, 1, 0},
      {"b", "q", 1, 3, 1, 0},
      {"c", "q", 1, 2, 1, 0},
      {"d", "q", 2, 3, 1, 0}},
     "submit a 0; start a 0; submit b 1; submit c 1; submit d 2; end a 4; start c 4; end c 6; "
     "start b 6; end b 9; start d 9; end d 12; "},
    {"at one instant: ends, then arrivals, then the policy",
     "sjf",
     "",
     1,
     1,
     0,
     {{"a", "q", 0, 5, 1, 0}, {"b", "q", 1, 9, 1, 0}, {"c", "q", 5, 2, 1, 0}},
     "submit a 0; start a 0; submit b 1; end a 5; submit c 5; start c 5; end c 7; start b 7; end b "
     "16; "},
    {"ends of one instant come in the order of their starts",
     "fifo",
     "",
     1,
     3,
     0,
     {{"a", "q", 0, 5, 1, 0}, {"b", "q", 1, 4, 1, 0}, {"c", "q", 0, 5, 1, 0}},
     "submit a 0; submit c 0; start a 0; start c 0; submit b 1; start b 1; end a 5; end c 5; end b "
     "5; "},
    {"a job without duration comes and goes",
     "fifo",
     "",
     1,
     1,
     0,
     {{"a", "q", 2, 0, 1, 0}, {"b", "q", 2, 0, 1, 0}, {"c", "q", 2, 1, 1, 0}},
     "submit a 2; submit b 2; submit c 2; start a 2; end a 2; start b 2; end b 2; start c 2; end c "
     "3; "},
    {"a job without devices needs none",
     "fifo",
     "",
     1,
     1,
     0,
     {{"a", "q", 0, 5, 1, 0}, {"b", "q", 1, 1, 0, 0}},
     "submit a 0; start a 0; submit b 1; start b 1; end b 2; end a 5; "},
    {"nor does one that is only counted",
     "fifo",
     "placement=count",
     1,
     1,
     0,
     {{"a", "q", 0, 5, 1, 0}, {"b", "q", 1, 1, 0, 0}},
     "submit a 0; start a 0; submit b 1; start b 1; end b 2; end a 5; "},
    {"before it is eligible a job neither starts nor blocks; then it is as old as its submission",
     "fifo",
     "blocking=strict",
     1,
     1,
     0,
     {{"a", "q", 0, 2, 1, 7},
      {"b", "q", 1, 5, 1, 0},
      {"c", "q", 2, 1, 1, 0},
      {"d", "q", 3, 9, 1, 0}},
     "submit a 0; submit b 1; start b 1; submit c 2; submit d 3; end b 6; start c 6; end c 7; "
     "start a 7; end a 9; start d 9; end d 18; "},
    {"an idle fleet waits for the time at which a job becomes eligible",
     "fifo",
     "",
     1,
     1,
     0,
     {{"a", "q", 0, 2, 1, 100}},
     "submit a 0; start a 100; end a 102; "},
    {"decisions at multiples of the cycle only",
     "fifo",
     "",
     1,
     1,
     10,
     {{"a", "q", 3, 2, 1, 0},
      {"b", "q", 4, 8, 1, 0},
      {"c", "q", 20, 1, 1, 0},
      {"d", "q", 41, 0, 1, 0}},
     "submit a 3; submit b 4; start a 10; end a 12; submit c 20; start b 20; end b 28; start c 30; "
     "end c 31; submit d 41; start d 50; end d 50; "},
    {"a job that becomes eligible between two cycles waits for the next",
     "fifo",
     "",
     1,
     1,
     10,
     {{"a", "q", 0, 2, 1, 15}},
     "submit a 0; start a 20; end a 22; "},
    {"times may be negative",
     "fifo",
     "",
     1,
     1,
     0,
     {{"a", "q", -10, 4, 1, 0}, {"b", "q", -8, 4, 1, 0}, {"c", "q", -7, 9, 1, -1}},
     "submit a -10; start a -10; submit b -8; submit c -7; end a -6; start b -6; end b -2; start c "
     "-1; "
     "end c 8; "},
    {"cycles before time 0 are multiples too",
     "fifo",
     "",
     1,
     1,
     10,
     {{"a", "q", -13, 4, 1, 0}, {"b", "q", -10, 4, 1, 0}},
     "submit a -13; submit b -10; start a -10; end a -6; start b 0; end b 4; "},
    {"what never fits does not hold up what does",
     "fifo",
     "blocking=strict",
     2,
     2,
     0,
     {{"a", "q", 0, 5, 5, 0}, {"b", "q", 0, 1, 3, 0}, {"c", "q", 0, 2, 4, 0}},
     "submit a 0; submit b 0; submit c 0; start b 0; end b 1; start c 1; end c 3; "},
    {"nor where devices are only counted",
     "fifo",
     "blocking=strict placement=count",
     2,
     2,
     0,
     {{"a", "q", 0, 5, 5, 0}, {"b", "q", 0, 1, 3, 0}, {"c", "q", 0, 2, 4, 0}},
     "submit a 0; submit b 0; submit c 0; start b 0; end b 1; start c 1; end c 3; "},
    {"a gang takes whole nodes and a remainder, all or nothing",
     "fifo",
     "placement=consolidated",
     2,
     4,
     0,
     {{"a", "q", 0, 5, 1, 0}, {"b", "q", 0, 3, 5, 0}, {"c", "q", 0, 1, 8, 0}},
     "submit a 0; submit b 0; submit c 0; start a 0; start b 0; end b 3; end a 5; start c 5; end c "
     "6; "},
    {"a single job waits when devices are free in the wrong pieces",
     "fifo",
     "placement=spread blocking=skip",
     2,
     2,
     0,
     {{"a", "q", 0, 4, 1, 0}, {"b", "q", 0, 6, 1, 0}, {"c", "q", 0, 1, 2, 0}},
     "submit a 0; submit b 0; submit c 0; start a 0; start b 0; end a 4; start c 4; end c 5; end b "
     "6; "},
};

static int by_submit(const void *a, const void *b)
{
    const struct trace_job *x = a;
    const struct trace_job *y = b;
    return x->submit_ms != y->submit_ms
               ? (x->submit_ms > y->submit_ms) - (x->submit_ms < y->submit_ms)
               : (x->row > y->row) - (x->row < y->row);
}

static void build(struct small *s, int row)
{
    small_begin(s, rows[row].preset, rows[row].options);
    small_pool(s, "p", rows[row].nodes, rows[row].gpus);
    s->config.cycle_ms = rows[row].cycle_s * 1000;
    for (const struct listed *job = rows[row].jobs;
         job < rows[row].jobs + LISTED && job->id != NULL; job++) {
        struct trace_job *made = small_job_of(s, job->queue, job->id, job->submit_s * 1000,
                                              job->duration_s * 1000, job->gpus);
        if (job->eligible_s != 0)
            made->eligible_ms = job->eligible_s * 1000;
    }
    qsort(s->jobs, s->job_count, sizeof *s->jobs, by_submit);
}

START_TEST(every_event_follows_from_arithmetic)
{
    struct small s;
    build(&s, _i);
    small_run(&s);
    ck_assert_msg(strcmp(s.log, rows[_i].log) == 0, "%s:\n got %s\nnot %s", rows[_i].what, s.log,
                  rows[_i].log);
    small_end(&s);
}
END_TEST

/* Stopping after every second and continuing changes nothing. */
START_TEST(a_run_in_pieces_is_the_same_run)
{
    struct small s;
    build(&s, _i);
    ck_assert_msg(small_create(&s), "%s", s.err.msg);
    for (int64_t until = -20; until < 120; until++) {
        ck_assert_msg(sim_run(s.sim, until * 1000, &s.err), "%s", s.err.msg);
        for (size_t i = 0; i < s.job_count; i++)
            ck_assert_int_eq(s.lives[i].times_submitted, s.jobs[i].submit_ms <= until * 1000);
    }
    ck_assert(sim_run(s.sim, INT64_MAX, &s.err) && sim_finish(s.sim, &s.err));
    ck_assert_str_eq(s.log, rows[_i].log);
    small_end(&s);
}
END_TEST

START_TEST(until_includes_the_instant_itself)
{
    struct small s;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    small_job(&s, "a", 0, 5000, 1);
    small_job(&s, "b", 5000, 5000, 1);
    ck_assert(small_create(&s) && sim_run(s.sim, 4999, &s.err));
    ck_assert_str_eq(s.log, "submit a 0; start a 0; ");
    ck_assert_int_eq(s.sim->now_ms, 4999);
    ck_assert(sim_run(s.sim, 5000, &s.err));
    ck_assert_str_eq(s.log, "submit a 0; start a 0; end a 5; submit b 5; start b 5; ");
    ck_assert_uint_eq(s.sim->running, 1);
    small_end(&s);
}
END_TEST

/* For the policy core, a begin time of 0 means none: the job is not started early, only 1 ms late.
 */
START_TEST(a_begin_time_of_0_is_a_time)
{
    struct small s;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    small_job(&s, "a", -5000, 1000, 1)->eligible_ms = 0;
    small_job(&s, "b", 0, 1000, 1);
    small_run(&s);
    ck_assert_int_eq(small_start(&s, "b"), 0);
    ck_assert_int_eq(small_start(&s, "a"), 1000);
    small_end(&s);
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    small_job(&s, "a", -5000, 1000, 1)->eligible_ms = 0;
    small_run(&s);
    ck_assert_int_eq(small_start(&s, "a"), 1);
    small_end(&s);
}
END_TEST

/* ---- stopping from outside ---- */

struct endless {
    struct trace base;
    int64_t next;
};

static enum trace_result endless_next(struct trace *base, struct trace_job *job, struct err *err)
{
    (void)err;
    struct endless *trace = (struct endless *)base;
    trace_job_init(job);
    job->id = "e";
    job->gpus_total = 1;
    job->submit_ms = job->eligible_ms = trace->next++;
    return TRACE_JOB;
}

static bool three_times(void *self, const struct sim *sim)
{
    (void)sim;
    return ++*(int *)self < 3;
}

START_TEST(an_endless_run_is_stopped_when_asked)
{
    static const struct trace_methods methods = {.next = endless_next, .close = small_close};
    struct small s;
    small_begin(&s, "fifo", "placement=count");
    small_pool(&s, "p", 1, 1);
    int asked = 0;
    struct endless *trace = mem_alloc(1, sizeof *trace);
    trace->base.methods = &methods;
    s.trace = &trace->base;
    s.config.fleet = &s.fleet;
    s.config.audit = false;
    s.config.observer_count = 0;
    s.config.keep_going = three_times;
    s.config.keep_going_self = &asked;
    ck_assert(sim_create(&s.sim, &s.config, s.trace, &s.err) && sim_run(s.sim, INT64_MAX, &s.err));
    ck_assert(s.sim->stopped);
    ck_assert_int_eq(asked, 3);
    ck_assert(sim_finish(s.sim, &s.err)); /* the results so far can be written */
    ck_assert_uint_eq(s.sim->submitted, s.sim->ended + s.sim->running + s.sim->pending);
    small_end(&s);
}
END_TEST

/* ---- refusals ---- */

static void expect_failure(struct small *s, int code, const char *part)
{
    ck_assert(!small_try(s));
    ck_assert_int_eq(s->err.code, code);
    harness_contains(s->err.msg, part);
    small_end(s);
}

START_TEST(a_trace_without_jobs_is_an_input_error)
{
    struct small s;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    expect_failure(&s, EXIT_INPUT, "no jobs");
}
END_TEST

/* Every policy accepts jobs of every kind, but where devices are only counted there are no
 * instances. */
START_TEST(jobs_that_cannot_be_simulated_are_named)
{
    struct small s;
    small_begin(&s, "fifo", "placement=count");
    small_pool(&s, "p", 1, 1);
    small_job(&s, "good", 0, 1000, 1);
    small_job(&s, "bad", 1000, 1000, 1)->mig = "3g.40gb";
    expect_failure(&s, EXIT_INPUT,
                   "job 'bad' (row 2 of its trace): policy 'fifo' cannot meet its request");
}
END_TEST

/* The number of samples is bounded, however long the run: nothing fills a disk. */
START_TEST(there_are_not_endlessly_many_samples)
{
    struct small s;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    small_job(&s, "a", 0, INT64_C(1000) * (SIM_MOST_TICKS + 10), 1);
    s.config.tick_ms = 1000;
    expect_failure(&s, EXIT_INPUT, "outputs.timeline_s");
}
END_TEST

/* Each duration can be read, but in sequence they exceed the range of time. */
START_TEST(time_does_not_overflow)
{
    struct small s;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    s.silent = true;
    for (int i = 0; i < 5; i++)
        small_job(&s, "j", 0, INT64_C(1000000000000000) * 1000, 1);
    expect_failure(&s, EXIT_INPUT, "million years");
}
END_TEST

static enum trace_result broken_next(struct trace *base, struct trace_job *job, struct err *err)
{
    struct endless *trace = (struct endless *)base;
    if (trace->next < 3)
        return endless_next(base, job, err);
    err_set(err, EXIT_INPUT, "line 5: not sorted");
    return TRACE_UNSORTED;
}

START_TEST(a_trace_that_breaks_is_reported)
{
    static const struct trace_methods methods = {.next = broken_next, .close = small_close};
    for (int64_t horizon = -1; horizon < 2; horizon++) { /* also if it breaks after the window */
        struct small s;
        small_begin(&s, "fifo", "");
        small_pool(&s, "p", 1, 1);
        struct endless *trace = mem_alloc(1, sizeof *trace);
        trace->base.methods = &methods;
        s.trace = &trace->base;
        s.config.fleet = &s.fleet;
        s.config.horizon_ms = horizon;
        ck_assert(sim_create(&s.sim, &s.config, s.trace, &s.err));
        ck_assert(!sim_run(s.sim, INT64_MAX, &s.err));
        ck_assert(s.sim->unsorted);
        harness_contains(s.err.msg, "line 5");
        small_end(&s);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("run");
    TCase *tcase = tcase_create("events");
    tcase_add_loop_test(tcase, every_event_follows_from_arithmetic, 0, ROWS(rows));
    tcase_add_loop_test(tcase, a_run_in_pieces_is_the_same_run, 0, ROWS(rows));
    tcase_add_test(tcase, until_includes_the_instant_itself);
    tcase_add_test(tcase, a_begin_time_of_0_is_a_time);
    tcase_add_test(tcase, an_endless_run_is_stopped_when_asked);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("refusals");
    tcase_add_test(tcase, a_trace_without_jobs_is_an_input_error);
    tcase_add_test(tcase, jobs_that_cannot_be_simulated_are_named);
    tcase_add_test(tcase, there_are_not_endlessly_many_samples);
    tcase_add_test(tcase, time_does_not_overflow);
    tcase_add_test(tcase, a_trace_that_breaks_is_reported);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
