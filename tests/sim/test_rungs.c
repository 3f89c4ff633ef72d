/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Early stopping: stories by hand, refusals, and random runs with evictions, in which a naive
 * replay of the work done by each job at each time says which had to be stopped.
 */
#include "sim/base/rng.h"
#include "sim/rungs.h"
#include "tests/sim/evict.h"

static struct small s;

static struct trace_job *member(const char *id, int64_t submit_ms, int64_t duration_ms,
                                const char *array, const char *rungs, int64_t eta_milli)
{
    struct trace_job *job = small_job(&s, id, submit_ms, duration_ms, 1);
    job->array = array;
    job->rungs = rungs;
    job->eta_milli = eta_milli;
    return job;
}

static void create(void)
{
    ck_assert_msg(small_create(&s), "%s", s.err.msg);
    s.trace->linked = true;
}

static uint64_t score_of(uint64_t row)
{
    struct rng_stream stream;
    rng_init(&stream, s.config.seed, RNG_SCORE, row);
    return rng_u64(&stream);
}

/* ---- stories ---- */

/* In sequence: the n-th continues if its score is among the best max(1, n / 2) of the first n. */
START_TEST(the_best_of_a_rung_continue)
{
    enum { JOBS = 12 };
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    for (int i = 0; i < JOBS; i++) {
        char id[16];
        (void)snprintf(id, sizeof id, "j%d", i);
        member(id, i, 100000, "A", "40", 2000);
    }
    create();
    evict_finish(&s);
    uint64_t stopped = 0;
    int64_t at = 0;
    for (int n = 1; n <= JOBS; n++) {
        int better = 0;
        for (int i = 0; i < n - 1; i++)
            better += score_of((uint64_t)i) > score_of((uint64_t)n - 1);
        bool on = better < (n / 2 > 1 ? n / 2 : 1);
        stopped += !on;
        at += on ? 100000 : 40000;
        ck_assert_int_eq(s.lives[n - 1].end_ms, at);
    }
    const struct sim_rungs_figures *f = sim_rungs_figures(s.sim);
    ck_assert_uint_eq(f->judged, JOBS);
    ck_assert_uint_eq(f->stopped, stopped);
    ck_assert_uint_gt(stopped, 2);
    ck_assert_uint_lt(stopped, JOBS - 2);
    ck_assert(f->spared == (sim_rungs_amount)stopped * 60000 * 1000);
    small_end(&s);
}
END_TEST

/* Four at once, one in four continues: all are counted before the first is judged. The next array
 * is judged separately. */
START_TEST(at_one_instant)
{
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 8);
    static const char *const ids[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    int best[2] = {0, 4};
    for (int i = 0; i < 8; i++) {
        member(ids[i], 0, 60000, i < 4 ? "A" : "B", "10|20", 4000);
        if (score_of((uint64_t)i) > score_of((uint64_t)best[i / 4]))
            best[i / 4] = i;
    }
    create();
    evict_finish(&s);
    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(s.lives[i].end_ms, i == best[i / 4] ? 60000 : 10000);
    small_end(&s);
}
END_TEST

/* A rung beyond the work has no effect; a job without rungs is not judged; when one is stopped, its
 * array's limit lets the next one start. */
START_TEST(rungs_and_limits)
{
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 8);
    member("short", 0, 10000, "A", "10|20", 1001)->array_limit = 2;
    member("plain", 0, 30000, "A", "", TRACE_UNKNOWN)->array_limit = 2;
    member("later", 0, 15000, "A", "10|20", 1001)->array_limit = 2;
    create();
    evict_finish(&s);
    ck_assert_int_eq(small_stop(&s, "short"), 10000);
    ck_assert_int_eq(small_stop(&s, "plain"), 30000);
    ck_assert_int_eq(small_start(&s, "later"), 10000);
    ck_assert_int_eq(small_stop(&s, "later"), 25000);
    ck_assert_uint_eq(sim_rungs_figures(s.sim)->judged, 1);
    small_end(&s);
}
END_TEST

START_TEST(no_book_without_rungs)
{
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    member("a", 0, 1000, "A", "", TRACE_UNKNOWN);
    create();
    evict_finish(&s);
    ck_assert_ptr_null(sim_rungs_figures(s.sim));
    small_end(&s);
}
END_TEST

static const struct {
    const char *rungs;
    int64_t eta_milli;
    const char *says;
} refused[] = {
    {"10|20", 3000,
     "job 'b' (row 2 of its trace): rungs_s or eta are others than of jobs of array 'A'"},
    {"10", 2000, "rungs_s or eta are others"},
    {"10|30", 2000, "rungs_s or eta are others"},
    {"20|10", 2000, "rungs_s is '20|10'"},
    {"x", 2000, "rungs_s is 'x'"},
};

START_TEST(what_is_refused)
{
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    member("a", 0, 30000, "A", "10|20", 2000);
    member("b", 0, 30000, "A", refused[_i].rungs, refused[_i].eta_milli);
    create();
    ck_assert(!sim_run(s.sim, INT64_MAX, &s.err));
    ck_assert_int_eq(s.err.code, EXIT_INPUT);
    ck_assert_ptr_nonnull(strstr(s.err.msg, refused[_i].says));
    small_end(&s);
}
END_TEST

/* ---- random runs ---- */

enum { RANDOM_JOBS = 120, ARRAYS = 3, LADDER = 3 };

static const struct ladder {
    const char *array, *rungs;
    int64_t ms[LADDER], eta_milli;
    int limit;
} ladders[ARRAYS] = {
    {"A", "5|15.5|40", {5000, 15500, 40000}, 2000, 4},
    {"B", "7|21", {7000, 21000, 0}, 3000, 0},
    {"C", "10", {10000, 0, 0}, 1500, 2},
};

/* A job's progress in its last report, and when it first reached each rung. */
static struct seen {
    int64_t worked_ms, reached_ms[LADDER];
    int rungs; /* reached */
    bool stopped;
} seen[RANDOM_JOBS];
static int64_t evictions, lost_ms; /* of all jobs */

static void spent(void *self, const struct sim *sim, const struct work_job *job,
                  const struct sim_span *span)
{
    (void)self;
    struct seen *of = &seen[job->number];
    const struct ladder *l = &ladders[job->number % ARRAYS];
    of->worked_ms += span->spent.work_ms;
    int64_t done_ms = of->worked_ms - job->lost_units;
    int64_t duration_ms = s.jobs[job->number].duration_ms;
    while (of->rungs < LADDER && l->ms[of->rungs] > 0 && l->ms[of->rungs] < duration_ms &&
           done_ms >= l->ms[of->rungs]) {
        ck_assert_int_eq(done_ms, l->ms[of->rungs]); /* judged at this instant */
        of->reached_ms[of->rungs++] = sim->now_ms;
    }
}

static void ended(void *self, const struct sim *sim, const struct work_job *job)
{
    (void)self, (void)sim;
    struct seen *of = &seen[job->number];
    of->stopped = job->stopped;
    evictions += job->preemptions;
    lost_ms += job->lost_units;
    int64_t done_ms = of->worked_ms - job->lost_units;
    const struct ladder *l = &ladders[job->number % ARRAYS];
    ck_assert_int_eq(done_ms,
                     job->stopped ? l->ms[of->rungs - 1] : s.jobs[job->number].duration_ms);
    ck_assert_int_eq(job->duration_ms, done_ms);
}

static bool is_better(int a, int b)
{
    uint64_t x = score_of((uint64_t)a), y = score_of((uint64_t)b);
    return x != y ? x > y : a < b;
}

/* By the rule itself: among all jobs of its array that have reached the rung up to that instant. */
static bool had_to_stop(int job, int rung)
{
    const struct ladder *l = &ladders[job % ARRAYS];
    int64_t all = 0, better = 0;
    for (int i = job % ARRAYS; i < RANDOM_JOBS; i += ARRAYS) {
        if (seen[i].rungs <= rung || seen[i].reached_ms[rung] > seen[job].reached_ms[rung])
            continue;
        all++;
        better += i != job && is_better(i, job);
    }
    int64_t most = all * 1000 / l->eta_milli;
    return better >= (most > 1 ? most : 1);
}

static void check_all(void)
{
    uint64_t judged = 0, stopped = 0;
    for (int i = 0; i < RANDOM_JOBS; i++) {
        ck_assert_int_eq(s.lives[i].times_ended, 1);
        for (int k = 0; k < seen[i].rungs; k++) {
            bool last = k + 1 == seen[i].rungs;
            ck_assert_msg(had_to_stop(i, k) == (last && seen[i].stopped), "job %d at rung %d", i,
                          k);
        }
        if (seen[i].stopped)
            ck_assert_int_eq(s.lives[i].end_ms, seen[i].reached_ms[seen[i].rungs - 1]);
        judged += (uint64_t)seen[i].rungs;
        stopped += seen[i].stopped;
    }
    ck_assert_uint_eq(sim_rungs_figures(s.sim)->judged, judged);
    ck_assert_uint_eq(sim_rungs_figures(s.sim)->stopped, stopped);
    ck_assert_uint_gt(stopped, RANDOM_JOBS / 10);
    ck_assert_uint_gt(judged, stopped + RANDOM_JOBS / 10);
}

static void draw_jobs(uint64_t *state)
{
    int64_t at = 0;
    for (int i = 0; i < RANDOM_JOBS; i++) {
        char id[16];
        (void)snprintf(id, sizeof id, "j%d", i);
        const struct ladder *l = &ladders[i % ARRAYS];
        at += test_draw(state) % 2 == 0 ? 0 : (int64_t)(test_draw(state) % 8) * 1000;
        struct trace_job *job = member(id, at, 1 + (int64_t)(test_draw(state) % 60000), l->array,
                                       l->rungs, l->eta_milli);
        job->array_limit = l->limit;
        job->status = test_draw(state) % 6 == 0 ? TRACE_FAILED : TRACE_COMPLETED;
    }
}

/* At first a running job is evicted every few seconds, and loses its work since the last
 * checkpoint. */
static void run_with_evictions(uint64_t *state)
{
    for (int64_t until = 0; until < 400000; until += 1 + (int64_t)(test_draw(state) % 6000)) {
        evict_run(&s, until);
        size_t n = s.sim->work.capacity, at = n > 0 ? test_draw(state) % n : 0;
        for (size_t i = 0; i < n; i++) {
            struct work_job *job = &s.sim->work.jobs[(at + i) % n];
            if (job->state != WORK_RUNNING || job->due_ms == s.sim->now_ms)
                continue;
            ck_assert_msg(
                evict_try(&s, job, INT32_MAX, POLICY_RECLAIM, POLICY_REASON_RECLAIM_OVER_QUOTA),
                "%s", s.err.msg);
            break;
        }
    }
    evict_finish(&s);
}

START_TEST(as_the_rule_says)
{
    uint64_t state = (uint64_t)_i;
    memset(seen, 0, sizeof seen);
    evictions = lost_ms = 0;
    small_begin(&s, "runai", "");
    s.silent = true;
    s.config.seed = (uint64_t)_i;
    small_pool(&s, "p", 2, 4);
    s.config.checkpoints = (struct work_checkpoints){
        .given = _i % 2 == 0, .interval_ms = 5000, .write_ms = 500, .restart_ms = 700};
    s.config.grace_ms = _i % 3 * 1000;
    small_observe(&s, (struct sim_observer){.self = &s, .spent = spent, .ended = ended});
    draw_jobs(&state);
    create();
    run_with_evictions(&state);
    check_all();
    ck_assert_int_gt(evictions, 30);
    ck_assert_int_eq(lost_ms > 30000, _i % 2 == 0);
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rungs");
    TCase *tcase = tcase_create("rungs");
    tcase_add_test(tcase, the_best_of_a_rung_continue);
    tcase_add_test(tcase, at_one_instant);
    tcase_add_test(tcase, rungs_and_limits);
    tcase_add_test(tcase, no_book_without_rungs);
    tcase_add_loop_test(tcase, what_is_refused, 0, (int)(sizeof refused / sizeof *refused));
    tcase_add_loop_test(tcase, as_the_rule_says, 0, harness_thin() > 1 ? 2 : 12);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
