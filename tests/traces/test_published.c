/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Published traces read by their formats, if their files are available: numbers of jobs, first and
 * last submission, sizes and run times must equal independent counts exactly.
 */
#include "tests/lib/fixture.h"

#include <stdlib.h>

struct counted {
    int64_t jobs, first_ms, last_ms, most, gpus, run_ms, gpu_ms, idle;
};

static const struct {
    const char *path, *format;
    struct counted figures;  /* GPU time in milli-GPU-hours */
    const char *key, *value; /* a setting, or NULL */
} files[] = {
    // clang-format off
    {"philly-2017/philly_jobs_sia.csv.gz", "philly-jobs", {82247, 1504546241000, 1513958531000,
     128, 107235, 1080390950000, 978078473, 0}, NULL, NULL},
    {"philly-2017/philly_attempts_lumos.csv.gz", "lumos", {151816, 1502114581000, 1513947731000,
     128, 320120, 3611370598000, 3238876193, 0}, NULL, NULL},
    {"philly-2017/philly_attempts_first15k_user_status.csv.gz", "jsspp", {15000, 0, 4977039000, 48,
     33265, 1124305836000, 765763832, 0}, NULL, NULL},
    {"helios-2020-gpu125k/helios_gpu_jobs_clamped48h.csv.gz", "reduced", {125303, 0, 16747071000,
     200, 843981, 1138719078000, 2423406545, 0}, NULL, NULL},
    {"helios-2020-gpu125k/helios_15k_user_status.csv.gz", "jsspp", {15000, 0, 1744281000, 160,
     69582, 160121115000, 358607769, 0}, NULL, NULL},
    {"venus-sept/jobs.csv.gz", "helios", {23859, 13219203000, 15465490000, 160, 191044,
     280803029000, 601983022, 0}, NULL, NULL},
    {"alibaba-pai-2020/pai_tasks_sub60k.csv.gz", "reduced", {60105, 16670000, 5518537000, 400,
     298635, 302241847000, 687854201, 0}, NULL, NULL},
    {"acme-2023-derived/kalos_completed_gpu_jobs_319_converted.csv", "acme-converted", {319, 0,
     7779474000, 1024, 99711, 4919498000, 456842729, 0}, NULL, NULL},
    {"thetagpu-dgx-a100-2023/data_thetagpu.csv.gz", "alcf", {22606, 1663881807000, 1690529371000,
     21, 32806, 141568194200, 60851424, 0}, NULL, NULL},
    {"supercloud-2021-sample/slurm_log_sample_9628.csv.gz", "slurm", {9628, 1609535912000,
     1615966445000, 16, 3206, 312029446000, 41918474, 0}, NULL, NULL},
    {"deadline-chronus-philly/trace_job_Philly_SLO.csv.gz", "chronus", {30940, 60000, 1209060000,
     32, 42785, 482496900000, 368510917, 0}, NULL, NULL},
    {"deadline-chronus-philly/trace_job_Philly_MIX1.csv.gz", "chronus", {30940, 60000, 1209060000,
     32, 42947, 484058520000, 371328133, 0}, NULL, NULL},
    {"deadline-chronus-philly/trace_job_Philly_MIX2.csv.gz", "chronus", {30940, 60000, 1209060000,
     32, 43061, 488423760000, 378975367, 0}, NULL, NULL},
    {"small-sims/muri_trace1.csv.gz", "muri", {1494, 0, 10817570000, 32, 7398, 374174936000,
     383326768, 0}, NULL, NULL},
    {"small-sims/muri_trace2.csv.gz", "muri", {5755, 0, 8572283000, 32, 29825, 575421048000,
     824082015, 0}, NULL, NULL},
    {"small-sims/muri_trace3.csv.gz", "muri", {992, 0, 8166025000, 32, 9346, 46489935000,
     116690099, 0}, NULL, NULL},
    {"small-sims/muri_trace4.csv.gz", "muri", {2638, 0, 7363956000, 8, 5310, 314808424000,
     204902103, 0}, NULL, NULL},
    {"small-sims/tiresias_60_job.csv", "tiresias", {60, 0, 1779000, 8, 170, 10705000, 7396, 0},
     NULL, NULL},
    {"small-sims/elasticflow_philly_103959.csv", "elasticflow", {876, 0, 7910536000, 4, 1899,
     49556598000, 42816077, 0}, NULL, NULL},
    {"hpc-jsspp-15k/blue_waters_15k.csv.gz", "jsspp", {15000, 0, 7475097000, 8646, 458578,
     387338638000, 3555191051, 0}, "count", "nodes"},
    {"hpc-jsspp-15k/theta_15k.csv.gz", "jsspp", {15000, 0, 15750788000, 4392, 2375091, 76830053500,
     11724030179, 0}, "count", "nodes"},
    {"alibaba-sim-5k/jobs.csv.gz", "reduced", {5000, 0, 240000, 0, 0, 0, 0, 0}, NULL, NULL},
    {"alibaba-dlrm-2025/disaggregated_DLRM_trace.csv.gz", "dlrm", {23871, 0, 2676636000, 1, 7386,
     0, 0, 16}, NULL, NULL},
    {"alibaba-spot-gpu-2026/agg_heaviest_gpu_jobs_top200.csv", "spot", {200, 0, 0, 0, 0, 0, 0, 0},
     NULL, NULL},
    {"gavel-physical/small_test-durations.csv", "gavel-durations", {20, 0, 0, 0, 0, 0, 0, 0}, NULL,
     NULL},
    {"gavel-physical/small_test.trace", "gavel", {20, 0, 0, 0, 0, 20 * 3600000, 0, 0}, "run_time",
     "1h"},
    {"small-sims/gavel_msr_seed0_ee9e8c.trace.gz", "gavel", {2000, 0, 0, 0, 0, 2000 * 3600000LL, 0,
     0}, "run_time", "1h"},
    {"small-sims/shockwave_120_0.2_5_100_40_25.trace", "gavel", {120, 0, 0, 0, 0, 0, 0, 0}, NULL,
     NULL},
    {"small-sims/shockwave_900_0.2_5_100_5_15.trace", "gavel", {900, 0, 0, 0, 0, 0, 0, 0}, NULL,
     NULL},
    {"small-sims/ones_trace_1.csv", "ones", {400, 0, 0, 0, 0, 400 * 3600000LL, 0, 0}, "run_time",
     "1h"},
    // clang-format on
};

static void count(struct fixture *f, struct counted *c)
{
    *c = (struct counted){.first_ms = INT64_MAX, .last_ms = INT64_MIN};
    while (fixture_next(f) == TRACE_JOB) {
        int64_t gpus = trace_job_gpu_milli(&f->job) / 1000;
        c->jobs++;
        c->first_ms = f->job.submit_ms < c->first_ms ? f->job.submit_ms : c->first_ms;
        c->last_ms = f->job.submit_ms > c->last_ms ? f->job.submit_ms : c->last_ms;
        c->most = gpus > c->most ? gpus : c->most;
        c->gpus += gpus;
        c->run_ms += f->job.duration_ms;
        c->gpu_ms += f->job.duration_ms * gpus;
        c->idle += f->job.duration_ms == 0;
    }
    ck_assert_msg(f->err.code == 0, "%s", f->err.msg);
}

/* Opens a file in the folder of traces; false if it is missing. */
static bool open_shared(struct fixture *f, const char *name, const struct trace_setting *setting)
{
    char path[512], relative[300];
    (void)snprintf(relative, sizeof relative, "traces/%s", name);
    if (!harness_shared(path, sizeof path, relative))
        return false;
    fixture_begin(f);
    struct trace_options options = {.path = path,
                                    .names = f->names,
                                    .sort = true,
                                    .settings = setting,
                                    .setting_count = setting && setting->key};
    ck_assert_msg(trace_open(&f->trace, &options, &f->err), "%s", f->err.msg);
    return true;
}

/* A figure of 0 in the table was not published and is not compared; the others are rounded to the
 * last digit printed. */
static void same(int64_t value, int64_t wanted, int64_t digit, const char *what)
{
    int64_t off = value > wanted ? value - wanted : wanted - value;
    ck_assert_msg(wanted == 0 || off <= digit, "%s: %lld, published %lld", what, (long long)value,
                  (long long)wanted);
}

START_TEST(figures)
{
    const struct counted *wanted = &files[_i].figures;
    const struct trace_setting setting = {files[_i].key, files[_i].value};
    struct fixture f;
    struct counted c;
    if (!open_shared(&f, files[_i].path, &setting))
        return;
    ck_assert_str_eq(trace_format_name(f.trace), files[_i].format);
    count(&f, &c);
    ck_assert_int_eq(c.jobs, wanted->jobs);
    same(c.first_ms, wanted->first_ms, 0, "first submission");
    same(c.last_ms, wanted->last_ms, 0, "last submission");
    same(c.most, wanted->most, 0, "most GPUs");
    same(c.gpus, wanted->gpus, 0, "sum of GPUs");
    same(c.run_ms, wanted->run_ms, 50, "sum of run times");
    same(c.gpu_ms / 3600, wanted->gpu_ms, 1, "GPU time");
    ck_assert_int_eq(c.idle, wanted->idle);
    fixture_close(&f);
}
END_TEST

static const struct {
    const char *folder;
    int files;
    int64_t jobs, last_ms;
} workloads[] = {
    {"philly", 8, 1280, 28775000},
    {"saturn", 10, 1600, 28782000},
    {"newtrace", 10, 9600, 172783690},
    {"rate_10", 10, 800, 28782000},
    {"rate_20", 10, 1600, 28782000},
    {"rate_30", 10, 2400, 28782000},
    {"rate_40", 10, 3200, 28782000},
    {"rate_50", 10, 4000, 28782000},
    {"pollux/workloads", 8, 1280, 0},
    {"pollux/workloads-0.5", 8, 640, 0},
    {"pollux/workloads-1.5", 8, 1920, 0},
    {"pollux/workloads-2.0", 8, 2560, 0},
    {"pollux/workloads-realistic", 8, 1280, 0},
};

/* Workloads of Pollux and Sia: a folder of numbered files each. */
START_TEST(elastic_workloads)
{
    /* They are refused without a run time: it follows from models that are not in the files. */
    const struct trace_setting run_time = {"run_time", "1h"};
    int64_t jobs = 0, last_ms = 0;
    for (int i = 1; i <= workloads[_i].files; i++) {
        char name[200];
        struct fixture f;
        struct counted c;
        (void)snprintf(name, sizeof name, "elastic-pollux-sia/workloads/%s/workload-%d.csv",
                       workloads[_i].folder, i);
        if (!open_shared(&f, name, &run_time))
            return;
        ck_assert_str_eq(trace_format_name(f.trace), "pollux");
        count(&f, &c);
        jobs += c.jobs;
        last_ms = c.last_ms > last_ms ? c.last_ms : last_ms;
        fixture_close(&f);
    }
    ck_assert_int_eq(jobs, workloads[_i].jobs);
    same(last_ms, workloads[_i].last_ms, 5, "last submission");
}
END_TEST

START_TEST(states_of_thetagpu)
{
    struct fixture f;
    int64_t by_status[TRACE_STATUSES] = {0};
    if (!open_shared(&f, "thetagpu-dgx-a100-2023/data_thetagpu.csv.gz", NULL))
        return;
    while (fixture_next(&f) == TRACE_JOB)
        by_status[f.job.status]++;
    ck_assert_int_eq(by_status[TRACE_FAILED], 12531);
    ck_assert_int_eq(by_status[TRACE_COMPLETED], 5524);
    ck_assert_int_eq(by_status[TRACE_CANCELLED], 4551);
    fixture_close(&f);
}
END_TEST

START_TEST(states_of_supercloud)
{
    struct fixture f;
    int64_t by_status[TRACE_STATUSES] = {0}, by_cause[TRACE_CAUSES] = {0}, with_gpus = 0;
    if (!open_shared(&f, "supercloud-2021-sample/slurm_log_sample_9628.csv.gz", NULL))
        return;
    while (fixture_next(&f) == TRACE_JOB) {
        by_status[f.job.status]++;
        by_cause[f.job.cause]++;
        with_gpus += trace_job_gpu_milli(&f.job) > 0;
    }
    ck_assert_int_eq(by_status[TRACE_COMPLETED], 5784);
    ck_assert_int_eq(by_status[TRACE_CANCELLED], 1893);
    ck_assert_int_eq(by_status[TRACE_FAILED], 1077 + 841 + 21 + 12);
    ck_assert_int_eq(by_cause[TRACE_TIMEOUT], 841);
    ck_assert_int_eq(by_cause[TRACE_OUT_OF_MEMORY], 21);
    ck_assert_int_eq(by_cause[TRACE_NODE_FAIL], 12);
    ck_assert_int_eq(with_gpus, 2368);
    fixture_close(&f);
}
END_TEST

START_TEST(pods_of_dlrm)
{
    struct fixture f;
    int64_t starts = 0;
    if (!open_shared(&f, "alibaba-dlrm-2025/disaggregated_DLRM_trace.csv.gz", NULL))
        return;
    while (fixture_next(&f) == TRACE_JOB)
        starts += f.job.start_ms != TRACE_UNKNOWN;
    ck_assert_int_eq(starts, 23871 - 7280);
    ck_assert_uint_eq(fixture_note(&f, "existed before"), 7280);
    ck_assert_uint_eq(fixture_note(&f, "outlived"), 8878);
    ck_assert_uint_eq(symbols_count(f.names.queues), 156);
    fixture_close(&f);
}
END_TEST

/* Non-trace tables in the same folders are refused with a description. */
static const struct {
    const char *path, *what;
} others[] = {
    {"alibaba-lingjun-2023/topo.csv", "a list of hosts"},
    {"alibaba-pai-2020/pai_machine_spec.csv.gz", "a list of machines"},
    {"alibaba-gpu-2023/openb_node_list_gpu_node.csv", "a list of nodes"},
    {"alibaba-spot-gpu-2026/node_info_df.csv", "a list of nodes"},
    {"alibaba-spot-gpu-2026/agg_hourly_summary.csv", "numbers of jobs"},
    {"alibaba-genai-2026/lora_request_trace.csv.gz", "requests to an image"},
    {"azure-llm-2023/AzureLLMInferenceTrace_conv.csv.gz", "requests to a language"},
    {"philly-2017/philly_runtime_alibaba.csv.gz", "run times alone"},
    {"philly-2017/philly_machines_revised.csv", "a list of machines"},
    {"philly-2017/philly_vc_gpus_heliosartifact.csv", "sizes of virtual clusters"},
    {"venus-sept/vcs.csv", "sizes of virtual clusters"},
    {"helios-2020-gpu125k/vc_gpu_quota_by_day.csv", "by day"},
    {"helios-2020-gpu125k/helios_cluster_summary.csv", "a summary of clusters"},
    {"helios-2020-gpu125k/fig_duration_cdf.csv", "a distribution"},
    {"acme-2023-derived/acme_cdf_by_class.csv", "a distribution"},
    {"acme-2023-derived/dcgm_percentiles.csv", "percentiles"},
    {"elastic-pollux-sia/profiles/bert/placements-aws.csv", "measured speeds"},
};

START_TEST(no_traces)
{
    char path[512], relative[300];
    struct fixture f;
    (void)snprintf(relative, sizeof relative, "traces/%s", others[_i].path);
    if (!harness_shared(path, sizeof path, relative))
        return;
    ck_assert(!fixture_open_file(&f, path, false));
    harness_contains(f.err.msg, others[_i].what);
    harness_contains(f.err.msg, "no job trace");
    fixture_close(&f);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("published traces");
    TCase *tcase = tcase_create("published traces");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, figures, 0, ROWS(files));
    tcase_add_loop_test(tcase, elastic_workloads, 0, ROWS(workloads));
    tcase_add_test(tcase, states_of_thetagpu);
    tcase_add_test(tcase, states_of_supercloud);
    tcase_add_test(tcase, pods_of_dlrm);
    tcase_add_loop_test(tcase, no_traces, 0, ROWS(others));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
