/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adjusted traces: limits, scales, assignments, and properties that stay those of the inner trace.
 */
#include "tests/traces/listed.h"

static const int64_t few_ms[] = {1000, 1001, 1010, 2000};

START_TEST(nothing_asked_gives_the_trace_itself)
{
    bool closed;
    struct trace *inner = listed_create(few_ms, 4, TRACE_END, &closed);
    struct trace_adjustment wanted = nothing();
    wanted.seed = 5; // a seed alone changes nothing
    ck_assert_ptr_eq(trace_adjust(inner, &wanted), inner);
    trace_close(inner);
}
END_TEST

static const struct {
    int64_t jobs;
    int given;
} limits[] = {{-1, 4}, {0, 0}, {1, 1}, {3, 3}, {4, 4}, {5, 4}};

START_TEST(first_jobs_are_kept)
{
    struct seen seen[MOST];
    for (int shake = 0; shake < 2; shake++) {
        struct trace_adjustment wanted = nothing();
        wanted.jobs = limits[_i].jobs;
        wanted.jitter_ms = shake * 5000;
        int count = adjust_all(few_ms, 4, &wanted, seen);
        ck_assert_int_eq(count, limits[_i].given);
        for (int i = 0; i < count; i++)
            ck_assert_int_lt(seen[i].index, limits[_i].given);
    }
}
END_TEST

/* few_ms are 0, 1, 10, 1000 ms after the first; eligible 100 ms later. */
static const struct {
    double time, load;
    int64_t submit_ms[4], eligible_last_ms;
} scales[] = {
    {2.0, 1.0, {1000, 1002, 1020, 3000}, 3200},
    {1.0, 2.0, {1000, 1001, 1005, 1500}, 1550}, // 0.5 away from zero
    {0.5, 1.0, {1000, 1001, 1005, 1500}, 1550},
    {3.0, 2.0, {1000, 1002, 1015, 2500}, 2650},
    {1.0, 0.25, {1000, 1004, 1040, 5000}, 5400},
    {1.0, 3.0, {1000, 1000, 1003, 1333}, 1367}, // 0.33, 3.33, 333.33, 366.67
    {1e-6, 1e6, {1000, 1000, 1000, 1000}, 1000},
    {0.1, 1.0, {1000, 1000, 1001, 1100}, 1110},
    {1e6, 1.0 / 4.0, {1000, 4001000, 40001000, 4000001000}, 4400001000},
};

START_TEST(scales_stretch_from_the_first)
{
    struct seen seen[MOST];
    struct trace_adjustment wanted = nothing();
    wanted.time_scale = scales[_i].time;
    wanted.load_scale = scales[_i].load;
    ck_assert_int_eq(adjust_all(few_ms, 4, &wanted, seen), 4);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(seen[i].index, i);
        ck_assert_int_eq(seen[i].submit_ms, scales[_i].submit_ms[i]);
        ck_assert_int_ge(seen[i].eligible_ms, seen[i].submit_ms);
    }
    ck_assert_int_eq(seen[3].eligible_ms, scales[_i].eligible_last_ms);
}
END_TEST

START_TEST(time_out_of_range_is_an_error)
{
    static const int64_t far_ms[] = {-1000, 1000000000001};
    bool closed;
    struct trace_adjustment wanted = nothing();
    wanted.time_scale = 1e6;
    wanted.load_scale = _i ? 1e-6 : 1.0;
    struct trace *trace = trace_adjust(listed_create(far_ms, 2, TRACE_END, &closed), &wanted);
    struct trace_job job;
    struct err err = {.msg = ""};
    // With both factors, even the eligible time of the first job, 100 ms later, has moved to 1e14
    // ms, which is valid.
    ck_assert_int_eq(trace_next(trace, &job, &err), TRACE_JOB);
    ck_assert_int_eq(job.submit_ms, -1000);
    ck_assert_int_eq(trace_next(trace, &job, &err), TRACE_ERROR);
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, "job 'job1': time_scale 1e+06");
    trace_close(trace);
}
END_TEST

START_TEST(queue_and_class_are_assigned)
{
    bool closed;
    struct trace_job job;
    struct err err;
    struct trace_adjustment wanted = nothing();
    if (_i & 1)
        wanted.queue = 0;
    if (_i & 2)
        wanted.class = TRACE_BUILD;
    struct trace *trace = trace_adjust(listed_create(few_ms, 4, TRACE_END, &closed), &wanted);
    int count = 0;
    while (trace_next(trace, &job, &err) == TRACE_JOB) {
        ck_assert_uint_eq(job.queue, _i & 1 ? 0 : 3);
        ck_assert_int_eq((int)job.class, _i & 2 ? TRACE_BUILD : TRACE_BATCH);
        ck_assert_int_eq(job.submit_ms, few_ms[count++]);
        ck_assert_int_eq(job.start_ms, 5);
    }
    ck_assert_int_eq(count, 4);
    trace_close(trace);
}
END_TEST

START_TEST(recorded_start_is_dropped_with_its_arrival)
{
    bool closed;
    struct trace_job job;
    struct err err;
    struct trace_adjustment wanted = nothing();
    if (_i)
        wanted.jitter_ms = 1;
    else
        wanted.load_scale = 2.0;
    struct trace *trace = trace_adjust(listed_create(few_ms, 4, TRACE_END, &closed), &wanted);
    ck_assert_int_eq(trace_next(trace, &job, &err), TRACE_JOB);
    ck_assert_int_eq(job.start_ms, TRACE_UNKNOWN);
    trace_close(trace);
}
END_TEST

static const struct {
    int64_t jobs, jitter_ms;
    enum trace_result failure;
} failures[] = {
    {-1, 10, TRACE_UNSORTED}, {-1, 10, TRACE_ERROR},
    {9, 0, TRACE_UNSORTED},   {2, 0, TRACE_UNSORTED}, // found when the rest is read
    {2, 10, TRACE_ERROR},
};

START_TEST(failures_are_passed_on)
{
    bool closed;
    struct trace_job job;
    struct err err = {.msg = ""};
    struct trace_adjustment wanted = nothing();
    wanted.jobs = failures[_i].jobs;
    wanted.jitter_ms = failures[_i].jitter_ms;
    struct trace *trace =
        trace_adjust(listed_create(few_ms, 4, failures[_i].failure, &closed), &wanted);
    enum trace_result result;
    while ((result = trace_next(trace, &job, &err)) == TRACE_JOB)
        ck_assert_str_eq(err.msg, "");
    ck_assert_int_eq(result, failures[_i].failure);
    harness_contains(err.msg, "row 4 is broken");
    trace_close(trace);
    ck_assert(closed);
}
END_TEST

START_TEST(name_and_notes_are_the_inner_ones)
{
    bool closed;
    struct trace *inner = listed_create(few_ms, 4, TRACE_END, &closed);
    struct trace_adjustment wanted = nothing();
    wanted.jobs = 2;
    wanted.jitter_ms = 10;
    struct trace *trace = trace_adjust(inner, &wanted);
    ck_assert_ptr_ne(trace, inner);
    ck_assert_str_eq(trace_format_name(trace), "listed");
    trace_note_add(&inner->notes, "row dropped", 7);
    size_t count;
    const struct trace_note *notes = trace_notes(trace, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(notes[0].what, "row dropped");
    trace_close(trace);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("adjust");
    TCase *tcase = tcase_create("adjust");
    tcase_add_test(tcase, nothing_asked_gives_the_trace_itself);
    tcase_add_loop_test(tcase, first_jobs_are_kept, 0, ROWS(limits));
    tcase_add_loop_test(tcase, scales_stretch_from_the_first, 0, ROWS(scales));
    tcase_add_loop_test(tcase, time_out_of_range_is_an_error, 0, 2);
    tcase_add_loop_test(tcase, queue_and_class_are_assigned, 0, 4);
    tcase_add_loop_test(tcase, recorded_start_is_dropped_with_its_arrival, 0, 2);
    tcase_add_test(tcase, name_and_notes_are_the_inner_ones);
    tcase_add_loop_test(tcase, failures_are_passed_on, 0, ROWS(failures));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
