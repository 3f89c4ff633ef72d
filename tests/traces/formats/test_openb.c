/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Alibaba's pod lists: requests, times, phases, and the published counts of the default list. */
#include "tests/lib/fixture.h"
#include "tests/lib/harness.h"

#define FULL                                                                                       \
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_"   \
    "time,"                                                                                        \
    "scheduled_time\n"
#define SHORT "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n"

START_TEST(a_pod_is_a_job_of_one_task)
{
    struct fixture f;
    ck_assert(
        fixture_open(&f, FULL "p0,12000,16384,8,1000,V100M16|V100M32|V100M32,LS,Failed,5,100,20\n",
                     NULL, false));
    ck_assert_str_eq(trace_format_name(f.trace), "openb");
    ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
    ck_assert_str_eq(f.job.id, "p0");
    ck_assert_int_eq(f.job.cpu_milli, 12000);
    ck_assert_int_eq(f.job.mem_mib, 16384);
    ck_assert_int_eq(f.job.gpus_total, TRACE_UNKNOWN);
    ck_assert_int_eq(f.job.tasks, 1);
    ck_assert_int_eq(f.job.gpus, 8);
    ck_assert_int_eq(f.job.gpu_milli, 0);
    ck_assert_uint_eq(f.job.gpu_types, 3);
    ck_assert_str_eq(f.job.gpu_spec, "V100M16|V100M32|V100M32");
    ck_assert_int_eq(f.job.submit_ms, 5000);
    ck_assert_int_eq(f.job.start_ms, 20000);
    ck_assert_int_eq(f.job.duration_ms, 80000);
    ck_assert_int_eq((int)f.job.status, TRACE_FAILED);
    ck_assert_int_eq((int)f.job.class, TRACE_CLASS_UNSET);
    ck_assert_int_eq(trace_job_gpu_milli(&f.job), 8000);
    ck_assert_int_eq(fixture_next(&f), TRACE_END);
    fixture_close(&f);
}
END_TEST

static const struct {
    const char *fields;
    int gpus, milli;
    int64_t size;
    const char *note;
} requests[] = {
    {"0,0", 0, 0, 0, "no times"},       {"1,460", 1, 460, 460, "no times"},
    {"1,1000", 1, 0, 1000, "no times"}, {"1,1500", 1, 0, 1000, "gpu_milli above 1000, cut to 1000"},
    {"4,1000", 4, 0, 4000, "no times"}, {"2,2000", 2, 0, 2000, "gpu_milli above 1000, cut to 1000"},
};

START_TEST(requests_of_the_short_lists)
{
    char text[200];
    struct fixture f;
    (void)snprintf(text, sizeof text, SHORT "p,1000,10,%s\n", requests[_i].fields);
    ck_assert(fixture_open(&f, text, NULL, false));
    ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
    ck_assert_int_eq(f.job.gpus, requests[_i].gpus);
    ck_assert_int_eq(f.job.gpu_milli, requests[_i].milli);
    ck_assert_int_eq(trace_job_gpu_milli(&f.job), requests[_i].size);
    ck_assert_int_eq(f.job.submit_ms, 0);
    ck_assert_int_eq(f.job.duration_ms, 0);
    ck_assert_uint_eq(fixture_note(&f, requests[_i].note), 1);
    fixture_close(&f);
}
END_TEST

static const struct {
    const char *fields;
    int64_t submit_ms, start_ms, duration_ms; /* duration -1: dropped */
    int status;
    const char *note; /* NULL: none */
} times[] = {
    {"Running,5,100,20", 5000, 20000, 80000, TRACE_COMPLETED, NULL},
    {"Succeeded,5,100,5", 5000, 5000, 95000, TRACE_COMPLETED, NULL},
    {"Pending,5,100,", 5000, -1, 95000, TRACE_CANCELLED, "never scheduled"},
    {"Running,5,,20", 5000, 20000, 0, TRACE_COMPLETED, "no deletion"},
    {"Running,,100,20", 0, 20000, 80000, TRACE_COMPLETED, "no creation"},
    {"Running,5,10,20", 0, 0, -1, 0, "deleted before"},
};

START_TEST(times_of_pods)
{
    char text[300];
    struct fixture f;
    (void)snprintf(text, sizeof text, FULL "p,1000,10,1,500,,BE,%s\n", times[_i].fields);
    ck_assert(fixture_open(&f, text, NULL, false));
    if (times[_i].duration_ms >= 0) {
        ck_assert_int_eq(fixture_next(&f), TRACE_JOB);
        ck_assert_int_eq(f.job.submit_ms, times[_i].submit_ms);
        ck_assert_int_eq(f.job.start_ms, times[_i].start_ms);
        ck_assert_int_eq(f.job.duration_ms, times[_i].duration_ms);
        ck_assert_int_eq((int)f.job.status, times[_i].status);
    }
    ck_assert_int_eq(fixture_next(&f), TRACE_END);
    size_t notes;
    (void)trace_notes(f.trace, &notes);
    ck_assert_uint_eq(notes, times[_i].note != NULL);
    if (times[_i].note)
        ck_assert_uint_eq(fixture_note(&f, times[_i].note), 1);
    fixture_close(&f);
}
END_TEST

static const struct {
    const char *text, *message;
} wrong[] = {
    {SHORT "p,1,1,2,500\n", "t:2:5: column 'gpu_milli': '500' with num_gpu 2, expected 1000"},
    {SHORT "p,1,1,0,500\n", "t:2:5: column 'gpu_milli': '500' with num_gpu 0"},
    {SHORT "p,1,1,1,0\n", "t:2:5: column 'gpu_milli': '0' with num_gpu 1"},
    {SHORT "p,one,1,1,1000\n", "t:2:2: column 'cpu_milli': 'one' is not valid"},
    {SHORT "p,1,1,1\n", "t:2:5: the row has 4 fields, the header has 5"},
    {"name,cpu_milli,memory_mib,num_gpu\n", "t:1:5: the header has no column 'gpu_milli'"},
    {FULL "p,1,1,1,1000,,LS,Lost,1,2,1\n", "expected Running, Succeeded, Failed or Pending"},
};

START_TEST(wrong_files)
{
    fixture_refuses(wrong[_i].text, "openb", wrong[_i].message);
}
END_TEST

/* The published counts: 1088 without GPU, 3078 shares, 3911 of one, 16 of two, 15 of four, 44 of
 * eight. */
START_TEST(the_default_list)
{
    char path[512];
    struct fixture f;
    if (!harness_shared(path, sizeof path, "traces/alibaba-gpu-2023/openb_pod_list_default.csv"))
        return;
    ck_assert_msg(fixture_open_file(&f, path, false), "%s", f.err.msg);
    int64_t shares = 0, whole[9] = {0}, milli = 0;
    while (fixture_next(&f) == TRACE_JOB) {
        ck_assert_int_le(f.job.gpus, 8);
        if (f.job.gpu_milli > 0)
            shares++;
        else
            whole[f.job.gpus]++;
        milli += trace_job_gpu_milli(&f.job);
    }
    ck_assert_int_eq(shares, 3078);
    ck_assert_int_eq(whole[0], 1088);
    ck_assert_int_eq(whole[1], 3911);
    ck_assert_int_eq(whole[2], 16);
    ck_assert_int_eq(whole[4], 15);
    ck_assert_int_eq(whole[8], 44);
    ck_assert_int_eq(milli, 6086800);
    ck_assert_uint_eq(fixture_note(&f, "never scheduled"), 897);
    fixture_close(&f);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("openb");
    TCase *tcase = tcase_create("openb");
    tcase_add_test(tcase, a_pod_is_a_job_of_one_task);
    tcase_add_loop_test(tcase, requests_of_the_short_lists, 0, ROWS(requests));
    tcase_add_loop_test(tcase, times_of_pods, 0, ROWS(times));
    tcase_add_loop_test(tcase, wrong_files, 0, ROWS(wrong));
    tcase_add_test(tcase, the_default_list);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
