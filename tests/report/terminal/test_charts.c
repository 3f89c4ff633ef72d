/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charts for the terminal: complete texts for small inputs, and omitted, damaged or missing data.
 */
#include "report/terminal/charts.h"
#include "report/words/units.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

/* A window of 40 s, a summary whose hours add up, and a sample of the drain at 50 s, which is left
 * out. */
#define SUMMARY                                                                                    \
    "{\"fauxfleet_summary\":1,\"scenario\":\"s\",\"policy\":\"p\",\"window\":{\"start_s\":0,"      \
    "\"end_s\":40},"                                                                               \
    "\"gpu_hours\":{\"installed\":100,\"productive\":50,\"lost\":{\"user\":25,\"idle_blocked\":"   \
    "15,\"down\":"                                                                                 \
    "10}}}"
#define TIMELINE                                                                                   \
    "time_s,installed,available,allocated,productive\n0,8,8,0,0\n10,8,8,4,4\n20,8,4,4,2\n30,8,8,"  \
    "8,8\n50,8,"                                                                                   \
    "8,1,1\n"
/* Half of class a starts at once, the other half after 50 s; one of two of class b starts within 1
 * s, one is pending. */
#define JOBS                                                                                       \
    "submit_s,wait_s,queue_s,end_s,state,class\n0,0,0,9,completed,a\n0,50,50,90,completed,a\n0,1," \
    "1,9,"                                                                                         \
    "completed,b\n"                                                                                \
    "0,,90,,pending,b\n"

static char *run_charts(struct folder *folder, size_t width)
{
    struct err err = {0};
    struct out *out = out_memory();
    ck_assert_msg(charts_run(folder->path, out, SPARK_ASCII, width, &err), "%s", err.msg);
    char *text = strdup(out_memory_text(out, NULL));
    out_discard(out);
    return text;
}

START_TEST(a_run_is_drawn)
{
    struct folder folder;
    folder_make(&folder);
    folder_put(&folder, "summary.json", SUMMARY);
    folder_put(&folder, "timeline.csv", TIMELINE);
    folder_put(&folder, "jobs.csv", JOBS);
    char *text = run_charts(&folder, 22); // 8 columns for charts, two per sample
    harness_contains(text, "\nfleet over 40s, up to 8 GPUs\n"
                           "available   @@@@==@@\n"
                           "allocated   __====@@\n"
                           "productive  __==::@@\n");
    harness_contains(text,
                     "\nGPU-hours   ####==+-\n" // 4, 2, 1.2 and 0.8 columns
                     "            # Productive 50.0%\n"
                     "            = Lost at work 25.0%\n"
                     "            + Idle 15.0%\n"
                     "            - Out of service 10.0%\n");
    // Up to 100 s by quarters of a decade: columns are 1.3, 2.4, 4.2, 7.5, 13, 24, 42 and 75 s.
    // Class a: a half until the last column. Class b: half from its start, then unknown.
    harness_contains(text, "\nshare of the jobs that had started within a time\n"
                           "a           =======@\n"
                           "b                   \n"
                           "            1s  10s \n");
    free(text);
    folder_remove(&folder);
}
END_TEST

START_TEST(what_is_missing_is_left_out_and_damage_is_said)
{
    struct folder folder;
    folder_make(&folder);
    folder_put(&folder, "summary.json", "{\"fauxfleet_summary\":1}");
    char *text = run_charts(&folder, 80);
    ck_assert_str_eq(text, "");
    free(text);
    folder_put(&folder, "timeline.csv", "time_s,installed\n0,x\n");
    folder_put(&folder, "jobs.csv", "class\n");
    text = run_charts(&folder, 80);
    harness_contains(text, "timeline.csv");
    harness_contains(text, "jobs.csv");
    free(text);
    struct err err = {0};
    struct out *out = out_memory();
    ck_assert(charts_run("/nonexistent", out, SPARK_NONE, 80, &err)); // nothing to do
    ck_assert(!charts_run("/nonexistent", out, SPARK_ASCII, 80, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    out_discard(out);
    folder_remove(&folder);
}
END_TEST

START_TEST(nothing_is_wider_than_it_may_be)
{
    struct err err = {0};
    struct out *out = out_memory();
    ck_assert_msg(charts_run("tests/report/fixture", out, SPARK_UNICODE, 80, &err), "%s", err.msg);
    char *text = strdup(out_memory_text(out, NULL)), *rest = text;
    size_t lines = 0;
    for (char *line = strtok_r(text, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest), lines++)
        ck_assert_msg(unit_width(line) <= 80, "%zu columns: %s", unit_width(line), line);
    ck_assert_uint_gt(lines, 8);
    free(text);
    out_discard(out);
}
END_TEST

#define HOURS_8 "1,1,1,1,1,1,1,1,"

START_TEST(a_trace_is_drawn)
{
    cJSON *stats =
        cJSON_Parse("{\"jobs\":4,\"gpu_hours\":100,\"arrivals\":{\"by_hour\":[2," HOURS_8 HOURS_8
                    "0,0,0,0,0,0,0],\"by_weekday\":[1,1,1,1,1,1,1]},\"by_size\":{\"1\":{\"jobs\":3,"
                    "\"gpu_hours\":25},\"2-7\":{\"jobs\":0},\"8\":{\"jobs\":1,\"gpu_hours\":75}}}");
    ck_assert_ptr_nonnull(stats);
    struct out *out = out_memory();
    charts_trace(stats, out, SPARK_NONE, 80);
    ck_assert_str_eq(out_memory_text(out, NULL), "");
    charts_trace(stats, out, SPARK_ASCII, 60);
    ck_assert_str_eq(out_memory_text(out, NULL),
                     "\narrivals, by the trace's clock\n"
                     "by hour     @@================================______________\n"
                     "            00          06          12          18\n"
                     "by weekday  ============================\n"
                     "            1   2   3   4   5   6   7\n"
                     "\n"
                     "size (GPUs) of the jobs            of the GPU-hours\n"
                     "1           ##########=     75.0%  ###=            25.0%\n"
                     "8           ###=            25.0%  ##########=     75.0%\n");
    out_discard(out);
    cJSON_Delete(stats);
}
END_TEST

START_TEST(a_sweep_is_drawn)
{
    struct folder folder;
    struct err err = {0};
    folder_make(&folder);
    folder_put(&folder, "results.csv",
               "n,policy,wait,util,point\n1,fifo,40,,a\n2,fifo,20,0.5,b\n2,,,1,c\n");
    struct out *out = out_memory();
    ck_assert_msg(charts_sweep(folder.path, "results.csv", 2, out, SPARK_ASCII, 30, &err), "%s",
                  err.msg);
    ck_assert_str_eq(out_memory_text(out, NULL), "\nwait by n, policy\n"
                                                 "1, fifo         40.0  ########\n"
                                                 "2, fifo         20.0  ####    \n"
                                                 "2, -               -          \n"
                                                 "\nutil by n, policy\n"
                                                 "1, fifo            -          \n"
                                                 "2, fifo         0.50  ####    \n"
                                                 "2, -            1.00  ########\n");
    out_discard(out);
    out = out_memory();
    ck_assert(charts_sweep(folder.path, "none.csv", 2, out, SPARK_NONE, 30, &err));
    ck_assert(!charts_sweep(folder.path, "none.csv", 2, out, SPARK_ASCII, 30, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    folder_put(&folder, "damaged.csv", "n,wait,point\n1,x,a\n");
    ck_assert(!charts_sweep(folder.path, "damaged.csv", 1, out, SPARK_ASCII, 30, &err));
    harness_contains(err.msg, "damaged.csv");
    ck_assert(!charts_sweep(folder.path, "damaged.csv", 9, out, SPARK_ASCII, 30, &err));
    out_discard(out);
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("charts");
    TCase *tcase = tcase_create("terminal");
    tcase_add_test(tcase, a_run_is_drawn);
    tcase_add_test(tcase, what_is_missing_is_left_out_and_damage_is_said);
    tcase_add_test(tcase, nothing_is_wider_than_it_may_be);
    tcase_add_test(tcase, a_trace_is_drawn);
    tcase_add_test(tcase, a_sweep_is_drawn);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
