/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Philly's JSON: a job of each status, one that was never scheduled, ends that are None, null or
 * empty, two attempts on different machines, 16 GPUs over two machines; and arrays broken in every
 * way.
 */
#include "tests/traces/formats/told.h"

#define JOB(id, status, attempts)                                                                  \
    "{\"status\": \"" status "\", \"vc\": \"6c71\", \"jobid\": \"" id                              \
    "\", \"attempts\": [" attempts "],\n"                                                          \
    " \"submitted_time\": \"2017-10-09 07:02:00\", \"user\": \"ce2a4a\"}"
#define RUN(start, end, detail)                                                                    \
    "{\"start_time\": " start ", \"end_time\": " end ", \"detail\": [" detail "]}"
#define ON(machine, gpus) "{\"ip\": \"" machine "\", \"gpus\": [" gpus "]}"
#define EIGHT             "\"gpu0\",\"gpu1\",\"gpu2\",\"gpu3\",\"gpu4\",\"gpu5\",\"gpu6\",\"gpu7\""
#define AT(clock)         "\"2017-10-09 " clock "\""

#define PASSED_AS(id)                                                                              \
    JOB(id, "Pass", RUN(AT("07:02:10"), AT("07:03:10"), ON("m1", EIGHT) "," ON("m2", EIGHT)))
#define PASSED PASSED_AS("a_1")
#define TWICE                                                                                      \
    JOB("a_2", "Failed",                                                                           \
        RUN(AT("07:02:10"), AT("07:02:40"),                                                        \
            ON("m1", "\"gpu0\"")) ",\n" RUN(AT("07:10:00"), AT("07:10:05"), ON("m9", "\"gpu3\"")))
#define GAP                                                                                        \
    JOB("a_3", "Killed",                                                                           \
        RUN(AT("07:02:10"), "null", ON("m1", "\"gpu0\",\"gpu1\"")) "," RUN(AT("07:05:00"),         \
                                                                           AT("07:05:05"), ""))

/* 2017-10-09 07:02:00 in Pacific summer time is 1507557720. */
#define PASSED_TOLD TOLD_AS("a_1")
#define TOLD_AS(id)                                                                                \
    "job_id=" id                                                                                   \
    " submit_s=1507557720 duration_s=60 queue=6c71 user=ce2a4a status=completed gpus_per_task=8 "  \
    "tasks=2 start_s=1507557730 end_s=1507557790 attempts=1\n"

// clang-format off
static const struct told_row rows[] = {
    {"philly", "[" PASSED "]", NULL, NULL, PASSED_TOLD},
    {"philly", "\xef\xbb\xbf [\n" PASSED ",\n" PASSED_AS("a_7") "\n]\n", NULL, NULL,
     PASSED_TOLD TOLD_AS("a_7")},
    {"philly", "[" TWICE "]", NULL, NULL,
     "job_id=a_2 submit_s=1507557720 duration_s=35 queue=6c71 user=ce2a4a status=failed "
     "gpus_per_task=1 start_s=1507557730 end_s=1507558205 attempts=2\n"},
    {"philly", "[" TWICE "]", "attempts", "span",
     "job_id=a_2 submit_s=1507557720 duration_s=475 queue=6c71 user=ce2a4a status=failed "
     "gpus_per_task=1 start_s=1507557730 end_s=1507558205 attempts=2\n"},
    {"philly",
     "[" GAP "," JOB("a_4", "Killed", "") "," JOB("a_5", "Pass", RUN(AT("07:02:10"), "\"None\"",
        "")) "," JOB(
         "a_6", "Pass", RUN(AT("07:02:10"), "\"\"", "")) "]",
     NULL, NULL,
     "job_id=a_3 submit_s=1507557720 duration_s=5 queue=6c71 user=ce2a4a status=cancelled "
     "gpus_per_task=2 start_s=1507557730 end_s=1507558 attempts=2\n"},
};
// clang-format on

START_TEST(what_is_read)
{
    if (_i < 4) {
        told_check(&rows[_i]);
        return;
    }
    // Notes about gaps and dropped jobs.
    struct fixture f;
    ck_assert(fixture_open(&f, rows[_i].text, NULL, false));
    ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
    ck_assert_int_eq(f.job.duration_ms, 5000);
    ck_assert_int_eq(f.job.gpus, 2);
    ck_assert_int_eq(f.job.attempts, 2);
    ck_assert_int_eq(fixture_rest(&f), 0);
    ck_assert_uint_eq(fixture_note(&f, "never scheduled"), 1);
    ck_assert_uint_eq(fixture_note(&f, "still running"), 2);
    ck_assert_uint_eq(fixture_note(&f, "attempt without start or end"), 3);
    fixture_close(&f);
}
END_TEST

// clang-format off
static const struct told_row wrong[] = {
    {"philly", "[", NULL, NULL, "t:1:1: the file ends within the JSON array"},
    {"philly", "[" PASSED, NULL, NULL, "the file ends within the JSON array"},
    {"philly", "[" PASSED ",", NULL, NULL, "the file ends within the JSON array"},
    {"philly", "[" PASSED ",]", NULL, NULL, "expected '{', the beginning of an object"},
    {"philly", "[" PASSED PASSED "]", NULL, NULL, "expected ',' or ']' after an object"},
    {"philly", "[" PASSED "]]", NULL, NULL, "expected nothing after the end"},
    {"philly", "{}", NULL, NULL, "t:1:1: expected '[', the beginning of a JSON array"},
    {"philly", "[\n{\"status\": ]}", NULL, NULL, "t:2:1: the object that begins here is not valid "
                                                 "JSON"},
    {"philly", "[\n\n{}]", NULL, NULL, "t:3:1: member 'jobid' of the job: expected text"},
    {"philly", "[" JOB("a", "Gone", "") "]", NULL, NULL,
     "member 'status' of the job: expected Pass, Failed or Killed"},
    {"philly", "[" JOB("a", "Pass", RUN("5", "null", "")) "]", NULL, NULL,
     "member 'start_time' of the job"},
    {"philly", "[" JOB("a", "Pass", RUN("null", "\"soon\"", "")) "]", NULL, NULL,
     "member 'end_time' of the job"},
};
// clang-format on

START_TEST(what_is_refused)
{
    told_refuse(&wrong[_i]);
}
END_TEST

/* Longer than a chunk of input: objects are assembled from pieces; and an empty array is a trace
 * without jobs. */
START_TEST(many_jobs)
{
    enum { JOBS = 3000 };
    struct out *text = out_memory();
    struct fixture f;
    out_char(text, '[');
    for (int i = 0; i < JOBS; i++)
        out_format(text, "%s\n" PASSED_AS("a_%d"), i ? "," : "", i);
    out_char(text, ']');
    ck_assert(fixture_open(&f, out_memory_text(text, NULL), NULL, false));
    ck_assert_int_eq(fixture_rest(&f), JOBS);
    fixture_close(&f);
    out_discard(text);
    ck_assert(fixture_open(&f, "[]", "philly", false));
    ck_assert_int_eq(fixture_rest(&f), 0);
    fixture_close(&f);
}
END_TEST

START_TEST(an_object_without_end)
{
    size_t n = ((size_t)16 << 20) + 100;
    char *text = malloc(n + 1);
    struct fixture f;
    ck_assert_ptr_nonnull(text);
    memset(text, ' ', n);
    text[n] = '\0';
    memcpy(text, "[{\"jobid\"", 9);
    ck_assert(fixture_open(&f, text, NULL, false));
    ck_assert_int_eq(fixture_rest(&f), -1);
    harness_contains(f.err.msg, "an object of more than 16 MiB");
    fixture_close(&f);
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("philly");
    TCase *tcase = tcase_create("philly");
    tcase_add_loop_test(tcase, what_is_read, 0, ROWS(rows));
    tcase_add_loop_test(tcase, what_is_refused, 0, ROWS(wrong));
    tcase_add_test(tcase, many_jobs);
    tcase_add_test(tcase, an_object_without_end);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
