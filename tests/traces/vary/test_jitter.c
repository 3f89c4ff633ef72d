/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces with jitter: order and bounds, what the jitter depends on, and how far ahead the trace is
 * read. */
#include "tests/traces/listed.h"

#include "sim/base/rng.h"

/* Arrivals with gaps of 0..2 x mean ms and some bursts at one instant. */
static void draw_arrivals(int64_t *submit_ms, int count, int64_t first_ms, uint64_t mean_ms)
{
    struct rng_stream stream;
    rng_init(&stream, mean_ms, RNG_TEST, 0);
    for (int i = 0; i < count; i++) {
        submit_ms[i] = first_ms;
        uint64_t draw = rng_u64(&stream);
        if (draw % 4)
            first_ms += (int64_t)((draw >> 8) % (2 * mean_ms + 1));
    }
}

static int compare(const void *left, const void *right)
{
    const struct seen *a = left, *b = right;
    if (a->submit_ms != b->submit_ms)
        return a->submit_ms < b->submit_ms ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

/* Gaps (mean), bound and first time: windows of one job to all jobs. */
static const struct {
    int count;
    int64_t first_ms;
    uint64_t mean_ms;
    int64_t jitter_ms;
} shakes[] = {
    {0, 0, 1, 10},           {1, 500, 1, 10},        {MOST, 0, 1000, 1}, {MOST, -50000, 100, 300},
    {MOST, 13219, 10, 5000}, {MOST, 0, 1, 10000000}, // all jobs at once
    {MOST, 0, 0, 200},                               // all raw times equal
};

START_TEST(jittered_jobs_are_the_same_in_order)
{
    static int64_t submit_ms[MOST];
    static struct seen seen[MOST], sorted[MOST];
    int count = shakes[_i].count;
    int64_t jitter_ms = shakes[_i].jitter_ms;
    draw_arrivals(submit_ms, count, shakes[_i].first_ms, shakes[_i].mean_ms);
    struct trace_adjustment wanted = nothing();
    wanted.jitter_ms = jitter_ms;
    wanted.seed = 42;
    ck_assert_int_eq(adjust_all(submit_ms, count, &wanted, seen), count);
    for (int i = 0; i < count; i++) {
        int64_t moved_ms = seen[i].submit_ms - submit_ms[seen[i].index];
        ck_assert_int_ge(moved_ms, -jitter_ms);
        ck_assert_int_le(moved_ms, jitter_ms);
        ck_assert_int_ge(seen[i].submit_ms, submit_ms[0]);
        ck_assert_int_eq(seen[i].eligible_ms, seen[i].submit_ms + 100);
    }
    // Sorted by (time, index) with every index once: the same jobs, in the one order that equal
    // inputs allow.
    memcpy(sorted, seen, sizeof sorted);
    if (count > 0)
        qsort(sorted, (size_t)count, sizeof *sorted, compare);
    static bool there[MOST];
    memset(there, 0, sizeof there);
    for (int i = 0; i < count; i++) {
        ck_assert_int_eq(seen[i].index, sorted[i].index);
        ck_assert(!there[seen[i].index]);
        there[seen[i].index] = true;
    }
}
END_TEST

START_TEST(jitter_is_uniform)
{
    static int64_t submit_ms[MOST];
    static struct seen seen[MOST];
    int counts[7] = {0};
    for (int i = 0; i < MOST; i++)
        submit_ms[i] = i ? 1000 * (int64_t)i : 0;
    struct trace_adjustment wanted = nothing();
    wanted.jitter_ms = 3;
    ck_assert_int_eq(adjust_all(submit_ms, MOST, &wanted, seen), MOST);
    for (int i = 1; i < MOST; i++)
        counts[seen[i].submit_ms - submit_ms[i] + 3]++;
    // 1999 draws in 7 cells: mean 285.6, standard deviation 15.6; five of those either way.
    for (int i = 0; i < 7; i++) {
        ck_assert_int_ge(counts[i], 207);
        ck_assert_int_le(counts[i], 364);
    }
}
END_TEST

/* By index: how far jitter moved each job. */
static void jitters(const int64_t *submit_ms, int count, struct trace_adjustment wanted,
                    int64_t *moved_ms)
{
    static struct seen seen[MOST];
    int got = adjust_all(submit_ms, count, &wanted, seen);
    for (int i = 0; i < got; i++)
        moved_ms[seen[i].index] = seen[i].submit_ms;
    wanted.jitter_ms = 0;
    ck_assert_int_eq(adjust_all(submit_ms, count, &wanted, seen), got);
    for (int i = 0; i < got; i++)
        moved_ms[seen[i].index] -= seen[i].submit_ms;
}

START_TEST(jitter_depends_on_seed_and_row_alone)
{
    enum { JOBS = 200, HALF = JOBS / 2 };
    int64_t submit_ms[JOBS], plain[JOBS] = {0}, other[JOBS] = {0}, reseeded[JOBS] = {0};
    draw_arrivals(submit_ms, JOBS, 0, 5000);
    submit_ms[0] = -100000; // far enough that the first time holds back no job
    struct trace_adjustment wanted = nothing();
    wanted.jitter_ms = 500;
    wanted.seed = 1;
    jitters(submit_ms, JOBS, wanted, plain);
    wanted.jobs = HALF;
    wanted.load_scale = 2.0;
    wanted.queue = 9;
    wanted.class = TRACE_TRAIN;
    jitters(submit_ms, JOBS, wanted, other);
    wanted.seed = 2;
    jitters(submit_ms, JOBS, wanted, reseeded);
    int different = 0;
    for (int i = 1; i < HALF; i++) {
        ck_assert_int_eq(plain[i], other[i]);
        different += plain[i] != reseeded[i];
    }
    ck_assert_int_gt(different, 90); // one in a thousand is equal by chance
}
END_TEST

/* The same jobs behind others or alone: same rows, different places in the stream. */
START_TEST(jitter_follows_the_row_not_the_place)
{
    enum { JOBS = 200, SKIPPED = 50 };
    static struct seen seen[MOST];
    int64_t submit_ms[JOBS], moved_ms[JOBS];
    bool closed;
    for (int i = 0; i < JOBS; i++)
        submit_ms[i] = 5000 * (int64_t)i;
    struct trace_adjustment wanted = nothing();
    wanted.jitter_ms = 500;
    wanted.seed = 3;
    jitters(submit_ms, JOBS, wanted, moved_ms);
    struct trace *inner = listed_create(submit_ms, JOBS, TRACE_END, &closed);
    ((struct listed *)inner)->next = SKIPPED;
    struct trace *trace = trace_adjust(inner, &wanted);
    ck_assert_int_eq(read_all(trace, seen), JOBS - SKIPPED);
    for (int i = 1; i < JOBS - SKIPPED; i++) // the first one is held back by its own time
        ck_assert_int_eq(seen[i].submit_ms - submit_ms[seen[i].index], moved_ms[seen[i].index]);
    trace_close(trace);
}
END_TEST

/*
 * With one job a second and 10 s either way a window has 21 jobs, plus the one returned. The trace
 * is read no further ahead, and the strings of all jobs share as few buffers.
 */
START_TEST(memory_is_bounded_by_the_window)
{
    enum { WINDOW = 22 };
    static int64_t submit_ms[MOST];
    for (int i = 0; i < MOST; i++)
        submit_ms[i] = 1000 * (int64_t)i;
    bool closed;
    struct trace *inner = listed_create(submit_ms, MOST, TRACE_END, &closed);
    struct trace_adjustment wanted = nothing();
    wanted.jitter_ms = 10000;
    struct trace *trace = trace_adjust(inner, &wanted);
    const char *places[WINDOW];
    int used = 0;
    struct trace_job job;
    struct err err;
    for (int given = 0; trace_next(trace, &job, &err) == TRACE_JOB; given++) {
        ck_assert_int_le(((const struct listed *)inner)->next - given, WINDOW);
        int place = 0;
        while (place < used && places[place] != job.id)
            place++;
        ck_assert_int_lt(place, WINDOW);
        if (place == used)
            places[used++] = job.id;
    }
    trace_close(trace);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shake");
    TCase *tcase = tcase_create("shake");
    tcase_add_loop_test(tcase, jittered_jobs_are_the_same_in_order, 0, ROWS(shakes));
    tcase_add_test(tcase, jitter_is_uniform);
    tcase_add_test(tcase, jitter_depends_on_seed_and_row_alone);
    tcase_add_test(tcase, jitter_follows_the_row_not_the_place);
    tcase_add_test(tcase, memory_is_bounded_by_the_window);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
