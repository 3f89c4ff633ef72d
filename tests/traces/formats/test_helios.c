/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helios: the published form, the reduced form, and the September replay's own figures. */
#include "tests/lib/fixture.h"
#include "tests/lib/harness.h"

#include <string.h>

#define FULL                                                                                       \
    "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"      \
    "queue\n"
#define REDUCED "seq,job_id,user,vc,gpu_num,cpu_num,state,submit_s,duration_s\n"

START_TEST(the_published_form)
{
    struct fixture f;
    // 2020-04-01 00:00:00 at UTC+8 is 1585670400 (2020-03-31 16:00:00 UTC).
    ck_assert(fixture_open(&f,
                           FULL "77,uabc,vcX,16,24,2,TIMEOUT,2020-04-01 00:00:00,2020-04-01 "
                                "00:01:40,2020-04-01 01:01:40,3600,100\n"
                                "78,uabc,vcY,0,6,1,COMPLETED,2020-04-01 00:00:01,2020-04-01 "
                                "00:00:01,2020-04-01 00:00:02,1,0\n",
                           NULL, false));
    ck_assert_str_eq(trace_format_name(f.trace), "helios");
    ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
    ck_assert_str_eq(f.job.id, "77");
    ck_assert_int_eq(f.job.submit_ms, INT64_C(1585670400000));
    ck_assert_int_eq(f.job.start_ms, INT64_C(1585670500000));
    ck_assert_int_eq(f.job.duration_ms, 3600000);
    ck_assert_int_eq(f.job.gpus_total, 16);
    ck_assert_int_eq(f.job.cpu_milli, 0);
    ck_assert_int_eq((int)f.job.status, TRACE_FAILED);
    ck_assert_str_eq(symbols_name(f.names.queues, f.job.queue), "vcX");
    ck_assert_str_eq(symbols_name(f.names.users, f.job.user), "uabc");
    ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
    ck_assert_int_eq(f.job.gpus_total, 0);
    ck_assert_int_eq(f.job.cpu_milli, 6000);
    ck_assert_int_eq(fixture_next(&f), TRACE_END);
    ck_assert_uint_eq(fixture_note(&f, "cpu_num"), 1);
    fixture_close(&f);
}
END_TEST

static const struct {
    const char *state;
    int status; /* -1: dropped */
} states[] = {
    {"COMPLETED", TRACE_COMPLETED},
    {"CANCELLED", TRACE_CANCELLED},
    {"FAILED", TRACE_FAILED},
    {"TIMEOUT", TRACE_FAILED},
    {"NODE_FAIL", TRACE_FAILED},
    {"RUNNING", -1},
    {"SUSPENDED", -1},
};

START_TEST(states_of_jobs)
{
    char text[300];
    struct fixture f;
    (void)snprintf(text, sizeof text, REDUCED "0,1,u,v,1,,%s,5,1\n1,2,u,v,1,,COMPLETED,6,1\n",
                   states[_i].state);
    ck_assert(fixture_open(&f, text, NULL, false));
    if (states[_i].status >= 0) {
        ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
        ck_assert_int_eq((int)f.job.status, states[_i].status);
    }
    ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
    ck_assert_uint_eq(f.job.row, 1); // dropped rows keep their number
    ck_assert_uint_eq(fixture_note(&f, "still running"), states[_i].status < 0);
    fixture_close(&f);
}
END_TEST

/* A date of the wall clock and its seconds since 1970; `date -u -d` agrees. */
static const struct {
    const char *clock;
    int64_t s;
} clocks[] = {
    {"1970-01-01 08:00:00", 0},          {"2000-02-29 00:00:00", 951753600},
    {"2000-03-01 00:00:00", 951840000},  {"2020-09-01 00:00:03", 1598889603},
    {"2020-12-31 23:59:59", 1609430399}, {"2021-01-01 00:00:00", 1609430400},
};

START_TEST(wall_clocks)
{
    char text[300];
    struct fixture f;
    (void)snprintf(text, sizeof text, FULL "1,u,v,1,1,1,FAILED,%s,None,None,7,0\n",
                   clocks[_i].clock);
    ck_assert(fixture_open(&f, text, NULL, false));
    ck_assert_msg(fixture_next(&f) == TRACE_JOB, "%s", f.err.msg);
    ck_assert_int_eq(f.job.submit_ms, clocks[_i].s * 1000);
    ck_assert_int_eq(f.job.start_ms, TRACE_UNKNOWN);
    ck_assert_int_eq(f.job.duration_ms, 7000);
    fixture_close(&f);
}
END_TEST

START_TEST(durations_from_times_and_dropped_rows)
{
    struct fixture f;
    ck_assert(fixture_open(
        &f,
        FULL "1,u,v,1,,1,FAILED,2020-04-01 00:00:00,2020-04-01 00:00:10,2020-04-01 00:00:30,,\n"
             "2,u,v,1,,1,FAILED,2020-04-01 00:00:00,2020-04-01 00:00:10,2020-04-01 00:00:30,5,\n"
             "3,u,v,1,,1,FAILED,2020-04-01 00:00:00,2020-04-01 00:00:30,2020-04-01 00:00:10,,\n"
             "4,u,v,1,,1,CANCELLED,2020-04-01 00:00:00,None,None,None,\n",
        NULL, false));
    ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
    ck_assert_int_eq(f.job.duration_ms, 20000);
    ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
    ck_assert_int_eq(f.job.duration_ms, 5000);
    ck_assert_int_eq(fixture_next(&f), TRACE_END);
    ck_assert_uint_eq(fixture_note(&f, "differs from end_time"), 1);
    ck_assert_uint_eq(fixture_note(&f, "negative duration"), 1);
    ck_assert_uint_eq(fixture_note(&f, "no duration"), 1);
    fixture_close(&f);
}
END_TEST

static const struct {
    const char *text, *message;
} wrong[] = {
    {REDUCED "0,1,u,v,1,1,DONE,5,1\n",
     "t:2:7: column 'state': 'DONE' is not valid, expected COMPLETED"},
    {REDUCED "0,1,u,v,x,1,FAILED,5,1\n", "t:2:5: column 'gpu_num': 'x' is not valid"},
    {REDUCED "0,1,u,v,1,1,FAILED,,1\n", "t:2:8: no time of submission"},
    {FULL "1,u,v,1,1,1,FAILED,2020-13-01 00:00:00,None,None,7,0\n",
     "t:2:8: column 'submit_time': '2020-13-01"},
    {FULL "1,u,v,1,1,1,FAILED,2021-02-29 00:00:00,None,None,7,0\n", "expected a time such as"},
    {FULL "1,u,v,1,1,1,FAILED,2020/02/01 00:00:00,None,None,7,0\n", "expected a time such as"},
    {"job_id,vc,gpu_num,state,duration\n1,v,1,FAILED,1\n",
     "t:1:6: the header has none of the columns 'submit_time', 'submit_s'"},
};

START_TEST(wrong_files)
{
    fixture_refuses(wrong[_i].text, "helios", wrong[_i].message);
}
END_TEST

START_TEST(unknown_columns_are_counted)
{
    struct fixture f;
    ck_assert(fixture_open(
        &f, "job_id,vc,gpu_num,state,submit_s,duration_s,colour\n1,v,1,FAILED,1,2,red\n", NULL,
        false));
    ck_assert_int_eq(fixture_rest(&f), 1);
    ck_assert_uint_eq(fixture_note(&f, "columns not used"), 1);
    fixture_close(&f);
}
END_TEST

/* Figures of the published data: 23,859 jobs, 191,044 GPUs, 280,803,029 s, 15 virtual clusters. */
START_TEST(september_of_venus)
{
    char path[512];
    struct fixture f;
    if (!harness_shared(path, sizeof path, "traces/venus-sept/jobs.csv.gz"))
        return;
    ck_assert_msg(fixture_open_file(&f, path, false), "%s", f.err.msg);
    int64_t jobs = 0, gpus = 0, most = 0, ms = 0, gpu_ms = 0, first = -1, last = -1;
    int64_t by_status[TRACE_STATUSES] = {0};
    while (fixture_next(&f) == TRACE_JOB) {
        jobs++;
        gpus += f.job.gpus_total;
        most = f.job.gpus_total > most ? f.job.gpus_total : most;
        ms += f.job.duration_ms;
        gpu_ms += f.job.duration_ms * f.job.gpus_total;
        first = first < 0 ? f.job.submit_ms : first;
        last = f.job.submit_ms;
        by_status[f.job.status]++;
    }
    ck_assert_int_eq(jobs, 23859);
    ck_assert_int_eq(first, INT64_C(13219203000));
    ck_assert_int_eq(last, INT64_C(15465490000));
    ck_assert_int_eq(most, 160);
    ck_assert_int_eq(gpus, 191044);
    ck_assert_int_eq(ms, INT64_C(280803029000));
    ck_assert_int_eq(gpu_ms / 3600, INT64_C(601983022)); // 601,983.022 GPU-hours
    ck_assert_int_eq(by_status[TRACE_COMPLETED], 13281);
    ck_assert_int_eq(by_status[TRACE_CANCELLED], 6036);
    ck_assert_int_eq(by_status[TRACE_FAILED], 4531 + 7 + 4);
    ck_assert_uint_eq(symbols_count(f.names.queues), 15);
    fixture_close(&f);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("helios");
    TCase *tcase = tcase_create("helios");
    tcase_add_test(tcase, the_published_form);
    tcase_add_loop_test(tcase, states_of_jobs, 0, ROWS(states));
    tcase_add_loop_test(tcase, wall_clocks, 0, ROWS(clocks));
    tcase_add_test(tcase, durations_from_times_and_dropped_rows);
    tcase_add_loop_test(tcase, wrong_files, 0, ROWS(wrong));
    tcase_add_test(tcase, unknown_columns_are_counted);
    tcase_add_test(tcase, september_of_venus);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
