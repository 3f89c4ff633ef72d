/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When the policy decides: once per cycle, and only if something may have changed. Deciding at
 * every opportunity gives the same starts and evictions; nominations may be repeated.
 */
#include "tests/sim/small.h"

enum { DECISIONS = 4000 };

struct record {
    struct {
        int64_t at_ms;
        uint64_t job;
        uint32_t task, node;
        int32_t kind, reason;
    } decisions[DECISIONS];
    size_t count;
    int64_t last_ms;
    int64_t cycle_ms;
};

static void decided(void *self, const struct sim *sim, const struct policy_decision *d,
                    const struct work_job *job)
{
    struct record *r = self;
    r->last_ms = sim->now_ms;
    if (r->cycle_ms > 0)
        ck_assert_int_eq(sim->now_ms % r->cycle_ms, 0);
    if (d->kind == POLICY_NOMINATE)
        return;
    ck_assert_uint_lt(r->count, DECISIONS);
    r->decisions[r->count].at_ms = sim->now_ms;
    r->decisions[r->count].job = job->number;
    r->decisions[r->count].task = d->task;
    r->decisions[r->count].node = d->node.i;
    r->decisions[r->count].kind = d->kind;
    r->decisions[r->count++].reason = d->reason;
}

static void draw_queues(struct small *s, uint64_t *random)
{
    static const char *const names[] = {"x", "y", "z"};
    for (int i = 0; i < ROWS(names); i++) {
        struct sim_queue *queue = small_queue(s, names[i], 0);
        queue->gpu.quota = 1000 * small_below(random, 5);
        queue->priority = (int)small_below(random, 2) * 10;
        queue->preempt_min_runtime_ms = queue->reclaim_min_runtime_ms =
            small_below(random, 3) == 0 ? 20000 : POLICY_INHERIT;
    }
}

static void draw_jobs(struct small *s, uint64_t *random)
{
    static const char *const names[] = {"x", "y", "z"};
    int64_t at = 0;
    for (int i = 0; i < 80; i++) {
        struct trace_job *job = small_job_of(s, names[small_below(random, ROWS(names))], "j", at,
                                             100 * small_below(random, 900), TRACE_UNKNOWN);
        job->gpus = 1 + (int32_t)small_below(random, 4);
        job->tasks = job->max_tasks = 1 + (int32_t)small_below(random, 3);
        job->min_tasks = 1 + (int32_t)small_below(random, job->tasks);
        job->priority = 40 + 20 * (int32_t)small_below(random, 4);
        job->class = job->priority == 100 ? TRACE_BUILD : TRACE_TRAIN;
        job->active_ppm = small_below(random, 2) == 0 ? 0 : TRACE_UNKNOWN;
        job->restart_ms = 1000 * small_below(random, 5);
        at += small_below(random, 6000);
    }
}

static void run(struct record *r, uint64_t seed, bool always, int64_t cycle_ms, uint64_t *cycles)
{
    struct small s;
    *r = (struct record){.cycle_ms = cycle_ms};
    uint64_t random = seed;
    small_begin(&s, "runai",
                seed % 2 == 0 ? "" : "idle_limit_s=5 idle_grace_s=0 interactive_limit_s=40");
    s.silent = true;
    s.config.audit = false; /* other tests audit these runs */
    s.config.ask_always = always;
    s.config.cycle_ms = cycle_ms;
    s.config.grace_ms = 7000;
    small_observe(&s, (struct sim_observer){.self = r, .decided = decided});
    small_pool(&s, "p", 2, 4);
    draw_queues(&s, &random);
    draw_jobs(&s, &random);
    small_run(&s);
    *cycles = s.sim->cycle_count;
    small_end(&s);
}

START_TEST(skipping_changes_no_decision)
{
    static struct record skipping;
    static struct record always;
    uint64_t some;
    uint64_t all;
    int64_t cycle_ms = _i % 3 == 0 ? 5000 : 1000;
    run(&skipping, (uint64_t)_i, false, cycle_ms, &some);
    run(&always, (uint64_t)_i, true, cycle_ms, &all);
    ck_assert_uint_lt(some, all);
    for (size_t i = 0; i < skipping.count && i < always.count; i++)
        ck_assert_msg(
            memcmp(&skipping.decisions[i], &always.decisions[i], sizeof always.decisions[i]) == 0,
            "decision %zu: kind %d of job %llu task %u at %lld ms, but kind %d of job %llu task %u "
            "at %lld",
            i, skipping.decisions[i].kind, (unsigned long long)skipping.decisions[i].job,
            skipping.decisions[i].task, (long long)skipping.decisions[i].at_ms,
            always.decisions[i].kind, (unsigned long long)always.decisions[i].job,
            always.decisions[i].task, (long long)always.decisions[i].at_ms);
    ck_assert_uint_eq(skipping.count, always.count);
}
END_TEST

/* The same runs do contain evictions of many kinds, or the test above would show little. */
START_TEST(the_runs_have_evictions)
{
    static struct record r;
    uint64_t cycles;
    int by_reason[POLICY_MOST_REASONS] = {0};
    for (uint64_t seed = 0; seed < 20; seed++) {
        run(&r, seed, false, 1000, &cycles);
        for (size_t i = 0; i < r.count; i++)
            by_reason[r.decisions[i].reason] += r.decisions[i].kind == POLICY_EVICT;
    }
    ck_assert_int_gt(by_reason[POLICY_REASON_RECLAIM_OVER_QUOTA], 20);
    ck_assert_int_gt(by_reason[POLICY_REASON_PREEMPTED], 20);
    ck_assert_int_gt(by_reason[POLICY_REASON_MOVED], 0);
    ck_assert_int_gt(by_reason[POLICY_REASON_TIME_LIMIT], 0);
    ck_assert_int_gt(by_reason[POLICY_REASON_IDLE], 0);
}
END_TEST

static void ask(void *self, const struct sim *sim, uint32_t site, int64_t from, int64_t to)
{
    (void)self, (void)site, (void)from, (void)to;
    ck_assert(sim->config.cycle_ms == 0 || sim->decided_ms == INT64_MIN ||
              sim->decided_ms % sim->config.cycle_ms == 0);
}

/* 100 s of one job: a queueing policy decides when the job arrives and when there is something to
 * decide. */
START_TEST(quiet_time_costs_nothing)
{
    for (int always = 0; always < 2; always++) {
        struct small s;
        small_begin(&s, "fifo", "");
        small_pool(&s, "p", 1, 1);
        small_observe(&s, (struct sim_observer){.interval = ask});
        s.config.cycle_ms = 1000;
        s.config.ask_always = always;
        small_job(&s, "a", 0, 100000, 1);
        small_run(&s);
        ck_assert_uint_eq(s.sim->cycle_count, always ? 101 : 1);
        small_end(&s);
    }
}
END_TEST

/*
 * A run with a usage history ends with its last job, even if a job is pending that can never start.
 * If gangs block each other forever, it continues while usage changes. Allocations change last when
 * a ends, at 100 s, and the window of 6400 s has passed that at 6500 s, a multiple of the steps of
 * 100 s at which the policy looks again.
 */
static const struct {
    const char *what;
    int32_t gpus; /* of each of the three tasks of the last job */
    bool single;
    int64_t eligible_s;
    int64_t ends_s;
} fading[] = {
    {"all are done", 1, false, 0, 100},
    {"it comes late", 1, false, 5000, 5060},
    {"it never fits", 3, false, 0, 100},
    {"it never fits, and later", 3, false, 5000, 100},
    {"they hold all, for ever", 1, true, 0, 6500},
};

START_TEST(fading_use_keeps_no_run_going)
{
    struct small s;
    small_begin(&s, "runai", "usage_window=sliding usage_window_s=6400 actions=allocate");
    small_pool(&s, "p", 1, 5);
    s.config.single_tasks = fading[_i].single;
    small_job(&s, "a", 0, 100000, 1);
    struct trace_job *job = small_job(&s, "b", 20000, 60000, TRACE_UNKNOWN);
    job->gpus = fading[_i].gpus;
    job->tasks = job->min_tasks = job->max_tasks = fading[_i].single ? 5 : 3;
    if (fading[_i]
            .single) { /* b holds four devices; other, which has none yet, wants the one of a */
        struct trace_job *other = small_job_of(&s, "other", "other", 50000, 60000, TRACE_UNKNOWN);
        other->gpus = 1;
        other->tasks = other->min_tasks = other->max_tasks = 3;
    }
    job->eligible_ms = fading[_i].eligible_s > 0 ? fading[_i].eligible_s * 1000 : job->submit_ms;
    small_run(&s);
    ck_assert_msg(s.sim->now_ms == fading[_i].ends_s * 1000, "%s: %lld ms", fading[_i].what,
                  (long long)s.sim->now_ms);
    ck_assert_uint_lt(s.sim->cycle_count, 80);
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cycles");
    TCase *tcase = tcase_create("cycles");
    tcase_add_loop_test(tcase, skipping_changes_no_decision, 0, harness_repeats(60));
    tcase_add_test(tcase, the_runs_have_evictions);
    tcase_add_test(tcase, quiet_time_costs_nothing);
    tcase_add_loop_test(tcase, fading_use_keeps_no_run_going, 0, ROWS(fading));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
