/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The native trace: every column, defaults, the ways to request GPUs, and refusals with their
 * messages. */
#include "tests/lib/fixture.h"
#include "tests/lib/harness.h"

#include <string.h>

#define HEAD "job_id,submit_s,duration_s,gpus\n"

START_TEST(defaults)
{
    struct fixture f;
    ck_assert(fixture_open(&f, HEAD "a,10,20,4\n", NULL, false));
    ck_assert_str_eq(trace_format_name(f.trace), "native");
    ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
    ck_assert_str_eq(f.job.id, "a");
    ck_assert_uint_eq(f.job.row, 0);
    ck_assert_int_eq(f.job.submit_ms, 10000);
    ck_assert_int_eq(f.job.eligible_ms, 10000);
    ck_assert_int_eq(f.job.duration_ms, 20000);
    ck_assert_int_eq(f.job.gpus_total, 4);
    ck_assert_str_eq(symbols_name(f.names.queues, f.job.queue), "default");
    ck_assert_str_eq(symbols_name(f.names.users, f.job.user), "");
    ck_assert_uint_eq(f.job.model, SYMBOL_NONE);
    ck_assert_int_eq((int)f.job.class, TRACE_CLASS_UNSET);
    ck_assert_int_eq((int)f.job.status, TRACE_COMPLETED);
    ck_assert_int_eq(f.job.priority, INT32_MIN);
    ck_assert_int_eq(f.job.preemptible, TRACE_UNKNOWN);
    ck_assert_int_eq(f.job.limit_ms, TRACE_UNKNOWN);
    ck_assert_int_eq(f.job.estimate_ms, TRACE_UNKNOWN);
    ck_assert_int_eq(f.job.start_ms, TRACE_UNKNOWN);
    ck_assert_int_eq(f.job.checkpoint_ms, TRACE_UNKNOWN);
    ck_assert_int_eq(f.job.sm_util_ppm, TRACE_UNKNOWN);
    ck_assert_int_eq(f.job.tasks, 1);
    ck_assert_int_eq(f.job.min_tasks, 1);
    ck_assert_int_eq(f.job.max_tasks, 1);
    ck_assert_uint_eq(f.job.gpu_types, 0);
    ck_assert_str_eq(f.job.after, "");
    ck_assert_str_eq(f.job.mig, "");
    ck_assert_int_eq(fixture_next(&f), TRACE_END);
    ck_assert_int_eq(fixture_next(&f), TRACE_END);
    fixture_close(&f);
}
END_TEST

START_TEST(every_column)
{
    static const char text[] =
        "start_s,status,topology_preferred,topology_required,active_frac,sm_util,restart_s,"
        "checkpoint_write_s,checkpoint_s,model,estimate_s,time_limit_s,gpu_type,mem_mib_per_task,"
        "cpus_per_task,mig,gpu_mem_mib,gpu_milli,gpus_per_task,max_tasks,min_tasks,tasks,after,"
        "eligible_s,gpus,preemptible,priority,class,user,queue,duration_s,submit_s,job_id\n"
        "12.5,cancelled,rack,nvlink,0.25,0.5,300,30,3600,resnet50,100,7200,h100|a100,1024,2.5,,,,8,"
        "4,1,2,x|y,11,,0,-5,distributed,ann,research,99.9995,10,\"job, \"\"one\"\"\"\n";
    struct fixture f;
    ck_assert(fixture_open(&f, text, NULL, false));
    ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
    ck_assert_str_eq(f.job.id, "job, \"one\"");
    ck_assert_int_eq(f.job.submit_ms, 10000);
    ck_assert_int_eq(f.job.duration_ms, 100000);
    ck_assert_int_eq(f.job.eligible_ms, 11000);
    ck_assert_int_eq(f.job.start_ms, 12500);
    ck_assert_int_eq((int)f.job.status, TRACE_CANCELLED);
    ck_assert_int_eq((int)f.job.class, TRACE_DISTRIBUTED);
    ck_assert_str_eq(f.job.topology_preferred, "rack");
    ck_assert_str_eq(f.job.topology_required, "nvlink");
    ck_assert_int_eq(f.job.active_ppm, 250000);
    ck_assert_int_eq(f.job.sm_util_ppm, 500000);
    ck_assert_int_eq(f.job.restart_ms, 300000);
    ck_assert_int_eq(f.job.checkpoint_write_ms, 30000);
    ck_assert_int_eq(f.job.checkpoint_ms, 3600000);
    ck_assert_str_eq(symbols_name(f.names.models, f.job.model), "resnet50");
    ck_assert_int_eq(f.job.estimate_ms, 100000);
    ck_assert_int_eq(f.job.limit_ms, 7200000);
    ck_assert_uint_eq(f.job.gpu_types, 3);
    ck_assert_str_eq(symbols_name(f.names.gpu_types, 1), "a100");
    ck_assert_int_eq(f.job.mem_mib, 1024);
    ck_assert_int_eq(f.job.cpu_milli, 2500);
    ck_assert_int_eq(f.job.gpus_total, TRACE_UNKNOWN);
    ck_assert_int_eq(f.job.gpus, 8);
    ck_assert_int_eq(f.job.gpu_milli, 0);
    ck_assert_int_eq(f.job.tasks, 2);
    ck_assert_int_eq(f.job.min_tasks, 1);
    ck_assert_int_eq(f.job.max_tasks, 4);
    ck_assert_str_eq(f.job.after, "x|y");
    ck_assert_int_eq(f.job.preemptible, 0);
    ck_assert_int_eq(f.job.priority, -5);
    ck_assert_str_eq(symbols_name(f.names.users, f.job.user), "ann");
    ck_assert_str_eq(symbols_name(f.names.queues, f.job.queue), "research");
    ck_assert_uint_eq(symbols_count(f.names.queues), 1);
    ck_assert_int_eq(fixture_next(&f), TRACE_END);
    fixture_close(&f);
}
END_TEST

/* The columns of a request, and the result. */
#define REQUEST                                                                                    \
    "job_id,submit_s,duration_s,gpus,tasks,max_tasks,gpus_per_task,gpu_milli,gpu_mem_mib,mig\n"
static const struct {
    const char *fields;
    int64_t total;
    int tasks, gpus, milli;
    int64_t mem;
    const char *mig;
    int64_t size_milli;
} requests[] = {
    {"0,,,,,,", 0, 1, 0, 0, 0, "", 0}, // a job without GPUs
    {"12,,,,,,", 12, 1, 0, 0, 0, "", 12000},
    {"12.0,,,,,,", 12, 1, 0, 0, 0, "", 12000},
    {"12,1,,,,,", 12, 1, 0, 0, 0, "", 12000},
    {"0.5,,,,,,", -1, 1, 1, 500, 0, "", 500},
    {"0.001,,,,,,", -1, 1, 1, 1, 0, "", 1},
    {"16,4,,,,,", -1, 4, 4, 0, 0, "", 16000},
    {"8,1,3,,,,", -1, 1, 8, 0, 0, "", 8000}, // elastic: 8 GPUs per worker
    {",4,,8,,,", -1, 4, 8, 0, 0, "", 32000},
    {"32,4,,8,,,", -1, 4, 8, 0, 0, "", 32000},
    {",,,0,,,", -1, 1, 0, 0, 0, "", 0},
    {",2,,,250,,", -1, 2, 1, 250, 0, "", 500},
    {",,,2,250,,", -1, 1, 2, 250, 0, "", 500},
    {"0.5,,,2,250,,", -1, 1, 2, 250, 0, "", 500},
    {",,,,1000,,", -1, 1, 1, 0, 0, "", 1000},
    {",,,,,4096,", -1, 1, 1, 0, 4096, "", 1000},
    {",,,,,,3g.40gb", -1, 1, 0, 0, 0, "3g.40gb", 428},
    {",7,,,,,1g.10gb", -1, 7, 0, 0, 0, "1g.10gb", 994},
};

START_TEST(requests_for_gpus)
{
    char text[300];
    struct fixture f;
    (void)snprintf(text, sizeof text, REQUEST "j,0,1,%s\n", requests[_i].fields);
    ck_assert_msg(fixture_open(&f, text, NULL, false), "%s", f.err.msg);
    ck_assert_msg(fixture_next(&f) == TRACE_JOB, "%s", f.err.msg);
    ck_assert_int_eq(f.job.gpus_total, requests[_i].total);
    ck_assert_int_eq(f.job.tasks, requests[_i].tasks);
    ck_assert_int_eq(f.job.gpus, requests[_i].gpus);
    ck_assert_int_eq(f.job.gpu_milli, requests[_i].milli);
    ck_assert_int_eq(f.job.gpu_mem_mib, requests[_i].mem);
    ck_assert_str_eq(f.job.mig, requests[_i].mig);
    ck_assert_int_eq(trace_job_gpu_milli(&f.job), requests[_i].size_milli);
    fixture_close(&f);
}
END_TEST

static const struct {
    const char *fields, *message;
} bad_requests[] = {
    {",,,,,,", "t:2:4: no request for GPUs"},
    {"1.5,,,,,,", "t:2:4: column 'gpus': 1.5 is neither"},
    {"0.5,2,,,,,", "t:2:4: column 'gpus': a share of one device with more"},
    {"10,4,,,,,", "t:2:4: column 'gpus': 10 cannot be divided among 4 tasks"},
    {"30,4,,8,,,", "t:2:4: gpus is 30 but the tasks together ask for 32"},
    {"-1,,,,,,", "t:2:4: column 'gpus': '-1' is not valid"},
    {"9999999999999,,,,,,", "t:2:4: column 'gpus'"},
    {"2000000000,,,,,,", "t:2:4: column 'gpus': 2000000000 is more than"},
    {",,,,500,4096,", "t:2:9: more than one of gpu_milli, gpu_mem_mib"},
    {",,,1,,,1g.5gb", "t:2:10: both mig and gpus_per_task"},
    {",,,0,500,,", "t:2:7: a share of devices with gpus_per_task 0"},
    {",,,,1001,,",
     "column 'gpu_milli': '1001' is not valid, expected a whole number from 0 to 1000"},
    {"1,0,,,,,", "column 'tasks': '0' is not valid, expected a whole number from 1 to 1000000"},
    {"1,4,2,,,,", "t:2:6: min_tasks 4, tasks 4, max_tasks 2"},
};

static const struct {
    const char *fields, *message; /* NULL: fine */
    int64_t limit_mib;
} limits[] = {
    {",,4096,8192", NULL, 8192},
    {",,4096,", NULL, 0},
    {",,4096,4096", NULL, 4096},
    {",500,,30000", NULL, 30000},
    {",,4096,4095", "t:2:7: gpu_mem_limit_mib is 4095, below gpu_mem_mib 4096", 0},
    {"1,,,4096", "t:2:7: gpu_mem_limit_mib is for tasks that share a device", 0},
    {",1000,,4096", "t:2:7: gpu_mem_limit_mib is for tasks that share a device", 0},
    {",,4096,-1", "column 'gpu_mem_limit_mib': '-1' is not valid, expected a whole number", 0},
};

START_TEST(limits_of_device_memory)
{
    char text[300];
    struct fixture f;
    (void)snprintf(
        text, sizeof text,
        "job_id,submit_s,duration_s,gpus,gpu_milli,gpu_mem_mib,gpu_mem_limit_mib\nj,0,1,%s\n",
        limits[_i].fields);
    if (limits[_i].message != NULL) {
        fixture_refuses(text, NULL, limits[_i].message);
        return;
    }
    ck_assert_msg(fixture_open(&f, text, NULL, false), "%s", f.err.msg);
    ck_assert_msg(fixture_next(&f) == TRACE_JOB, "%s", f.err.msg);
    ck_assert_int_eq(f.job.gpu_mem_limit_mib, limits[_i].limit_mib);
    fixture_close(&f);
}
END_TEST

START_TEST(wrong_requests)
{
    char text[300];
    (void)snprintf(text, sizeof text, REQUEST "j,0,1,%s\n", bad_requests[_i].fields);
    fixture_refuses(text, NULL, bad_requests[_i].message);
}
END_TEST

static const struct {
    const char *text, *message;
} wrong[] = {
    {"job_id,submit_s,duration_s\na,1,2\n",
     "t:1:4: the header has none of the columns 'gpus', 'gpus_per_task'"},
    {"job_id,submit_s,gpus\na,1,2\n", "t:1:4: the header has no column 'duration_s'"},
    {"job_id,submit_s,duration_s,gpu\na,1,2,3\n",
     "t:1:4: column 4: unknown name 'gpu', did you mean 'gpus'?"},
    {"job_id,submit_s,duration_s,gpus,gpus\na,1,2,3,3\n",
     "t:1:5: column 5: 'gpus' is in the header twice"},
    {"job_id,submit_s,duration_s,gpus,array,rungs_s\na,1,2,1,A,5|5\n",
     "t:2:6: rungs_s is '5|5', expected up to 16 rising run times in seconds"},
    {"job_id,submit_s,duration_s,gpus,array,rungs_s\na,1,2,1,A,5|\n", "rungs_s is '5|'"},
    {"job_id,submit_s,duration_s,gpus,array,rungs_s\na,1,2,1,A,0|5\n", "rungs_s is '0|5'"},
    {"job_id,submit_s,duration_s,gpus,array,rungs_s\na,1,2,1,A,1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|"
     "16|17\n",
     "expected up to 16"},
    {"job_id,submit_s,duration_s,gpus,array,rungs_s\na,1,2,1,,5\n", "t:2:6: rungs_s without array"},
    {"job_id,submit_s,duration_s,gpus,array,rungs_s,eta\na,1,2,1,A,5,1\n",
     "t:2:7: eta is 1, expected a number above 1"},
    {"job_id,submit_s,duration_s,gpus,array,rungs_s,eta\na,1,2,1,A,,3\n",
     "t:2:7: eta is 3 without rungs_s, expected both"},
    {HEAD "a,1,abc,3\n",
     "t:2:3: column 'duration_s': 'abc' is not valid, expected seconds, from 0 to 1e12"},
    {HEAD "a,1,-1,3\n", "t:2:3: column 'duration_s': '-1' is not valid"},
    {HEAD "a,1e40,1,3\n",
     "t:2:2: column 'submit_s': '1e40' is not valid, expected seconds, at most 1e12"},
    {HEAD "a,1,nan,3\n", "t:2:3: column 'duration_s': 'nan'"},
    {HEAD "a,1,,3\n", "t:2:3: column 'duration_s': '' is not valid, expected a value"},
    {HEAD "a,1,2,3\n\nb,1,2\n", "t:4:4: the row has 3 fields, the header has 4"},
    {HEAD "a,1,2,3\nb,1,2,3,4\n", "t:3:5: the row has more fields than the header (4)"},
    {HEAD "\"a,1,2,3\n", "the file ends inside quotes"},
    {HEAD "a\"b,1,2,3\n", "t:2:1: column 1: a quote inside a field"},
    {"job_id,submit_s,duration_s,gpus,class\na,1,2,3,trian\n",
     "t:2:5: column 'class': 'trian' is not valid, expected build, train, distributed, inference "
     "or batch"},
    {"job_id,submit_s,duration_s,gpus,status\na,1,2,3,done\n",
     "expected completed, failed or cancelled"},
    {"job_id,submit_s,duration_s,gpus,sm_util\na,1,2,3,50\n", "expected a share between 0 and 1"},
    {"job_id,submit_s,duration_s,gpus,preemptible\na,1,2,3,2\n",
     "expected a whole number from 0 to 1"},
    {"job_id,submit_s,duration_s,gpus,gpu_type\na,1,2,3,a||b\n",
     "expected GPU types separated by '|'"},
    {"job_id,submit_s,duration_s,gpus,time_limit_s\na,1,2,3,-2\n", "or -1 for none"},
};

START_TEST(wrong_files)
{
    fixture_refuses(wrong[_i].text, "native", wrong[_i].message);
}
END_TEST

START_TEST(a_nul_in_a_name)
{
    static const char text[] = HEAD "a\0b,1,2,3\n";
    struct fixture f;
    ck_assert(fixture_open_bytes(&f, text, sizeof text - 1, NULL, false));
    ck_assert_int_eq(fixture_next(&f), TRACE_ERROR);
    ck_assert_str_eq(
        f.err.msg,
        "t:2:1: column 'job_id': 'a\\x00b' is not valid, expected text without NUL bytes");
    ck_assert_int_eq(fixture_next(&f), TRACE_ERROR);
    harness_contains(f.err.msg, "text without NUL bytes");
    fixture_close(&f);
}
END_TEST

START_TEST(too_many_gpu_types)
{
    char text[2000] = "job_id,submit_s,duration_s,gpus,gpu_type\n";
    size_t used = strlen(text);
    for (int i = 0; i < 65; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "j%d,0,1,1,type%d\n", i, i);
    fixture_refuses(text, NULL,
                    "t:66:5: column 'gpu_type': 'type64' is not valid, expected no more than 64");
}
END_TEST

START_TEST(repaired_and_declared_unknown)
{
    struct fixture f;
    ck_assert(
        fixture_open(&f, "job_id,submit_s,duration_s,gpus,eligible_s,time_limit_s\na,10,1,1,5,-1\n",
                     NULL, false));
    ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
    ck_assert_int_eq(f.job.eligible_ms, 10000);
    ck_assert_int_eq(f.job.limit_ms, TRACE_UNKNOWN);
    ck_assert_uint_eq(fixture_note(&f, "eligible_s before submit_s"), 1);
    fixture_close(&f);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("native");
    TCase *tcase = tcase_create("native");
    tcase_add_test(tcase, defaults);
    tcase_add_test(tcase, every_column);
    tcase_add_loop_test(tcase, requests_for_gpus, 0, ROWS(requests));
    tcase_add_loop_test(tcase, limits_of_device_memory, 0, ROWS(limits));
    tcase_add_loop_test(tcase, wrong_requests, 0, ROWS(bad_requests));
    tcase_add_loop_test(tcase, wrong_files, 0, ROWS(wrong));
    tcase_add_test(tcase, a_nul_in_a_name);
    tcase_add_test(tcase, too_many_gpu_types);
    tcase_add_test(tcase, repaired_and_declared_unknown);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
