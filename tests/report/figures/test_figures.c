/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files written for figures, from small hand-made inputs with results computed by hand. gnuplot
 * is not needed; tests/report/page/test_html.c shows that it can draw the scripts.
 */
#include "report/figures/figures.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

#define SUMMARY "{\"fauxfleet_summary\": 1, \"window\": {\"start_s\": 0, \"end_s\": 14400}"

// clang-format off
static const struct {
    const char *what;
    figure_maker *make;
    const char *file, *text; /* the source; NULL: none */
    const char *summary;     /* after SUMMARY */
    bool drawn;
    const char *dat[4];      /* parts of the data, or of the note if it is not drawn */
    const char *answer;      /* part of it; NULL: there is none */
} rows[] = {
    // At risk 4: one starts within 1 s (S = 3/4), one after 2 s (S = 3/4 x 2/3 = 1/2), one is still pending after 5 s, one starts after 10 s as the last at risk (S = 0).
    {"Kaplan-Meier by hand", figure_waits, "jobs.csv",
     "class,submit_s,wait_s,queue_s,end_s,state\na,0,0,0,9,completed\na,0,2,2,9,failed\na,0,,5,,pending\n"
     "a,0,10,10,,running\n",
     "}", true, {"\n1 25\n", "\n2 50\n", "\n5.1 50\n", "\n10 100\n"},
      "1 of 4 jobs had not started by the end"},
    // Half start at once, the other half have been pending for the whole window of 4 h: a dashed line at 50 %.
    {"a tail of jobs that never started", figure_waits, "jobs.csv",
     "class,submit_s,wait_s,state\nb,0,0.5,completed\nb,0,,pending\n", "}", true,
     {"\n1 50\n\n\n# still waiting\n1 50\n15000 50\n"}, "1 of 2 jobs"},
    {"only jobs of the window count", figure_waits, "jobs.csv",
     "class,submit_s,wait_s,state\nb,-1,900,completed\nb,20000,800,completed\nb,5,3,completed\nb,5,,never_fits\n", "}",
     true, {"\n3 100\n"}, "1 jobs are counted."},
    {"cancelled while pending", figure_waits, "jobs.csv",
     "class,submit_s,wait_s,end_s,state\nb,10,,40,cancelled\nb,10,1,40,completed\n", "}", true,
     {"\n1 50\n\n\n# still waiting\n1 50\n30 50\n"}, "1 of 2 jobs"},
    {"no jobs", figure_waits, "jobs.csv", "class,submit_s,wait_s,state\n", "}", false, {NULL},
     "No job was submitted in the window."},
    {"a column is missing", figure_waits, "jobs.csv", "class,submit_s,state\n", "}", false,
     {"jobs.csv: row 1: no column 'wait_s'"}, NULL},

    // Hours 0 and 1 have shares 10/20 and 20/20; hour 4 is after the window.
    {"ladder", figure_ladder, "timeline.csv",
     "time_s,installed,available,allocated,running,productive\n0,24,20,8,8,8\n1800,24,20,12,8,8\n3600,24,20,20,9,7.5\n"
     "14401,24,20,0,0,0\n",
     ", \"utilization\": {\"fleet_goodput\": 0.5}}", true, {"\n1 24 20 20 9 7.5\n",
      "\n0 24 20 8 8 8\n"},
     "Of all installed GPU-hours 50.0% were productive; in the busiest hour (hour 1.0) 100.0% of "
     "the available GPUs were allocated, in the quietest 50.0%."},
    {"ladder without a rung", figure_ladder, "timeline.csv",
     "time_s,installed,available,allocated,running\n0,1,1,1,1\n",
     "}", false, {"a column is missing"}, NULL},
    {"a number is broken", figure_ladder, "timeline.csv",
     "time_s,installed,available,allocated,running,productive\n0,24,2O,8,8,8\n", "}", false,
     {"timeline.csv: row 2: column 3: '2O' is not a number"}, NULL},

    // Means over the window: B 3, A 1; the largest comes first. Never seen: C.
    {"reasons", figure_reasons, "reasons.csv",
     "time_s,A,B,C\n0,0,6,0\n7200,2,0,0\n14400,1,3,0\n20000,90,0,0\n", "}",
     true, {"\n0 6 0\n", "\n4 3 1\n"}, "On average 4.00 jobs were pending, 75.0% of that because "
                                       "of B; the queue was longest at hour 0.0 with 6 jobs."},
    {"nobody waits", figure_reasons, "reasons.csv", "time_s,A\n0,0\n", "}", false, {NULL},
     "No job was pending at any of the samples."},

    // Two nodes; the second one is down for the middle third. Equal neighbours are one rectangle.
    {"heat", figure_heat, "heatmap.csv", "node,0,3600,7200\nn0,1,1,0.5\nn1,0,-1,0.5\n", "}", true,
     {"\n1 2 1 2\n\n\n2 3 0 1\n2 3 1 2\n\n\n0 2 0 1\n"},
     "Nodes were 60.0% busy while up, between 25.0% (n1) and 83.3% (n0); 16.7% of all node time "
     "was down."},
    {"heat of idle nodes", figure_heat, "heatmap.csv", "node,0,60\nn0,0,0\n", "}", true,
     {"one block for each level\n"},
     "Nodes were 0.0% busy"},
    {"heat of the fabric", figure_fabric, "fabric.csv",
     "domain,0,60\nleaf-0,0.5,1\nleaf-1,0.25,0.25\nuplinks leaf-0,1,1\n", "}", true,
     {"\n0 120 1 2\n\n\n0 60 0 1\n\n\n60 120 0 1\n0 120 2 3\n"},
     "Domains of the fabric were 50.0% busy while up, between 25.0% (leaf-1) and 75.0% (leaf-0)."},
    {"a file of nodes", figure_fabric, "fabric.csv", "node,0\nn0,1\n", "}", false,
     {"expected the header domain,<time>"}, NULL},
    {"times of the heat map fall", figure_heat, "heatmap.csv", "node,60,0\nn0,0,0\n", "}", false,
     {"heatmap.csv: row 1: column 3: times must rise"}, NULL},

    // The first and the last class have the same number; time part 401 is the last tick.
    {"faults", figure_faults, "faults.csv",
     "time_s,class,effect\n0,link,kills\n3600,gpu,kills\n3601,gpu,slows\n7200,gpu,kills\n14400,a "
     "b,drains\n",
     ", \"reliability\": {\"job_interruptions\": 2}}", true,
     {"\n0 0.01 1.1 1.9\n1 1.01 0.1 0.9\n2 2.01 0.1 0.9\n3.99 4 2.1 2.9\n"},
     "5 faults struck and stopped jobs 2 times, most often of class gpu (3)."},
    {"faults go back", figure_faults, "faults.csv", "time_s,class\n5,gpu\n4,gpu\n", "}", false,
     {"faults.csv: row 3: time_s goes back"}, NULL},

    {"shares", figure_shares, "queues.csv",
     "queue,entitled_gpu_h,used_gpu_h\nsmall,1,2\nlarge,10,5\nnone,0,0\n", "}", true,
     {"\n0 5 10\n1 2 1\n2 0 0\n"},
     "small used 200.0% of its entitlement, the most, and large 50.0%, the least; 1 of 2 queues "
     "stayed below 90%."},
    {"shares over time", figure_shares_time, "timeline.csv",
     "time_s,a:b:allocated,a:b:entitled,c:allocated,c:entitled\n0,1,2,3,4\n60,5,6,7,8\n",
     ", \"fairness\": {\"queues\": {\"c\": {\"entitled_gpu_h\": 9}, \"a:b\": {\"entitled_gpu_h\": "
     "3}}}}", true,
     {"\n0 3 4 1 2\n60 7 8 5 6\n"}, "The GPUs each queue held"},

    {"bill", figure_bill, NULL, NULL,
     ", \"cost\": {\"usd\": 20, \"idle_usd\": 5, \"unused_storage_usd\": 2, \"by_queue\": {\"b\": {\"usd\": "
     "3, \"gpu_h\": 3}, \"none\": {\"usd\": 0, \"gpu_h\": 0}, \"a\": {\"usd\": 10, \"gpu_h\": 1}}}}",
     true, {"\n0 10 nan\n1 3 nan\n2 nan 5\n3 nan 2\n"},
     "Of 20.0 USD, 50.0% went to a, the most of all queues, and 25.0% to idle GPUs."},

    {"fill", figure_fill, NULL, NULL,
     ", \"fill\": {\"failed_tasks\": 1234, \"curve\": [{\"arrived_pct\": 0, \"alloc_pct\": 0, "
     "\"frag_ratio_pct\": 1, \"frag_amount_pct\": 2}, {\"arrived_pct\": 130, \"alloc_pct\": 91.8, "
     "\"frag_ratio_pct\": 97, \"frag_amount_pct\": null}]}}",
     true, {"\n0 0 2 1\n130 91.8 nan 97\n"},
     "When requests had reached 130.0% of the capacity, 91.8% of it was allocated; 1,234 tasks "
     "found no place."},
};
// clang-format on

START_TEST(makers_write_what_was_worked_out)
{
    struct folder folder;
    struct rundir run;
    struct err err = {0};
    char summary[1024];
    (void)snprintf(summary, sizeof summary, "%s%s", SUMMARY, rows[_i].summary);
    folder_make(&folder);
    folder_put(&folder, "summary.json", summary);
    if (rows[_i].file)
        folder_put(&folder, rows[_i].file, rows[_i].text);
    ck_assert_msg(rundir_open(&run, folder.path, &err), "%s: %s", rows[_i].what, err.msg);
    struct figures figures = {.count = 1};
    struct figure *figure = &figures.figure[0];
    struct figure_job job = {
        .run = &run, .figure = figure, .dat = out_memory(), .gp = out_memory()};
    ck_assert_msg(rows[_i].make(&job) == rows[_i].drawn, "%s: %s", rows[_i].what,
                  figure->note ? figure->note : "");
    ck_assert(!figure->absent);
    for (size_t i = 0; i < 4 && rows[_i].dat[i]; i++)
        harness_contains(rows[_i].drawn ? out_memory_text(job.dat, NULL) : figure->note,
                         rows[_i].dat[i]);
    ck_assert_msg((figure->answer != NULL) == (rows[_i].answer != NULL), "%s", rows[_i].what);
    if (rows[_i].answer)
        harness_contains(figure->answer, rows[_i].answer);
    if (rows[_i].drawn)
        harness_contains(out_memory_text(job.gp, NULL), "set terminal svg");
    out_discard(job.dat);
    out_discard(job.gp);
    figures_free(&figures);
    rundir_close(&run);
    folder_remove(&folder);
}
END_TEST

START_TEST(absent_sources_are_marked)
{
    static figure_maker *const makers[] = {figure_ladder, figure_waits,  figure_reasons,
                                           figure_heat,   figure_shares, figure_shares_time,
                                           figure_fill,   figure_faults};
    struct folder folder;
    struct rundir run;
    struct err err = {0};
    folder_make(&folder);
    folder_put(&folder, "summary.json", SUMMARY "}");
    ck_assert_msg(rundir_open(&run, folder.path, &err), "%s", err.msg);
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        struct figures figures = {.count = 1};
        struct figure_job job = {
            .run = &run, .figure = &figures.figure[0], .dat = out_memory(), .gp = out_memory()};
        ck_assert(!makers[i](&job));
        ck_assert_msg(job.figure->absent && !job.figure->note, "maker %zu", i);
        out_discard(job.dat);
        out_discard(job.gp);
        figures_free(&figures);
    }
    rundir_close(&run);
    folder_remove(&folder);
}
END_TEST

/* Two of 16 GPUs are out of service from 1 h to 3 h; a run without faults shows nothing. */
START_TEST(faults_are_seen_against_what_was_down)
{
    struct folder folder;
    struct rundir run;
    struct err err = {0};
    folder_make(&folder);
    folder_put(&folder, "summary.json", SUMMARY "}");
    folder_put(&folder, "timeline.csv",
               "time_s,installed,available\n0,16,16\n3600,16,14\n7200,16,14\n10800,16,16\n");
    folder_put(&folder, "faults.csv", "time_s,class\n3600,gpu\n");
    ck_assert_msg(rundir_open(&run, folder.path, &err), "%s", err.msg);
    struct figures figures = {.count = 1};
    struct figure_job job = {
        .run = &run, .figure = &figures.figure[0], .dat = out_memory(), .gp = out_memory()};
    ck_assert(figure_faults(&job));
    harness_contains(out_memory_text(job.dat, NULL), "\n0 0 0\n1 2 2\n2 2 2\n3 0 0\n\n\n");
    harness_contains(out_memory_text(job.gp, NULL), "set multiplot");
    harness_contains(job.figure->answer,
                     "On average 1.00 GPUs were out of service, at most 2 (hour 1.0).");
    out_discard(job.dat);
    out_discard(job.gp);
    figures_free(&figures);
    folder_put(&folder, "faults.csv", "time_s,class\n");
    figures.count = 1;
    ck_assert(!figure_faults(&job) && job.figure->absent);
    figures_free(&figures);
    rundir_close(&run);
    folder_remove(&folder);
}
END_TEST

/* Large maps are averaged: at most 64 rows and 160 columns, and every busy share counts. */
START_TEST(a_large_heat_map_is_averaged)
{
    enum { NODES = 300, TIMES = 500 };
    struct folder folder;
    struct rundir run;
    struct err err = {0};
    struct out *text = out_memory();
    out_text(text, "node");
    for (int t = 0; t < TIMES; t++)
        out_format(text, ",%d", t * 60);
    for (int n = 0; n < NODES; n++) {
        out_format(text, "\nn%d", n);
        for (int t = 0; t < TIMES; t++)
            out_text(text, (n + t) % 2 ? ",1" : ",0");
    }
    out_char(text, '\n');
    folder_make(&folder);
    folder_put(&folder, "summary.json", "{\"fauxfleet_summary\": 1}");
    folder_put(&folder, "heatmap.csv", out_memory_text(text, NULL));
    ck_assert_msg(rundir_open(&run, folder.path, &err), "%s", err.msg);
    struct figures figures = {.count = 1};
    struct figure_job job = {
        .run = &run, .figure = &figures.figure[0], .dat = out_memory(), .gp = out_memory()};
    ck_assert(figure_heat(&job));
    harness_contains(job.figure->answer, "Nodes were 50.0% busy");
    harness_contains(job.figure->method, "8 rows of the file and 4 intervals");
    // 300 rows in groups of 8 make 38 rows, each with a single shade: 38 rectangles.
    size_t lines = 0;
    for (const char *p = out_memory_text(job.dat, NULL); *p; p++)
        lines += *p == '\n';
    ck_assert_uint_eq(lines, 1 + 38 + 2);
    out_discard(job.dat);
    out_discard(job.gp);
    out_discard(text);
    figures_free(&figures);
    rundir_close(&run);
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("figures");
    TCase *tcase = tcase_create("makers");
    tcase_add_loop_test(tcase, makers_write_what_was_worked_out, 0, ROWS(rows));
    tcase_add_test(tcase, absent_sources_are_marked);
    tcase_add_test(tcase, faults_are_seen_against_what_was_down);
    tcase_add_test(tcase, a_large_heat_map_is_averaged);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
