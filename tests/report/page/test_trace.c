/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a trace: figures and tables from the numbers, harmless names, empty traces, equal
 * bytes. */
#include "report/page/trace.h"

#include "tests/lib/harness.h"
#include "traces/trace.h"
#include "traces/trace_internal.h"

#include <stdlib.h>
#include <string.h>

/* The statistics of `jobs` jobs in the form of `trace stats --json`; freed by the caller. */
static cJSON *stats_of(int jobs, const char *user)
{
    struct trace_names names = {symbols_create(), symbols_create(), symbols_create(),
                                symbols_create(), symbols_create()};
    struct trace_stats *stats = trace_stats_create(&names);
    struct trace_job job;
    struct out *out = out_memory();
    trace_job_init(&job);
    job.queue = symbols_add(names.queues, "q", 1);
    job.user = symbols_add(names.users, user, strlen(user));
    job.cause = TRACE_TIMEOUT;
    for (int i = 0; i < jobs; i++) {
        job.submit_ms = job.eligible_ms = INT64_C(1600000000000) + i * INT64_C(3600000);
        job.start_ms = job.submit_ms + 5000;
        job.duration_ms = 1000 + i * 60000;
        job.gpus_total = i % 9;
        trace_stats_add(stats, &job);
    }
    trace_stats_json(stats, out);
    cJSON *json = cJSON_Parse(out_memory_text(out, NULL));
    ck_assert_ptr_nonnull(json);
    cJSON_AddStringToObject(json, "trace", "/data/<b>.csv");
    cJSON_AddStringToObject(json, "format", "native");
    cJSON_AddStringToObject(json, "digest", "sha256:0123456789abcdef");
    cJSON *note = cJSON_CreateObject();
    cJSON_AddStringToObject(note, "what", "negative duration, row dropped");
    cJSON_AddNumberToObject(note, "rows", 3);
    cJSON_AddNumberToObject(note, "first_line", 17);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(json, "notes"), note);
    out_discard(out);
    trace_stats_destroy(stats);
    symbols_destroy(names.queues);
    symbols_destroy(names.users);
    symbols_destroy(names.gpu_types);
    symbols_destroy(names.models);
    symbols_destroy(names.nodes);
    return json;
}

static struct out *page_of(const cJSON *stats)
{
    struct out *out = out_memory();
    trace_page_print(stats, out);
    return out;
}

/* How often `part` is in `text`. */
static int times(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

START_TEST(a_page)
{
    cJSON *stats = stats_of(200, "<script>alert(1)</script>");
    struct out *out = page_of(stats), *again = page_of(stats);
    const char *text = out_memory_text(out, NULL);
    ck_assert_str_eq(text, out_memory_text(again, NULL));
    ck_assert_int_eq(times(text, "<svg"), 3); // run times, hours, weekdays
    ck_assert_int_eq(times(text, "</svg>"), 3);
    ck_assert_int_eq(times(text, "<table"), times(text, "</table>"));
    ck_assert_int_eq(times(text, "<figure"), times(text, "</figure>"));
    ck_assert_int_eq(times(text, "<script"), 0);
    ck_assert_int_eq(times(text, "nan"), 0);
    harness_contains(text, "&lt;script&gt;alert(1)");
    harness_contains(text, "<h1>&lt;b&gt;.csv</h1>");
    harness_contains(text, "<dt>Jobs</dt><dd>200");
    harness_contains(text, "timeout");
    harness_contains(text, "negative duration, row dropped");
    harness_contains(text, "17</td>");
    // 200 jobs in 199 hours. Of sizes 0 to 8 of 200 jobs, 0 and 1 have 23, 2 to 7 have 22 each,
    // which is 132.
    harness_contains(text, "something in 1 way; most rows: 3, negative duration, row dropped.");
    harness_contains(text, "200 jobs ask for ");
    harness_contains(text, "66.0% of the jobs are of size 2-7 (GPUs)");
    harness_contains(text, "100.0% of the jobs completed, with 100.0% of the GPU-hours.");
    harness_contains(
        text,
        "1.00 jobs an hour on average, 1 in the busiest; not burstier than independent arrivals.");
    harness_contains(text, "</html>");
    out_discard(out);
    out_discard(again);
    cJSON_Delete(stats);
}
END_TEST

static const int few[] = {0, 1, 2};

START_TEST(traces_of_few_jobs)
{
    cJSON *stats = stats_of(few[_i], "");
    struct out *out = page_of(stats);
    const char *text = out_memory_text(out, NULL);
    ck_assert_int_eq(times(text, "nan"), 0);
    ck_assert_int_eq(times(text, "inf"), 0);
    ck_assert_int_eq(times(text, "<svg"),
                     few[_i] > 0 ? 1 : 0); /* run times; within an hour there are no rates */
    harness_contains(text, "</html>");
    out_discard(out);
    cJSON_Delete(stats);
}
END_TEST

START_TEST(a_file)
{
    char path[256];
    struct err err = {0};
    cJSON *stats = stats_of(5, "ann");
    char *json = cJSON_PrintUnformatted(stats);
    harness_name(path, sizeof path, ".html");
    ck_assert(trace_page_write(json, path, &err));
    size_t n;
    char *text = harness_read(path, &n);
    struct out *out = page_of(stats);
    ck_assert_str_eq(text, out_memory_text(out, NULL));
    free(text);
    out_discard(out);
    harness_forget(path);
    ck_assert(!trace_page_write(json, "/nowhere/page.html", &err));
    harness_contains(err.msg, "/nowhere/page.html");
    cJSON_free(json);
    cJSON_Delete(stats);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("trace_page");
    TCase *tcase = tcase_create("trace_page");
    tcase_add_test(tcase, a_page);
    tcase_add_loop_test(tcase, traces_of_few_jobs, 0, ROWS(few));
    tcase_add_test(tcase, a_file);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
