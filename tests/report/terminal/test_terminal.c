/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary for a terminal: the whole text for the fixture, widths, and parts that a run may
 * lack. */
#include "report/report.h"
#include "report/words/units.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

#define FIXTURE "tests/report/fixture"

static struct out *summary_of(const char *dir, int columns)
{
    struct err err = {0};
    struct out *out = out_memory();
    ck_assert_msg(report_print_summary(dir, out, columns, &err), "%s", err.msg);
    return out;
}

START_TEST(the_fixture_reads_as_expected)
{
    struct out *out = summary_of(FIXTURE, 100);
    char *expected = harness_read(FIXTURE "/summary.txt", NULL);
    ck_assert_str_eq(out_memory_text(out, NULL), expected);
    free(expected);
    out_discard(out);
}
END_TEST

static const struct {
    int columns;
    size_t widest;
} width_rows[] = {
    {0, 100}, {-5, 100}, {100, 100}, {80, 80}, {10, 80},
};

START_TEST(lines_fit_and_have_no_blanks_at_their_end)
{
    struct out *out = summary_of(FIXTURE, width_rows[_i].columns);
    const char *p = out_memory_text(out, NULL);
    while (*p) {
        char line[256];
        size_t n = strcspn(p, "\n");
        ck_assert_uint_lt(n, sizeof line);
        memcpy(line, p, n);
        line[n] = '\0';
        ck_assert_msg(unit_width(line) <= width_rows[_i].widest, "too wide: %s", line);
        ck_assert_msg(n == 0 || line[n - 1] != ' ', "blank at the end: '%s'", line);
        p += n + (p[n] == '\n');
    }
    out_discard(out);
}
END_TEST

#define FILL                                                                                       \
    "\"fill\": {\"failed_tasks\": 2735, \"curve\": [{\"arrived_pct\": 130, \"alloc_pct\": 91.8, "  \
    "\"frag_amount_pct\": 8}]}"

static const struct {
    const char *summary; /* after the opening */
    const char *part, *not_part;
} summary_rows[] = {
    {"}", "unnamed scenario, policy -\n\njobs     submitted -  completed -  pending -\n", "wait"},
    {", \"replicas\": [{}, {}], \"jobs\": {\"submitted\": 10.5, \"completed\": 9}}",
     ", means of 2 replicas\n\njobs     submitted 10.5  completed 9", "NaN"},
    {", " FILL ", \"wait_s\": {\"mean\": 0}}",
     "fill     requested 130.0%  allocated 91.8%  fragmented 8.0%  tasks not placed 2,735\n",
     "p95"},
    {", \"wait_s\": {\"mean\": 3, \"p50\": 1, \"p95\": null, \"p95_at_least\": 7200, \"censored\": "
     "4}}",
     ">=2h00m", "train"},
    {", \"policy\": \"a\\u001b[31mb\", \"by_class\": {\"x\\ny\": {\"jobs\": 1, \"wait_s\": "
     "{\"mean\": 1}}}}",
     "x\\ny", "\x1B"},
    {", \"gpu_hours\": {\"installed\": 100, \"available\": 90, \"allocated\": 80, \"running\": 70, "
     "\"productive\": 60, "
     "\"lost\": {\"down\": 10, \"idle_blocked\": 10.5, \"user\": 0}}}",
     "fleet    100 GPU-h installed  > available 90.0%  > allocated 80.0%  > running 70.0%\n"
     "         > productive 60.0%\nlost     idle, held back 10.5%  down 10.0%\n",
     "user"},
    {", \"preemption\": {\"evictions\": 12, \"jobs\": 9, \"moves\": 3, \"lost_gpu_h\": 1.5}, "
     "\"fairness\": {\"reclaim_p95_s\": 30}}",
     "evicted  12 times  jobs 9  moved 3  lost GPU-h 1.50  reclaim p95 30s\n", "Jain"},
    {", \"reliability\": {\"faults\": 0, \"ettr\": 0.9}, \"cost\": {\"usd\": null, \"energy_kwh\": "
     "12.5}}",
     "cost     energy kWh 12.5\n", "faults"},
    {", \"preemption\": {\"evictions\": 0, \"jobs\": 0, \"moves\": 0, \"lost_gpu_h\": 0}}", "jobs",
     "evicted"},
};

START_TEST(missing_values_of_a_run_are_left_out)
{
    struct folder folder;
    char text[2048];
    (void)snprintf(text, sizeof text, "{\"fauxfleet_summary\": 1%s", summary_rows[_i].summary);
    folder_make(&folder);
    folder_put(&folder, "summary.json", text);
    struct out *out = summary_of(folder.path, 92);
    harness_contains(out_memory_text(out, NULL), summary_rows[_i].part);
    ck_assert_msg(!strstr(out_memory_text(out, NULL), summary_rows[_i].not_part), "%s",
                  out_memory_text(out, NULL));
    out_discard(out);
    folder_remove(&folder);
}
END_TEST

START_TEST(many_queues_are_cut)
{
    struct folder folder;
    struct out *text = out_memory();
    out_text(text, "{\"fauxfleet_summary\": 1, \"fairness\": {\"queues\": {");
    for (int q = 0; q < 40; q++)
        out_format(text, "%s\"q%d\": {\"entitled_gpu_h\": %d, \"used_gpu_h\": 1}", q ? ", " : "", q,
                   100 + q);
    out_text(text, "}}}");
    folder_make(&folder);
    folder_put(&folder, "summary.json", out_memory_text(text, NULL));
    struct out *out = summary_of(folder.path, 100);
    const char *printed = out_memory_text(out, NULL);
    harness_contains(printed, "q39 ");
    harness_contains(printed, "q24 ");
    ck_assert(!strstr(printed, "q23 "));
    harness_contains(printed, "(24 more queues)\n");
    out_discard(out);
    out_discard(text);
    folder_remove(&folder);
}
END_TEST

START_TEST(a_missing_summary_is_an_error)
{
    struct folder folder;
    struct err err = {0};
    struct out *out = out_memory();
    folder_make(&folder);
    ck_assert(!report_print_summary(folder.path, out, 100, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    ck_assert_str_eq(out_memory_text(out, NULL), "");
    out_discard(out);
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("terminal");
    TCase *tcase = tcase_create("summary");
    tcase_add_test(tcase, the_fixture_reads_as_expected);
    tcase_add_loop_test(tcase, lines_fit_and_have_no_blanks_at_their_end, 0, ROWS(width_rows));
    tcase_add_loop_test(tcase, missing_values_of_a_run_are_left_out, 0, ROWS(summary_rows));
    tcase_add_test(tcase, many_queues_are_cut);
    tcase_add_test(tcase, a_missing_summary_is_an_error);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
