/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SWF: fields, unknowns, dropped lines, and the figures of logs of the Parallel Workloads Archive.
 */
#include "tests/lib/fixture.h"
#include "tests/lib/harness.h"
#include "tests/traces/formats/told.h"

#include <string.h>

START_TEST(fields_of_a_job)
{
    struct fixture f;
    ck_assert(fixture_open(&f,
                           "; Version: 2.2\r\n;\r\n\r\n"
                           "  1\t100 5 3600.5 8 -1 -1 16 7200 -1 1 7 2 -1 0 -1 -1 -1 \r\n"
                           "2 100 -1 0 -1 -1 -1 4 -1 -1 5 -1 2 -1 -1 -1 1 30",
                           NULL, false));
    ck_assert_str_eq(trace_format_name(f.trace), "swf");
    ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
    ck_assert_uint_eq(f.job.row, 0);
    ck_assert_str_eq(f.job.id, "1");
    ck_assert_int_eq(f.job.submit_ms, 100000);
    ck_assert_int_eq(f.job.start_ms, 105000);
    ck_assert_int_eq(f.job.duration_ms, 3600500);
    ck_assert_int_eq(f.job.gpus_total, 8);
    ck_assert_int_eq(f.job.limit_ms, 7200000);
    ck_assert_int_eq((int)f.job.status, TRACE_COMPLETED);
    ck_assert_str_eq(symbols_name(f.names.users, f.job.user), "u7");
    ck_assert_str_eq(symbols_name(f.names.queues, f.job.queue), "q0");
    ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
    ck_assert_uint_eq(f.job.row, 1);
    ck_assert_str_eq(f.job.id, "2");
    ck_assert_int_eq(f.job.start_ms, TRACE_UNKNOWN);
    ck_assert_int_eq(f.job.duration_ms, 0);
    ck_assert_int_eq(f.job.gpus_total, 4);
    ck_assert_int_eq(f.job.limit_ms, TRACE_UNKNOWN);
    ck_assert_int_eq((int)f.job.status, TRACE_CANCELLED);
    ck_assert_str_eq(symbols_name(f.names.users, f.job.user), "");
    ck_assert_str_eq(symbols_name(f.names.queues, f.job.queue), "default");
    ck_assert_str_eq(f.job.after, "");
    ck_assert_int_eq(fixture_next(&f), TRACE_END);
    ck_assert_uint_eq(fixture_note(&f, "requested processors are used"), 1);
    ck_assert_uint_eq(fixture_note(&f, "preceding job (field 17) is not waited for"), 1);
    fixture_close(&f);
}
END_TEST

static const struct {
    const char *line;
    int64_t jobs;
    const char *note;
} notes[] = {
    {"1 0 -1 -1 8 -1 -1 8 -1 -1 1 1 1 1 1 1 -1 -1", 0, "unknown run time"},
    {"1 0 -1 10 0 -1 -1 0 -1 -1 1 1 1 1 1 1 -1 -1", 0, "no processors"},
    {"1 0 -1 10 -1 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1", 0, "no processors"},
    {"1 0 -1 10 8 -1 -1 8 -1 -1 2 1 1 1 1 1 -1 -1", 0, "burst"},
    {"1 0 -1 10 8 -1 -1 8 -1 -1 4 1 1 1 1 1 -1 -1", 0, "burst"},
    {"1 0 -1 10 8 -1 -1 8 -1 -1 -1 1 1 1 1 1 -1 -1", 1, "unknown status"},
    {"1 0 -1 10 8 -1 -1 8 -1 -1 1 1 1 1 1 1 -1 -1 x y", 1, "more than 18 fields"},
};

START_TEST(notes_are_counted)
{
    struct fixture f;
    ck_assert(fixture_open(&f, notes[_i].line, NULL, false));
    ck_assert_int_eq(fixture_rest(&f), notes[_i].jobs);
    ck_assert_uint_eq(fixture_note(&f, notes[_i].note), 1);
    fixture_close(&f);
}
END_TEST

static const struct {
    const char *text, *message;
} wrong[] = {
    {";\n1 0 -1 10 8 -1 -1 8 -1 -1 1 1 1 1 1 1 -1\n",
     "t:2:18: the line has 17 fields, expected 18"},
    {";\n1 x -1 10 8 -1 -1 8 -1 -1 1 1 1 1 1 1 -1 -1\n",
     "t:2:2: column 2 (submit time): 'x' is not valid, expected seconds"},
    {"1 0 -1 10 8.5 -1 -1 8 -1 -1 1 1 1 1 1 1 -1 -1\n",
     "t:1:5: column 5 (allocated processors): '8.5' is not valid, expected a whole number"},
    {";\n1 0 -1 1e300 8 -1 -1 8 -1 -1 1 1 1 1 1 1 -1 -1\n", "t:2:4: column 4 (run time): '1e300'"},
    {";\n1 0 -1 10 8 -1 -1 8 -1 -1 1 1 1 1 1 1 0 x\n", "t:2:18: column 18 (think time): 'x'"},
    {";\n1 0 -1 1 9999999999999999 -1 -1 8 -1 -1 1 1 1 1 1 1 -1 -1\n", "t:2:5: column 5"},
};

START_TEST(wrong_lines)
{
    fixture_refuses(wrong[_i].text, NULL, wrong[_i].message);
}
END_TEST

/* Fields 17 and 18, honoured: valid dependencies, and other values. */
static const struct told_row links[] = {
    {"swf",
     ";\n"
     "1 0 -1 10 1 -1 -1 1 -1 -1 1 -1 1 1 1 1 -1 -1\n"
     "2 5 -1 10 1 -1 -1 1 -1 -1 1 -1 1 1 1 1 1 30.5\n"
     "3 6 -1 10 1 -1 -1 1 -1 -1 1 -1 1 1 1 1 2 0\n"
     "4 7 -1 10 1 -1 -1 1 -1 -1 1 -1 1 1 1 1 0 9\n",
     "dependencies", "honour",
     "job_id=1 submit_s=0 duration_s=10 gpus=1 queue=q1 status=completed\n"
     "job_id=2 submit_s=5 duration_s=10 gpus=1 queue=q1 status=completed after=any:1 think_s=30.5\n"
     "job_id=3 submit_s=6 duration_s=10 gpus=1 queue=q1 status=completed after=any:2\n"
     "job_id=4 submit_s=7 duration_s=10 gpus=1 queue=q1 status=completed\n"},
    {"swf",
     ";\n"
     "1 0 -1 -1 1 -1 -1 1 -1 -1 1 -1 1 1 1 1 -1 -1\n"
     "2 5 -1 10 1 -1 -1 1 -1 -1 1 -1 1 1 1 1 1 30\n"
     "3 6 -1 10 1 -1 -1 1 -1 -1 1 -1 1 1 1 1 3 30\n"
     "4 7 -1 10 1 -1 -1 1 -1 -1 1 -1 1 1 1 1 5 30\n"
     "5 8 -1 10 1 -1 -1 1 -1 -1 1 -1 1 1 1 1 77 -1\n",
     "dependencies", "honour",
     "job_id=2 submit_s=5 duration_s=10 gpus=1 queue=q1 status=completed\n"
     "job_id=3 submit_s=6 duration_s=10 gpus=1 queue=q1 status=completed\n"
     "job_id=4 submit_s=7 duration_s=10 gpus=1 queue=q1 status=completed\n"
     "job_id=5 submit_s=8 duration_s=10 gpus=1 queue=q1 status=completed\n"
     "note 1 unknown run time, line dropped\n"
     "note 1 preceding job was dropped, not waited for\n"
     "note 1 preceding job is the job itself, not waited for\n"
     "note 2 preceding job is unknown or comes later, not waited for\n"},
    {"swf",
     ";\n"
     "1 0 -1 10 1 -1 -1 1 -1 -1 1 -1 1 1 1 1 -1 -1\n"
     "2 5 -1 10 1 -1 -1 1 -1 -1 1 -1 1 1 1 1 1 30\n",
     "dependencies", "ignore",
     "job_id=1 submit_s=0 duration_s=10 gpus=1 queue=q1 status=completed\n"
     "job_id=2 submit_s=5 duration_s=10 gpus=1 queue=q1 status=completed\n"
     "note 1 preceding job (field 17) is not waited for, option dependencies=honour does\n"},
};

START_TEST(preceding_jobs)
{
    told_check(&links[_i]);
}
END_TEST

/* First and last submission, sums of run times and of processor-hours; lines minus dropped jobs are
 * read. */
static const struct {
    const char *path;
    int64_t lines, dropped;
    int64_t first_s, last_s;          /* of the jobs kept; -1: lines at the ends were dropped */
    int64_t run_s, processor_milli_h; /* the archive's figures have three decimals of an hour */
} logs[] = {
    {"traces/swf-pwa/CEA-Curie-2011-2.1-cln.swf.gz", 312826, 19, 31656837, 53580159, 1926262815,
     356656338857},
    {"traces/swf-pwa/HPC2N-2002-2.2-excerpt3k.swf", 3170, 25, 0, 4950011, 31853357, 139904221},
    {"traces/swf-pwa/KTH-SP2-1996-2.swf.gz", 28489, 0, 0, 29363618, 252883787, 562394074},
    {"traces/swf-pwa/LLNL-Atlas-2006-2.1-cln.swf.gz", 43778, 4571, -1, 19951051, 219985709,
     30069262518},
    {"traces/swf-pwa/UniLu-Gaia-2014-1.swf.gz", 51987, 127, 0, 7694207, 744533231, 1938352916},
    {"traces/swf-pwa/lublin_256-model.swf.gz", 10000, 0, 5094, 7711701, 48627667, 581328102},
    {"traces/swf-pwa/wagap-2013-nonstandard.swf.gz", 17900, 2, 1356996147, 1364682183, 897261525,
     2679792841},
    {"expected/batch/w2000.swf", 2000, 0, 297, 271997, -1, -1},
};

START_TEST(logs_of_the_archive)
{
    char path[512];
    struct fixture f;
    if (!harness_shared(path, sizeof path, logs[_i].path))
        return;
    ck_assert_msg(fixture_open_file(&f, path, false), "%s", f.err.msg);
    int64_t jobs = 0, ms = 0, processor_s = 0, first = -1, last = -1;
    while (fixture_next(&f) == TRACE_JOB) {
        jobs++;
        ms += f.job.duration_ms;
        processor_s += f.job.duration_ms / 1000 * f.job.gpus_total;
        first = first < 0 ? f.job.submit_ms : first;
        last = f.job.submit_ms;
    }
    ck_assert_int_eq(jobs, logs[_i].lines - logs[_i].dropped);
    ck_assert_int_eq(last, logs[_i].last_s * 1000);
    if (logs[_i].first_s >= 0)
        ck_assert_int_eq(first, logs[_i].first_s * 1000);
    if (logs[_i].run_s >= 0) {
        ck_assert_int_eq(ms, logs[_i].run_s * 1000);
        // Thousandths of a processor-hour, rounded to the nearest.
        ck_assert_int_eq((processor_s * 1000 + 1800) / 3600, logs[_i].processor_milli_h);
    }
    fixture_close(&f);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("swf");
    TCase *tcase = tcase_create("swf");
    tcase_add_test(tcase, fields_of_a_job);
    tcase_add_loop_test(tcase, notes_are_counted, 0, ROWS(notes));
    tcase_add_loop_test(tcase, wrong_lines, 0, ROWS(wrong));
    tcase_add_loop_test(tcase, preceding_jobs, 0, ROWS(links));
    tcase_add_loop_test(tcase, logs_of_the_archive, 0, ROWS(logs));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
