/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dispatch of trace.h to an implementation of the test, and notes. */
#include "sim/base/mem.h"
#include "tests/lib/harness.h"
#include "traces/trace_internal.h"

#include <string.h>

/* Returns `left` jobs, then `last`; counts calls of next and close. */
struct counted {
    struct trace base;
    int left;
    enum trace_result last;
    int *asked, *closed;
};

static enum trace_result next(struct trace *trace, struct trace_job *job, struct err *err)
{
    struct counted *counted = (struct counted *)trace;
    ++*counted->asked;
    if (counted->left-- > 0) {
        trace_job_init(job);
        return TRACE_JOB;
    }
    if (counted->last < 0)
        err_set(err, EXIT_INPUT, "as planned");
    return counted->last;
}

static void close_counted(struct trace *trace)
{
    ++*((struct counted *)trace)->closed;
}

static const struct trace_methods methods = {.next = next, .close = close_counted};

static const enum trace_result ends[] = {TRACE_END, TRACE_ERROR, TRACE_UNSORTED};

START_TEST(the_end_is_asked_for_once)
{
    int asked = 0, closed = 0;
    struct counted *counted = mem_alloc(1, sizeof *counted);
    counted->base.methods = &methods;
    counted->base.format = "counted";
    counted->left = 2;
    counted->last = ends[_i];
    counted->asked = &asked;
    counted->closed = &closed;
    struct trace *trace = &counted->base;
    struct trace_job job;
    ck_assert_str_eq(trace_format_name(trace), "counted");
    for (int i = 0; i < 2; i++) {
        struct err err = {0};
        ck_assert_int_eq(trace_next(trace, &job, &err), TRACE_JOB);
        ck_assert_int_eq(err.code, 0);
    }
    for (int i = 0; i < 3; i++) {
        struct err err = {0};
        ck_assert_int_eq(trace_next(trace, &job, &err), ends[_i]);
        ck_assert_str_eq(err.msg, ends[_i] < 0 ? "as planned" : "");
    }
    ck_assert_int_eq(asked, 3);
    char hex[DIGEST_HEX];
    trace_digest(trace, hex);
    ck_assert_uint_eq(strspn(hex, "0"), 64);
    trace_close(trace);
    ck_assert_int_eq(closed, 1);
    trace_close(NULL);
}
END_TEST

START_TEST(notes_are_kept_by_kind)
{
    struct trace_note_list list = {0};
    char same[] = "clamped"; // equal text at another address is the same kind
    trace_note_add(&list, "dropped", 7);
    trace_note_add(&list, "clamped", 8);
    trace_note_add(&list, "dropped", 9);
    trace_note_add(&list, same, 10);
    ck_assert_uint_eq(list.count, 2);
    ck_assert_str_eq(list.notes[0].what, "dropped");
    ck_assert_uint_eq(list.notes[0].rows, 2);
    ck_assert_uint_eq(list.notes[0].first_line, 7);
    ck_assert_uint_eq(list.notes[1].rows, 2);
    ck_assert_uint_eq(list.notes[1].first_line, 8);
    trace_note_list_fini(&list);
    ck_assert_uint_eq(list.count, 0);
}
END_TEST

START_TEST(names_of_enums)
{
    ck_assert_str_eq(trace_class_names[TRACE_BUILD], "build");
    ck_assert_str_eq(trace_class_names[TRACE_TRAIN], "train");
    ck_assert_str_eq(trace_class_names[TRACE_DISTRIBUTED], "distributed");
    ck_assert_str_eq(trace_class_names[TRACE_INFERENCE], "inference");
    ck_assert_str_eq(trace_class_names[TRACE_BATCH], "batch");
    ck_assert_str_eq(trace_status_names[TRACE_COMPLETED], "completed");
    ck_assert_str_eq(trace_status_names[TRACE_FAILED], "failed");
    ck_assert_str_eq(trace_status_names[TRACE_CANCELLED], "cancelled");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("trace");
    TCase *tcase = tcase_create("trace");
    tcase_add_loop_test(tcase, the_end_is_asked_for_once, 0, ROWS(ends));
    tcase_add_test(tcase, notes_are_kept_by_kind);
    tcase_add_test(tcase, names_of_enums);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
