/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress of a job: hand-made lives, and a naive twin that counts every millisecond. */
#include "sim/work/progress.h"
#include "tests/lib/harness.h"

#include <string.h>

/* ---- when it ends: arithmetic ---- */

static const struct {
    const char *what;
    int64_t total, rate, interval, write_ms, restart_ms;
    bool restart;
    int64_t end;
} ends[] = {
    {"nothing to do", 0, 1, 0, 0, 0, false, 0},
    {"work alone", 100, 1, 0, 0, 0, false, 100},
    {"half the tasks, twice the time", 800, 4, 0, 0, 0, false, 200},
    {"the last millisecond is begun", 801, 4, 0, 0, 0, false, 201},
    {"a first start has no restart", 100, 1, 0, 0, 30, false, 100},
    {"a restart comes first", 100, 1, 0, 0, 30, true, 130},
    {"writes between the intervals, none at the end", 100, 1, 25, 5, 0, false, 115},
    {"one write for what is left over", 101, 1, 25, 5, 0, false, 121},
    {"an interval that is never full", 100, 1, 100, 5, 0, false, 100},
    {"free checkpoints take no time", 100, 1, 7, 0, 0, false, 100},
    {"a write starts when the interval is full", 30, 4, 10, 2, 0, false, 3 + 2 + 3 + 2 + 2},
    {"all of it", 100, 2, 25, 5, 30, true, 30 + 13 + 5 + 13 + 5 + 13 + 5 + 11},
    {"stands still", 100, 0, 25, 5, 30, true, WORK_NO_END},
    {"later than any clock", INT64_C(1) << 61, 1, 1, INT64_C(1) << 50, 0, false, WORK_LATEST},
};

START_TEST(the_end_follows_from_arithmetic)
{
    struct work_progress p = {.total = ends[_i].total,
                              .interval = ends[_i].interval,
                              .write_ms = ends[_i].write_ms,
                              .restart_ms = ends[_i].restart_ms};
    work_progress_start(&p, 0, ends[_i].rate, ends[_i].restart);
    ck_assert_msg(work_progress_end(&p) == ends[_i].end, "%s: %lld, expected %lld", ends[_i].what,
                  (long long)work_progress_end(&p), (long long)ends[_i].end);
}
END_TEST

/* Startup 7, restart 30, and 100 units of work with a write of 5 after each 25. */
static const struct {
    int64_t rate;
    bool restart;
    int64_t launched, end;
} startups[] = {
    {1, false, 7, 122},
    {1, true, 37, 152},
    {0, false, 0, WORK_NO_END}, /* part of a gang waits for the rest: no startup */
};

/* A job judged on its way (sim/rungs.h) does the same as without, even if a checkpoint is due at
 * that point. */
START_TEST(to_the_end_in_parts)
{
    static const int64_t parts[][3] = {{25, 50, 25}, {1, 24, 75}, {50, 49, 1}, {33, 33, 34}};
    static const struct {
        int64_t interval, write_ms, stall_ms, startup_ms;
        bool async;
    } lives[] = {
        {0, 0, 0, 0, false},  {25, 5, 0, 0, false}, {25, 0, 0, 0, false},
        {10, 40, 3, 0, true}, {50, 5, 0, 7, false},
    };
    for (int64_t rate = 1; rate <= 4; rate += 3) {
        struct work_progress whole = {.total = 100,
                                      .interval = lives[_i / 4].interval,
                                      .write_ms = lives[_i / 4].write_ms,
                                      .stall_ms = lives[_i / 4].stall_ms,
                                      .startup_ms = lives[_i / 4].startup_ms,
                                      .async = lives[_i / 4].async};
        struct work_progress p = whole;
        struct work_spent spent;
        p.total = parts[_i % 4][0];
        p.rest = whole.total - p.total;
        work_progress_start(&whole, 0, rate, false);
        work_progress_start(&p, 0, rate, false);
        for (int k = 1; k < 3; k++) {
            ck_assert_int_eq(work_progress_left(&p, rate, false) - p.startup_ms,
                             (100 - p.done + rate - 1) / rate);
            int64_t at = work_progress_end(&p);
            work_progress_extend(&p, parts[_i % 4][k]);
            work_progress_to(&p, at, &spent);
            work_progress_to(&whole, at, &spent);
            ck_assert_int_eq(p.done, whole.done);
            ck_assert_int_eq(p.saved, whole.saved);
            ck_assert_int_eq(p.phase, whole.phase);
        }
        ck_assert_int_eq(work_progress_end(&p), work_progress_end(&whole));
    }
}
END_TEST

START_TEST(each_run_begins_with_a_startup)
{
    struct work_progress p = {
        .total = 100, .interval = 25, .write_ms = 5, .restart_ms = 30, .startup_ms = 7};
    work_progress_start(&p, 0, startups[_i].rate, startups[_i].restart);
    ck_assert_int_eq(work_progress_end(&p), startups[_i].end);
    ck_assert_int_eq(work_progress_launches(&p), startups[_i].rate > 0);
    ck_assert_int_eq(work_progress_launched(&p), startups[_i].launched);
    struct work_spent spent;
    work_progress_to(&p, 40, &spent);
    ck_assert_int_eq(spent.startup_ms, startups[_i].rate * 7);
    ck_assert_int_eq(spent.restart_ms, startups[_i].launched - spent.startup_ms);
    ck_assert_int_eq(work_progress_end(&p), startups[_i].end);
}
END_TEST

/* ---- remaining work ---- */

/*
 * Startup 7, a launch of 3, restart 30, 20 of overheads, 100 units of work: stopped at some time of
 * its second run, its remaining time in a third one, whose startup and restart begin anew.
 */
static const struct {
    int64_t at, launch, owed, left;
} owings[] = {
    {0, 3, 20, 7 + 3 + 30 + 20 + 100},
    {7, 3, 20, 7 + 3 + 30 + 20 + 100},
    {8, 2, 20, 7 + 2 + 30 + 20 + 100},
    {10, 0, 20, 7 + 30 + 20 + 100},
    {40, 0, 20, 7 + 30 + 20 + 100},
    {41, 0, 19, 7 + 30 + 19 + 100},
    {60, 0, 0, 7 + 30 + 100},
    {75, 0, 0, 7 + 30 + 85},
    {160, 0, 0, 7 + 30},
};

START_TEST(overheads_are_owed_once)
{
    struct work_progress p = {
        .total = 100, .startup_ms = 7, .launch_ms = 3, .restart_ms = 30, .owed_ms = 20};
    struct work_spent spent;
    ck_assert_int_eq(work_progress_left(&p, 1, true), 160);
    ck_assert_int_eq(work_progress_left(&p, 1, false), 130);
    work_progress_start(&p, 0, 1, true);
    ck_assert_int_eq(work_progress_end(&p), 160);
    ck_assert_int_eq(work_progress_launched(&p), 60);
    work_progress_to(&p, owings[_i].at, &spent);
    ck_assert_int_eq(work_progress_end(&p), 160);
    ck_assert_int_eq(spent.startup_ms + spent.restart_ms + spent.work_ms, owings[_i].at);
    work_progress_stop(&p, true);
    ck_assert_int_eq(p.launch_ms, owings[_i].launch);
    ck_assert_int_eq(p.owed_ms, owings[_i].owed);
    ck_assert_int_eq(work_progress_left(&p, 1, true), owings[_i].left);
    work_progress_start(&p, 1000, 1, true);
    ck_assert_int_eq(work_progress_end(&p), 1000 + owings[_i].left);
    work_progress_stop(&p, true);
    work_progress_start(&p, 2000, 0, false); /* part of a gang: nothing of it is paid */
    work_progress_to(&p, 3000, &spent);
    ck_assert_int_eq(spent.still_ms, 1000);
    ck_assert_int_eq(work_progress_left(&p, 1, true), owings[_i].left);
}
END_TEST

/* ---- lost work ---- */

static const struct {
    int64_t at, done, saved, lost;
    enum work_phase phase;
} stops[] = {
    /* restart 0..10, work 10..35, write 35..40, work 40..65, write 65..70, work 70..95 */
    {0, 0, 0, 0, PHASE_RESTART},  {9, 0, 0, 0, PHASE_RESTART},
    {10, 0, 0, 0, PHASE_WORK},    {34, 24, 0, 24, PHASE_WORK},
    {35, 25, 0, 25, PHASE_WRITE}, {39, 25, 0, 25, PHASE_WRITE}, /* the write was in vain */
    {40, 25, 25, 0, PHASE_WORK},  {64, 49, 25, 24, PHASE_WORK},
    {70, 50, 50, 0, PHASE_WORK},  {95, 75, 50, 25, PHASE_WORK},
};

START_TEST(unsaved_work_is_lost)
{
    for (int keep = 0; keep < 2; keep++) {
        struct work_progress p = {.total = 75, .interval = 25, .write_ms = 5, .restart_ms = 10};
        work_progress_start(&p, 0, 1, true);
        struct work_spent spent;
        work_progress_to(&p, stops[_i].at, &spent);
        ck_assert_int_eq(p.done, stops[_i].done);
        ck_assert_int_eq(p.saved, stops[_i].saved);
        ck_assert_int_eq(p.phase, stops[_i].phase);
        ck_assert_int_eq(work_progress_stop(&p, keep), keep ? 0 : stops[_i].lost);
        ck_assert_int_eq(p.done, keep ? stops[_i].done : stops[_i].saved);
        ck_assert_int_eq(p.saved, p.done);
        ck_assert_int_eq(work_progress_end(&p), WORK_NO_END);
    }
}
END_TEST

/* ---- asynchronous writes: arithmetic ---- */

/* 100 units of work at one per millisecond, a write after each 25, which stops the job for 2 ms of
 * its own time. */
static const struct {
    int64_t write_ms, end;
    int64_t at, saved, done; /* if stopped then, this much of the work done is safe */
} asyncs[] = {
    {10, 106, 35, 25, 33}, {10, 106, 34, 0, 32}, /* it began at 25 */
    {2, 106, 27, 25, 25},                        /* like a blocking one */
    {30, 106, 55, 25, 53}, /* 25..55; the next one waits for it, and begins at 55 with 53 done */
    {40, 104, 65, 25, 63}, {40, 104, 64, 0, 62},
};

START_TEST(asynchronous_writes_are_safe_when_they_are_through)
{
    struct work_progress p = {.total = 100,
                              .interval = 25,
                              .write_ms = asyncs[_i].write_ms,
                              .stall_ms = 2,
                              .async = true};
    work_progress_start(&p, 0, 1, false);
    ck_assert_int_eq(work_progress_end(&p), asyncs[_i].end);
    struct work_spent spent;
    work_progress_to(&p, asyncs[_i].at, &spent);
    ck_assert_int_eq(p.saved, asyncs[_i].saved);
    ck_assert_int_eq(p.done, asyncs[_i].done);
    ck_assert_int_eq(work_progress_end(&p), asyncs[_i].end);
    ck_assert_int_eq(work_progress_stop(&p, false), asyncs[_i].done - asyncs[_i].saved);
}
END_TEST

/* ---- an extra write ---- */

/* 100 units, one per millisecond; an asynchronous write began at 25 and would end at 65; at 40
 * another one begins. */
START_TEST(a_write_out_of_turn_takes_the_place_of_another)
{
    struct work_progress p = {
        .total = 100, .interval = 25, .write_ms = 40, .stall_ms = 2, .async = true};
    struct work_spent spent;
    work_progress_start(&p, 0, 1, false);
    work_progress_to(&p, 40, &spent);
    ck_assert_int_eq(p.done, 38);
    work_progress_write(&p);
    ck_assert_int_eq(work_progress_end(&p), 40 + 40 + 25 + 2 + 37);
    work_progress_to(&p, 79, &spent);
    ck_assert_int_eq(p.saved, 0);
    ck_assert_int_eq(spent.write_ms, 39);
    ck_assert(spent.begun && spent.fresh_ms == 0);
    work_progress_to(&p, 83, &spent);
    ck_assert_int_eq(p.saved, 38);
    ck_assert(spent.saved && spent.before && spent.unsafe_ms == 3 && spent.fresh_ms == 3);
}
END_TEST

/* ---- the twin ---- */

struct twin {
    struct work_progress p;
    struct work_spent spent;
};

static void twin_save(struct twin *t)
{
    t->p.saved = t->p.begun;
    t->spent.saved = true;
    t->spent.before = !t->spent.begun;
    t->spent.unsafe_ms = t->spent.fresh_ms;
}

static void twin_begin_writes(struct twin *t)
{
    struct work_progress *p = &t->p;
    while (p->writing_ms == 0 && p->phase == PHASE_WORK && p->interval > 0 && p->done < p->total &&
           p->done - p->begun >= p->interval) {
        p->begun = p->done;
        t->spent.begun = true;
        t->spent.fresh_ms = 0;
        p->writing_ms = p->write_ms;
        p->left_ms = p->async ? p->stall_ms : p->write_ms;
        p->phase = p->left_ms > 0 ? PHASE_WRITE : PHASE_WORK;
        if (p->writing_ms == 0)
            twin_save(t);
    }
}

static void twin_spend(struct twin *t)
{
    struct work_progress *p = &t->p;
    if (p->phase == PHASE_STARTUP || p->phase == PHASE_LOAD || p->phase == PHASE_ENGINE)
        t->spent.startup_ms++;
    else if (p->phase == PHASE_RESTART || p->phase == PHASE_READ)
        t->spent.restart_ms++;
    else if (p->phase == PHASE_WRITE)
        t->spent.write_ms++;
    else if (p->rate == 0)
        t->spent.still_ms++;
    else {
        t->spent.work_ms++;
        t->spent.unsafe_ms++;
        t->spent.fresh_ms++;
        p->done = p->done + p->rate < p->total ? p->done + p->rate : p->total;
    }
}

static void twin_next_phase(struct work_progress *p)
{
    static const uint8_t after[WORK_PHASES] = {[PHASE_STARTUP] = PHASE_LOAD,
                                               [PHASE_LOAD] = PHASE_ENGINE,
                                               [PHASE_ENGINE] = PHASE_RESTART,
                                               [PHASE_RESTART] = PHASE_READ};
    const int64_t lengths[WORK_PHASES] = {[PHASE_LOAD] = p->load_ms,
                                          [PHASE_ENGINE] = p->engine_ms,
                                          [PHASE_RESTART] = p->restarts ? p->restart_ms : 0,
                                          [PHASE_READ] = p->restarts ? p->read_ms : 0};
    p->phase = after[p->phase];
    p->left_ms = lengths[p->phase];
}

static void twin_tick(struct twin *t)
{
    struct work_progress *p = &t->p;
    if (p->rate > 0) /* one that was due during the stall */
        twin_begin_writes(t);
    p->since_ms++;
    twin_spend(t);
    if (p->writing_ms > 0 && --p->writing_ms == 0)
        twin_save(t);
    if (p->phase != PHASE_WORK && --p->left_ms == 0) {
        while (p->left_ms == 0 && p->phase != PHASE_WORK)
            twin_next_phase(p);
    } else if (p->phase == PHASE_WORK && p->rate > 0) {
        twin_begin_writes(t);
    }
}

static void check_same(const struct work_progress *p, const struct work_spent *spent,
                       const struct twin *t)
{
    ck_assert_int_eq(p->done, t->p.done);
    ck_assert_int_eq(p->saved, t->p.saved);
    ck_assert_int_eq(p->phase, t->p.phase);
    ck_assert_int_eq(p->left_ms, t->p.left_ms);
    ck_assert_int_eq(spent->work_ms, t->spent.work_ms);
    ck_assert_int_eq(spent->startup_ms, t->spent.startup_ms);
    ck_assert_int_eq(spent->restart_ms, t->spent.restart_ms);
    ck_assert_int_eq(spent->write_ms, t->spent.write_ms);
    ck_assert_int_eq(spent->still_ms, t->spent.still_ms);
    ck_assert_int_eq(spent->saved, t->spent.saved);
    ck_assert_int_eq(spent->before, t->spent.before);
    ck_assert_int_eq(spent->begun, t->spent.begun);
    ck_assert_int_eq(spent->unsafe_ms, t->spent.unsafe_ms);
    ck_assert_int_eq(spent->fresh_ms, t->spent.fresh_ms);
    ck_assert_int_eq(p->begun, t->p.begun);
    ck_assert_int_eq(p->writing_ms, t->p.writing_ms);
}

static int64_t draw(uint64_t *state, int64_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((*state >> 33) % (uint64_t)n);
}

/* Random lives with stops, restarts and changes of rate: any span in one step equals its
 * milliseconds. */
START_TEST(spans_are_the_sum_of_their_milliseconds)
{
    uint64_t random = (uint64_t)_i * 977 + 1;
    struct work_progress p = {.total = draw(&random, 3000),
                              .interval = draw(&random, 4) == 0 ? 0 : 1 + draw(&random, 200),
                              .write_ms = draw(&random, 3) == 0 ? 0 : draw(&random, 12),
                              .restart_ms = draw(&random, 20),
                              .startup_ms = _i % 2 == 0 ? 0 : draw(&random, 20),
                              .load_ms = _i % 5 == 0 ? draw(&random, 9) : 0,
                              .engine_ms = _i % 7 == 0 ? draw(&random, 9) : 0,
                              .read_ms = _i % 2 == 0 ? draw(&random, 9) : 0,
                              .async = _i % 3 > 0};
    p.write_ms *= p.async && _i % 4 == 0 ? 40 : 1; /* also longer than the interval */
    p.stall_ms = draw(&random, p.write_ms + 1);
    bool again = false;
    for (int life = 0; life < 6; life++) {
        work_progress_start(&p, p.since_ms + draw(&random, 50), 1 + draw(&random, 9), again);
        again = true;
        for (int change = 0; change < 4; change++) {
            int64_t to = p.since_ms + draw(&random, 400);
            int64_t end = work_progress_end(&p);
            to = to < end ? to : end;
            struct twin t = {.p = p, .spent = {.begun = p.begins}};
            t.p.begins = false;
            while (t.p.since_ms < to) {
                ck_assert(p.rate == 0 || t.p.done < p.total || t.p.phase != PHASE_WORK ||
                          end == p.since_ms);
                twin_tick(&t);
            }
            struct work_spent spent;
            work_progress_to(&p, to, &spent);
            check_same(&p, &spent, &t);
            if (p.phase == PHASE_WORK && p.interval > 0 && draw(&random, 4) == 0)
                work_progress_write(&p);
            if (to == end) {
                ck_assert_int_eq(p.done, p.total);
                return;
            }
            p.rate = draw(&random, 10);
        }
        work_progress_stop(&p, draw(&random, 2) == 0);
    }
}
END_TEST

/* A job of many years that checkpoints every second is computed as fast as any other. */
START_TEST(long_lives_cost_nothing)
{
    struct work_progress p = {.total = INT64_C(1000000000000000), .interval = 1000, .write_ms = 1};
    work_progress_start(&p, 0, 1, false);
    int64_t end = INT64_C(1000000000000000) + INT64_C(999999999999);
    ck_assert_int_eq(work_progress_end(&p), end);
    struct work_spent spent;
    work_progress_to(&p, end - 1, &spent);
    ck_assert_int_eq(spent.write_ms, INT64_C(999999999999));
    ck_assert_int_eq(spent.unsafe_ms, 999);
    ck_assert_int_eq(work_progress_end(&p), end);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("progress");
    TCase *tcase = tcase_create("progress");
    tcase_add_loop_test(tcase, the_end_follows_from_arithmetic, 0, ROWS(ends));
    tcase_add_loop_test(tcase, to_the_end_in_parts, 0, 5 * 4);
    tcase_add_loop_test(tcase, each_run_begins_with_a_startup, 0, ROWS(startups));
    tcase_add_loop_test(tcase, unsaved_work_is_lost, 0, ROWS(stops));
    tcase_add_loop_test(tcase, asynchronous_writes_are_safe_when_they_are_through, 0, ROWS(asyncs));
    tcase_add_test(tcase, a_write_out_of_turn_takes_the_place_of_another);
    tcase_add_loop_test(tcase, spans_are_the_sum_of_their_milliseconds, 0, 500);
    tcase_add_test(tcase, long_lives_cost_nothing);
    tcase_add_loop_test(tcase, overheads_are_owed_once, 0, ROWS(owings));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
