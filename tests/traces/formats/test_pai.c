/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PAI's table of tasks, with and without a header row, alone and with the table of jobs. */
#include "tests/traces/formats/told.h"

#define HEAD                                                                                       \
    "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type\n"
#define ROWS_TEXT                                                                                  \
    "j1,worker,4.0,Terminated,1000.5,1060.5,600.0,29.296875,50.0,T4\n"                             \
    "j1,ps,1.0,Terminated,1001.0,1061.0,400.0,10.0,,CPU\n"                                         \
    "j2,tensorflow,2.0,Failed,1100.0,1200.0,,,200.0,MISC\n"                                        \
    "j3,worker,1.0,Running,1100.0,,600.0,29.3,100.0,P100\n"                                        \
    "j4,worker,1.0,Terminated,1300.0,1200.0,600.0,29.3,100.0,P100\n"

#define REST                                                                                       \
    "note 1 running or waiting when the trace ends, row dropped\nnote 1 negative duration, row "   \
    "dropped\n"
#define ALONE                                                                                      \
    "job_id=j1/worker submit_s=1000.5 duration_s=60 queue=default status=completed "               \
    "gpus_per_task=1 "                                                                             \
    "gpu_milli=500 gpu_type=T4 cpus_per_task=6 mem_mib_per_task=30000 tasks=4 start_s=1000.5 "     \
    "end_s=1060.5\n"                                                                               \
    "job_id=j1/ps submit_s=1001 duration_s=60 queue=default status=completed gpus_per_task=0 "     \
    "cpus_per_task=4 mem_mib_per_task=10240 start_s=1001 end_s=1061\n"                             \
    "job_id=j2/tensorflow submit_s=1100 duration_s=100 queue=default status=failed "               \
    "gpus_per_task=2 "                                                                             \
    "gpu_type=MISC tasks=2 start_s=1100 end_s=1200\n"                                              \
    "note 4 submitted at its launch, for want of the table of jobs (option jobs)\n"                \
    "note 1 running or waiting when the trace ends, row dropped\nnote 1 negative duration, row "   \
    "dropped\n"

// clang-format off
static const struct told_row rows[] = {
    {"pai", ROWS_TEXT, NULL, NULL, ALONE},
    {"pai", HEAD ROWS_TEXT, NULL, NULL, ALONE},
};
// clang-format on

START_TEST(the_table_of_tasks)
{
    struct fixture f;
    ck_assert_msg(fixture_open(&f, rows[_i].text, NULL, false), "%s", f.err.msg);
    ck_assert_str_eq(trace_format_name(f.trace), "pai");
    char *got = told(&f);
    // Notes are in order of appearance: only their texts matter here.
    for (const char *line = rows[_i].wanted; *line; line += strcspn(line, "\n") + 1) {
        char wanted[400];
        (void)snprintf(wanted, sizeof wanted, "%.*s\n", (int)strcspn(line, "\n"), line);
        harness_contains(got, wanted);
    }
    ck_assert_uint_eq(strlen(got), strlen(rows[_i].wanted));
    free(got);
    fixture_close(&f);
}
END_TEST

static void with_jobs(const char *jobs, const char *wanted)
{
    char path[256];
    struct told_row row = {"pai", ROWS_TEXT, "jobs", path, wanted};
    harness_file(path, sizeof path, ".csv", jobs, strlen(jobs));
    told_check(&row);
    harness_forget(path);
}

/* j2 is missing: a role without its job is dropped. j4 exists, but is dropped because of its times.
 */
START_TEST(with_the_table_of_jobs)
{
    with_jobs("j4,i4,u9,Terminated,1.0,2.0\nj1,i1,u7,Terminated,990.0,1062.0\n",
              "job_id=j1/worker submit_s=990 duration_s=60 queue=default user=u7 status=completed "
              "gpus_per_task=1 gpu_milli=500 gpu_type=T4 cpus_per_task=6 mem_mib_per_task=30000 "
              "tasks=4 start_s=1000.5 end_s=1060.5\n"
              "job_id=j1/ps submit_s=990 duration_s=60 queue=default user=u7 status=completed "
              "gpus_per_task=0 cpus_per_task=4 mem_mib_per_task=10240 start_s=1001 end_s=1061\n"
              "note 1 its job is not in the table of jobs, row dropped\n" REST);
}
END_TEST

// clang-format off
static const struct told_row wrong[] = {
    {"pai", HEAD "j,t,1,Done,1,2,,,,\n", NULL, NULL, "t:2:4: column 'status': 'Done'"},
    {"pai", HEAD "j,t,1,Failed,1,2,,,200000,\n", NULL, NULL,
     "t:2:9: column 'plan_gpu': a task with more than"},
    {"pai", HEAD "j,t,1,Failed,1,2,,-1,,\n", NULL, NULL, "t:2:8: column 'plan_mem'"},
    {"pai", "j,t,1,Failed,1\n", NULL, NULL, "t:1:6: the row has 5 fields, the header has 10"},
    {"pai", HEAD, "jobs", "/nowhere/jobs.csv", "/nowhere/jobs.csv"},
};
// clang-format on

START_TEST(what_is_refused)
{
    told_refuse(&wrong[_i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pai");
    TCase *tcase = tcase_create("pai");
    tcase_add_loop_test(tcase, the_table_of_tasks, 0, ROWS(rows));
    tcase_add_test(tcase, with_the_table_of_jobs);
    tcase_add_loop_test(tcase, what_is_refused, 0, ROWS(wrong));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
