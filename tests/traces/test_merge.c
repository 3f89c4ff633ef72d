/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merged traces: order, ties, failures of a part, digest and notes. The parts are small arrays of
 * jobs. */
#include "traces/trace_internal.h"

#include "tests/lib/harness.h"

#include <stdlib.h>

/* A part: jobs at these seconds, then its end or a failure. */
struct listed {
    struct trace base;
    const int64_t *submit_s;
    int count, next;
    enum trace_result last;
    char id[8];
    char name;
    int *closed;
};

static enum trace_result listed_next(struct trace *base, struct trace_job *job, struct err *err)
{
    struct listed *listed = (struct listed *)base;
    if (listed->next == listed->count) {
        if (listed->last < 0)
            err_set(err, EXIT_INPUT, "part %c is broken", listed->name);
        return listed->last;
    }
    trace_job_init(job);
    // The id is overwritten at each call, as readers do.
    (void)snprintf(listed->id, sizeof listed->id, "%c%d", listed->name, listed->next);
    job->id = listed->id;
    job->row = (uint64_t)listed->next;
    job->submit_ms = listed->submit_s[listed->next++] * 1000;
    return TRACE_JOB;
}

static void listed_close(struct trace *base)
{
    ++*((struct listed *)base)->closed;
}

static void listed_digest(const struct trace *base, char hex[DIGEST_HEX])
{
    struct digest digest;
    digest_init(&digest);
    digest_add(&digest, &((const struct listed *)base)->name, 1);
    digest_hex(&digest, hex);
}

static const struct trace_methods listed_methods = {
    .next = listed_next, .close = listed_close, .digest = listed_digest};

static struct trace *make_part(char name, const int64_t *submit_s, int count,
                               enum trace_result last, int *closed)
{
    struct listed *listed = calloc(1, sizeof *listed);
    ck_assert_ptr_nonnull(listed);
    listed->base.methods = &listed_methods;
    listed->base.format = "listed";
    listed->name = name;
    listed->submit_s = submit_s;
    listed->count = count;
    listed->last = last;
    listed->closed = closed;
    return &listed->base;
}

static const struct {
    int parts;
    struct {
        int64_t submit_s[4];
        int count;
    } part[3];
    const char *order; /* ids */
} rows[] = {
    {0, {{{0}, 0}}, ""},
    {1, {{{1, 2, 3}, 3}}, "a0 a1 a2 "},
    {2, {{{1, 3}, 2}, {{2, 4}, 2}}, "a0 b0 a1 b1 "},
    {2, {{{5}, 1}, {{1, 2}, 2}}, "b0 b1 a0 "},
    {3,
     {{{7, 7}, 2}, {{7}, 1}, {{6, 7}, 2}},
     "c0 a0 a1 b0 c1 "}, // ties: order of the parts, then row
    {3, {{{0}, 0}, {{-3, 9}, 2}, {{0}, 0}}, "b0 b1 "},
};

START_TEST(jobs_come_in_order)
{
    struct trace *parts[3];
    struct trace_job job;
    struct err err;
    int closed = 0;
    char order[128] = "";
    uint64_t row = 0;
    for (int i = 0; i < rows[_i].parts; i++)
        parts[i] = make_part((char)('a' + i), rows[_i].part[i].submit_s, rows[_i].part[i].count,
                             TRACE_END, &closed);
    struct trace *merged = trace_merge(parts, (size_t)rows[_i].parts);
    enum trace_result result;
    while ((result = trace_next(merged, &job, &err)) == TRACE_JOB) {
        size_t n = strlen(order);
        (void)snprintf(order + n, sizeof order - n, "%s ", job.id);
        ck_assert_uint_eq(job.row, row++);
    }
    ck_assert_int_eq(result, TRACE_END);
    ck_assert_str_eq(order, rows[_i].order);
    ck_assert_int_eq(trace_next(merged, &job, &err), TRACE_END);
    trace_close(merged);
    ck_assert_int_eq(closed, rows[_i].parts);
}
END_TEST

static const int64_t some_s[] = {1, 2};

static const enum trace_result failures[] = {TRACE_ERROR, TRACE_UNSORTED};

START_TEST(failure_of_a_part_is_passed_on)
{
    int closed = 0;
    struct trace *parts[] = {make_part('a', some_s, 2, TRACE_END, &closed),
                             make_part('b', some_s, 1, failures[_i], &closed)};
    struct trace *merged = trace_merge(parts, 2);
    struct trace_job job;
    struct err err = {.msg = ""};
    enum trace_result result;
    while ((result = trace_next(merged, &job, &err)) == TRACE_JOB)
        ck_assert_str_eq(err.msg, "");
    ck_assert_int_eq(result, failures[_i]);
    harness_contains(err.msg, "part b is broken");
    err.msg[0] = '\0';
    ck_assert_int_eq(trace_next(merged, &job, &err), failures[_i]);
    harness_contains(err.msg, "part b is broken");
    trace_close(merged);
    ck_assert_int_eq(closed, 2);
}
END_TEST

START_TEST(digest_depends_on_all_parts)
{
    char ab[DIGEST_HEX], ba[DIGEST_HEX], expected[DIGEST_HEX], part[DIGEST_HEX];
    int closed = 0;
    struct digest digest;
    digest_init(&digest);
    for (int i = 0; i < 2; i++) {
        struct trace *parts[] = {make_part(i ? 'b' : 'a', some_s, 2, TRACE_END, &closed),
                                 make_part(i ? 'a' : 'b', some_s, 2, TRACE_END, &closed)};
        struct trace *merged = trace_merge(parts, 2);
        trace_digest(merged, i ? ba : ab);
        if (i == 0) {
            for (int p = 0; p < 2; p++) {
                trace_digest(parts[p], part);
                digest_add(&digest, part, 64);
                digest_add(&digest, "\n", 1);
            }
            digest_hex(&digest, expected);
        }
        trace_close(merged);
    }
    ck_assert_str_eq(ab, expected);
    ck_assert_str_ne(ab, ba);
}
END_TEST

START_TEST(notes_of_all_parts_are_listed)
{
    int closed = 0;
    struct trace *parts[] = {make_part('a', some_s, 2, TRACE_END, &closed),
                             make_part('b', some_s, 2, TRACE_END, &closed)};
    struct trace *merged = trace_merge(parts, 2);
    size_t count;
    (void)trace_notes(merged, &count);
    ck_assert_uint_eq(count, 0);
    trace_note_add(&parts[0]->notes, "row dropped", 7);
    trace_note_add(&parts[1]->notes, "value clamped", 8);
    trace_note_add(&parts[1]->notes, "value clamped", 9);
    for (int again = 0; again < 2; again++) {
        const struct trace_note *notes = trace_notes(merged, &count);
        ck_assert_uint_eq(count, 2);
        ck_assert_str_eq(notes[0].what, "row dropped");
        ck_assert_uint_eq(notes[0].rows, 1);
        ck_assert_str_eq(notes[1].what, "value clamped");
        ck_assert_uint_eq(notes[1].rows, 2);
        ck_assert_uint_eq(notes[1].first_line, 8);
    }
    trace_close(merged);
}
END_TEST

/* Two parts must not share an id: which job would it be? */
START_TEST(ids_differ_between_parts)
{
    static const int64_t submit_s[] = {1, 2};
    int closed = 0;
    struct trace *parts[] = {make_part('a', submit_s, 2, TRACE_END, &closed),
                             make_part('a', submit_s, 1, TRACE_END, &closed)};
    struct trace *trace = trace_merge(parts, 2);
    struct trace_job job;
    struct err err = {0};
    ck_assert_int_eq(trace_next(trace, &job, &err), TRACE_JOB);
    ck_assert_int_eq(trace_next(trace, &job, &err), TRACE_ERROR);
    harness_contains(err.msg, "the job id 'a0' is in parts 1 and 2");
    trace_close(trace);
    ck_assert_int_eq(closed, 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("merge");
    TCase *tcase = tcase_create("merge");
    tcase_add_loop_test(tcase, jobs_come_in_order, 0, ROWS(rows));
    tcase_add_loop_test(tcase, failure_of_a_part_is_passed_on, 0, ROWS(failures));
    tcase_add_test(tcase, digest_depends_on_all_parts);
    tcase_add_test(tcase, notes_of_all_parts_are_listed);
    tcase_add_test(tcase, ids_differ_between_parts);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
