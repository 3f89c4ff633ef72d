/* SPDX-License-Identifier: GPL-3.0-or-later */
/* summary.json and queues.csv: all promised keys exist, and the numbers of one run agree. */
#include "tests/report/recorded.h"

#include <math.h>

/* ---- keys ---- */

static const char *const keys[] = {
    "fauxfleet_summary",
    "scenario",
    "scenario_digest",
    "trace_digest",
    "policy",
    "seed",
    "version",
    "makespan_s",
    "jobs.submitted",
    "jobs.completed",
    "jobs.failed",
    "jobs.cancelled",
    "jobs.running",
    "jobs.pending",
    "jobs.never_fits",
    "utilization.availability",
    "utilization.allocation",
    "utilization.occupancy",
    "utilization.goodput_ratio",
    "utilization.fleet_goodput",
    "utilization.sm",
    "gpu_hours.installed",
    "gpu_hours.available",
    "gpu_hours.allocated",
    "gpu_hours.running",
    "gpu_hours.productive",
    "gpu_hours.lost.failure",
    "gpu_hours.lost.preemption",
    "gpu_hours.lost.checkpoint",
    "gpu_hours.lost.restart",
    "gpu_hours.lost.startup",
    "gpu_hours.lost.user",
    "gpu_hours.lost.slowdown",
    "gpu_hours.lost.idle_fragmented",
    "gpu_hours.lost.idle_blocked",
    "gpu_hours.lost.idle_no_demand",
    "gpu_hours.lost.drained",
    "gpu_hours.lost.down",
    "bounded_slowdown.mean",
    "bounded_slowdown.gmean",
    "bounded_slowdown.p95",
    "bounded_slowdown.tau_s",
    "by_class.inference",
    "by_class.batch",
    "fairness.jain",
    "fairness.gini",
    "fairness.min_share",
    "fairness.share_deficit_gpu_h",
    "fairness.quota_satisfaction",
    "fairness.reclaim_p50_s",
    "fairness.reclaim_p95_s",
    "fairness.rho.mean",
    "fairness.rho.p95",
    "fairness.rho.max",
    "fairness.queues.default.entitled_gpu_h",
    "fairness.queues.default.used_gpu_h",
    "preemption.evictions",
    "preemption.jobs",
    "preemption.moves",
    "preemption.lost_gpu_h",
    "preemption.tasks",
    "preemption.by_cause.reclaim",
    "preemption.by_cause.preempt",
    "preemption.by_cause.consolidate",
    "preemption.by_cause.stale",
    "preemption.by_cause.limits",
    "fragmentation.mean_ratio",
    "fragmentation.mean_amount",
    "fragmentation.largest_gang_p5",
    "fragmentation.largest_gang_p50",
    "reliability.node_failures",
    "reliability.job_interruptions",
    "reliability.by_class",
    "reliability.mttf_h_by_size",
    "reliability.ettr",
    "reliability.lost_gpu_h",
    "cost.usd",
    "cost.usd_per_productive_gpu_h",
    "cost.usd_per_work_gpu_h",
    "cost.energy_kwh",
    "cost.idle_usd",
    "fill.curve",
    "fill.failed_tasks",
    "engine.events",
    "engine.decisions",
    "engine.cycles",
    "engine.journal_sha256",
};

static const char *const tallies[] = {
    "wait_s",
    "queue_s",
    "jct_s",
    "by_class.build.wait_s",
    "by_class.build.jct_s",
    "by_class.train.wait_s",
    "by_class.train.jct_s",
    "by_class.distributed.wait_s",
    "by_class.distributed.jct_s",
    "by_size.<1.wait_s",
    "by_size.1.jct_s",
    "by_size.2-7.wait_s",
    "by_size.8.jct_s",
    "by_size.9-63.wait_s",
    "by_size.64-511.jct_s",
    "by_size.512+.wait_s",
    "fairness.queues.default.wait_s",
};
static const char *const of_tally[] = {"mean", "p50", "p90", "p95", "p99", "max", "censored"};

static void one_job(struct recorded *r)
{
    recorded_begin(r, "fifo", "", false);
    small_pool(&r->s, "p", 1, 4);
    small_job(&r->s, "a", 7000, 36000, 2);
    recorded_run(r);
}

START_TEST(every_promised_key_is_there)
{
    struct recorded r;
    one_job(&r);
    for (int i = 0; i < ROWS(keys); i++)
        recorded_at(r.summary, keys[i]);
    for (int i = 0; i < ROWS(tallies); i++)
        for (int k = 0; k < ROWS(of_tally); k++) {
            char path[128];
            (void)snprintf(path, sizeof path, "%s.%s", tallies[i], of_tally[k]);
            recorded_at(r.summary, path);
        }
    recorded_end(&r);
}
END_TEST

START_TEST(the_header_describes_the_run)
{
    struct recorded r;
    one_job(&r);
    ck_assert_str_eq(recorded_at(r.summary, "scenario")->valuestring, "tiny");
    ck_assert_str_eq(recorded_at(r.summary, "scenario_digest")->valuestring,
                     "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
    ck_assert_int_eq(
        strncmp(recorded_at(r.summary, "trace_digest")->valuestring, "sha256:fedc", 11), 0);
    ck_assert_str_eq(recorded_at(r.summary, "policy")->valuestring, "fifo");
    ck_assert_str_eq(recorded_at(r.summary, "version")->valuestring, "9.9");
    char *text = folder_read(&r.folder, "summary.json");
    harness_contains(text, "\"seed\": 18446744073709551614,"); /* every bit of it */
    free(text);
    ck_assert_uint_eq(strlen(recorded_at(r.summary, "engine.journal_sha256")->valuestring), 64);
    recorded_end(&r);
}
END_TEST

START_TEST(one_job_gives_plain_numbers)
{
    struct recorded r;
    one_job(&r);
    static const struct {
        const char *path;
        double value;
    } expected[] = {
        {"jobs.submitted", 1},
        {"jobs.completed", 1},
        {"makespan_s", 36},
        {"utilization.availability", 1},
        {"utilization.allocation", 0.5},
        {"utilization.occupancy", 1},
        {"utilization.goodput_ratio", 1},
        {"utilization.fleet_goodput", 0.5},
        {"gpu_hours.installed", 0.04},
        {"gpu_hours.productive", 0.02},
        {"gpu_hours.lost.idle_no_demand", 0.02},
        {"wait_s.p95", 0},
        {"jct_s.mean", 36},
        {"bounded_slowdown.mean", 1},
        {"bounded_slowdown.gmean", 1},
        {"bounded_slowdown.p95", 1},
        {"bounded_slowdown.tau_s", 60},
        {"by_class.train.jobs", 1},
        {"by_size.2-7.jobs", 1},
        {"by_size.8.jobs", 0},
        {"fairness.jain", 1},
        {"fairness.queues.default.entitled_gpu_h", 0.02},
        {"fairness.queues.default.used_gpu_h", 0.02},
        {"engine.decisions", 1},
        {"engine.events", 2},
        {"engine.cycles", 1},
        {"window.start_s", 7},
        {"window.end_s", 43},
    };
    for (int i = 0; i < ROWS(expected); i++)
        ck_assert_msg(fabs(recorded_number(&r, expected[i].path) - expected[i].value) < 1e-9,
                      "%s is %g, expected %g", expected[i].path,
                      recorded_number(&r, expected[i].path), expected[i].value);
    ck_assert(recorded_null(&r, "utilization.sm"));
    ck_assert(recorded_null(&r, "fill.failed_tasks"));
    ck_assert(recorded_null(&r, "fairness.quota_satisfaction"));
    recorded_end(&r);
}
END_TEST

/*
 * a (36 GPU-s of work, half of it lost at 18 s) gives way to b, which is below its quota; 2 s of
 * grace, 4 s of restart. GPU-s: a 18, hold 2, b 10, restart 4, a 36.
 */
START_TEST(an_eviction_is_seen_everywhere)
{
    struct recorded r;
    recorded_begin(&r, "runai", "", false);
    small_pool(&r.s, "p", 1, 1);
    small_queue(&r.s, "x", 0);
    small_queue(&r.s, "y", 0)->gpu.quota = 1000;
    r.s.config.grace_ms = 2000;
    struct trace_job *a = small_job_of(&r.s, "x", "a", 0, 36000, 1);
    a->checkpoint_ms = 0;
    a->restart_ms = 4000;
    small_job_of(&r.s, "y", "b", 18000, 10000, 1);
    recorded_run(&r);
    static const struct {
        const char *path;
        double value;
    } expected[] = {
        {"makespan_s", 70},
        {"gpu_hours.installed", 70.0 / 3600},
        {"gpu_hours.running", 64.0 / 3600},
        {"gpu_hours.productive", 46.0 / 3600},
        {"gpu_hours.lost.preemption", 18.0 / 3600},
        {"gpu_hours.lost.restart", 4.0 / 3600},
        {"gpu_hours.lost.startup", 2.0 / 3600},
        {"gpu_hours.lost.checkpoint", 0},
        {"utilization.occupancy", 64.0 / 70},
        {"utilization.goodput_ratio", 46.0 / 64},
        {"utilization.fleet_goodput", 46.0 / 70},
        {"queue_s.max", 10},
        {"wait_s.max", 2},
        {"preemption.evictions", 1},
        {"preemption.tasks", 1},
        {"preemption.jobs", 1},
        {"preemption.moves", 0},
        {"preemption.lost_gpu_h", (18.0 + 4) / 3600},
        {"preemption.by_cause.reclaim", 1},
        {"preemption.by_cause.preempt", 0},
        {"fairness.reclaim_p50_s", 2},
        {"fairness.reclaim_p95_s", 2},
        {"fairness.quota_satisfaction", 10.0 / 12},
        {"fairness.queues.y.used_gpu_h", 10.0 / 3600},
    };
    for (int i = 0; i < ROWS(expected); i++)
        ck_assert_msg(fabs(recorded_number(&r, expected[i].path) - expected[i].value) < 1e-6,
                      "%s is %g, expected %g", expected[i].path,
                      recorded_number(&r, expected[i].path), expected[i].value);
    char *timeline = folder_read(&r.folder, "timeline.csv");
    harness_contains(timeline, "\n19,1,1,1,0,0,2,1,"); /* allocated, but no job runs */
    harness_contains(timeline, "\n21,1,1,1,1,1,1,1,");
    harness_contains(timeline, "\n31,1,1,1,0,0,0,0,"); /* restarting */
    free(timeline);
    recorded_end(&r);
}
END_TEST

/* The horizon comes before the first end, and there is no drain. */
START_TEST(nothing_has_ended)
{
    struct recorded r;
    recorded_begin(&r, "fifo", "", false);
    small_pool(&r.s, "p", 1, 4);
    small_job(&r.s, "a", 0, 100000, 4);
    small_job(&r.s, "b", 5000, 100000, 1);
    r.s.config.horizon_ms = 20000;
    r.s.config.drain = false;
    recorded_run(&r);
    ck_assert(recorded_null(&r, "makespan_s"));
    ck_assert(recorded_null(&r, "bounded_slowdown.mean"));
    ck_assert(recorded_null(&r, "bounded_slowdown.gmean"));
    ck_assert(recorded_null(&r, "bounded_slowdown.p95"));
    ck_assert(recorded_null(&r, "jct_s.p50"));
    ck_assert_double_eq(recorded_number(&r, "jct_s.p50_at_least"), 20);
    ck_assert_double_eq(recorded_number(&r, "jobs.running"), 1);
    ck_assert_double_eq(recorded_number(&r, "jobs.pending"), 1);
    ck_assert_double_eq(recorded_number(&r, "wait_s.censored"), 1);
    ck_assert_double_eq(recorded_number(&r, "wait_s.p50"), 0);
    ck_assert(recorded_null(&r, "wait_s.p95"));
    ck_assert_double_eq(recorded_number(&r, "wait_s.p95_at_least"), 15);
    ck_assert_double_eq(recorded_number(&r, "utilization.allocation"), 1);
    recorded_end(&r);
}
END_TEST

/* A window of length 0: no division by it. */
START_TEST(an_empty_window_is_null)
{
    struct recorded r;
    recorded_begin(&r, "fifo", "", false);
    small_pool(&r.s, "p", 1, 4);
    small_job(&r.s, "a", 0, 1000, 4);
    r.s.config.horizon_ms = 0;
    recorded_run(&r);
    static const char *const paths[] = {"makespan_s", "utilization.availability",
                                        "utilization.fleet_goodput", "wait_s.mean",
                                        "fairness.jain"};
    for (int i = 0; i < ROWS(paths); i++)
        ck_assert(recorded_null(&r, paths[i]));
    ck_assert_double_eq(recorded_number(&r, "jobs.submitted"), 0);
    ck_assert_double_eq(recorded_number(&r, "gpu_hours.installed"), 0);
    recorded_end(&r);
}
END_TEST

START_TEST(packing_studies_count_what_they_drop)
{
    struct recorded r;
    recorded_begin(&r, "best-fit", "", true);
    small_pool(&r.s, "p", 1, 4);
    small_job(&r.s, "a", 0, 0, 3);
    static const int64_t order[] = {0, 0, 0};
    ck_assert(small_create(&r.s));
    recorder_fill(r.recorder, r.s.sim, r.s.jobs, r.s.job_count);
    ck_assert(sim_fill(r.s.sim, r.s.jobs, order, ROWS(order), &r.s.err) &&
              sim_finish(r.s.sim, &r.s.err));
    recorded_write(&r);
    ck_assert_double_eq(recorded_number(&r, "jobs.submitted"), 3);
    ck_assert_double_eq(recorded_number(&r, "jobs.failed"), 2);
    ck_assert_double_eq(recorded_number(&r, "jobs.running"), 1);
    ck_assert_double_eq(recorded_number(&r, "fill.failed_tasks"), 2);
    ck_assert_double_eq(recorded_number(&r, "fill.allocated_gpus"), 3);
    ck_assert(recorded_null(&r, "makespan_s"));
    recorded_end(&r);
}
END_TEST

/* ---- numbers that must agree ---- */

static void pending_time(void *self, const struct sim *sim, uint32_t site, int64_t from, int64_t to)
{
    (void)site; /* there is one */
    for (size_t i = 0; i < sim->queue_count; i++)
        *(double *)self += (double)sim->queues[i].pending_jobs * (double)(to - from) / 1000.0;
}

static void random_jobs(struct recorded *r, uint64_t random)
{
    small_pool(&r->s, "p", 3, 8);
    int64_t at = -20000;
    for (int i = 0; i < 200; i++) {
        static const char *const names[] = {"default", "x", "y"};
        struct trace_job *job =
            small_job_of(&r->s, names[small_below(&random, 3)], "j", at,
                         small_below(&random, 200000), small_below(&random, 24));
        job->status = (enum trace_status)small_below(&random, 3);
        job->class = (enum trace_class)small_below(&random, TRACE_CLASSES + 1);
        job->sm_util_ppm = (int32_t)small_below(&random, 1000000);
        at += small_below(&random, 20000);
    }
    r->s.silent = true;
    r->s.config.audit = false;
}

static const char *const options[] = {"", "blocking=skip placement=spread",
                                      "scope=queue placement=count", "placement=consolidated"};

/* Little's law in sums: the total wait of jobs is the queue integrated over time. */
START_TEST(the_sum_of_waits_is_the_queue_over_time)
{
    struct recorded r;
    double queued = 0;
    recorded_begin(&r, _i % 2 == 0 ? "fifo" : "sjf", options[_i % ROWS(options)], false);
    random_jobs(&r, (uint64_t)_i);
    small_observe(&r.s, (struct sim_observer){.self = &queued, .interval = pending_time});
    recorded_run(&r);
    ck_assert_double_eq(recorded_number(&r, "wait_s.censored"), 0);
    ck_assert_double_gt(queued, 1000);
    ck_assert_double_eq_tol(recorded_number(&r, "wait_s.mean") * 200, queued,
                            0.11); /* printed to 0.0005 */
    double run = 0;
    for (size_t i = 0; i < r.s.job_count; i++)
        run += (double)r.s.jobs[i].duration_ms / 1000.0;
    ck_assert_double_eq_tol(recorded_number(&r, "jct_s.mean") * 200, queued + run, 0.11);
    recorded_end(&r);
}
END_TEST

START_TEST(parts_add_up)
{
    struct recorded r;
    recorded_begin(&r, "fifo", options[_i % ROWS(options)], false);
    random_jobs(&r, (uint64_t)_i + 100);
    r.s.config.horizon_ms = 1000000;
    r.s.config.drain = _i % 3 != 0;
    recorded_run(&r);
    double product = 1;
    static const char *const ladder[] = {"availability", "allocation", "occupancy",
                                         "goodput_ratio"};
    for (int i = 0; i < ROWS(ladder); i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "utilization.%s", ladder[i]);
        product *= recorded_number(&r, path);
    }
    ck_assert_double_eq_tol(product, recorded_number(&r, "utilization.fleet_goodput"), 2e-6);
    double lost = 0;
    const cJSON *part;
    cJSON_ArrayForEach(part, recorded_at(r.summary, "gpu_hours.lost")) lost += part->valuedouble;
    ck_assert_double_eq_tol(recorded_number(&r, "gpu_hours.installed") -
                                recorded_number(&r, "gpu_hours.productive"),
                            lost, 1e-5);
    double submitted = recorded_number(&r, "jobs.submitted");
    static const char *const groups[] = {"by_class", "by_size"};
    for (int i = 0; i < ROWS(groups); i++) {
        double jobs = 0;
        cJSON_ArrayForEach(part, recorded_at(r.summary, groups[i])) jobs +=
            recorded_at(part, "jobs")->valuedouble;
        ck_assert_double_eq(jobs, submitted);
    }
    double states = 0;
    cJSON_ArrayForEach(part, recorded_at(r.summary, "jobs")) states += part->valuedouble;
    ck_assert_double_eq(states, 2 * submitted); /* itself among them */
    double jobs = 0;
    double used = 0;
    cJSON_ArrayForEach(part, recorded_at(r.summary, "fairness.queues"))
    {
        jobs += recorded_at(part, "jobs")->valuedouble;
        used += recorded_at(part, "used_gpu_h")->valuedouble;
    }
    ck_assert_double_eq(jobs, submitted);
    ck_assert_double_eq_tol(used, recorded_number(&r, "gpu_hours.allocated"), 1e-5);
    recorded_end(&r);
}
END_TEST

/* ---- queues.csv ---- */

START_TEST(queues_have_a_row_each)
{
    struct recorded r;
    recorded_begin(&r, "fifo", "scope=queue", false);
    small_pool(&r.s, "p", 1, 4);
    struct sim_queue *queue = small_queue(&r.s, "x", 0);
    queue->gpu = (struct policy_share){2500, -1, 1500};
    small_queue(&r.s, "y, z", 0)->gpu.quota = POLICY_UNLIMITED;
    small_queue(&r.s, "idle", 0);
    small_job_of(&r.s, "x", "a", 0, 3600000, 4);
    small_job_of(&r.s, "y, z", "b", 0, 3600000, 4);
    recorded_run(&r);
    char *text = folder_read(&r.folder, "queues.csv");
    /* Both want all in the first hour: y as its quota, x 2.5 of its own, scaled to 6.5 : 4. */
    ck_assert_str_eq(
        text, "queue,jobs,completed,quota_gpus,weight,entitled_gpu_h,used_gpu_h,share,"
              "wait_mean_s,wait_p50_s,wait_p95_s,wait_max_s,"
              "nodes_usd,energy_usd,storage_usd,cost_usd,"
              "quota_cores,entitled_core_h,used_core_h,quota_mem_gib,"
              "entitled_gib_h,used_gib_h,dominant_share\n"
              "x,1,1,2.5,1.5,1.538462,4,2.6,0,0,0,0,,,,,-1,0,0,-1,0,0,0.5\n"
              "\"y, z\",1,1,-1,1,6.461538,4,0.619048,3600,3600,3600,3600,,,,,-1,0,0,-1,0,0,0.5\n"
              "idle,0,0,0,1,0,0,,,,,,,,,,-1,0,0,-1,0,0,0\n");
    free(text);
    recorded_end(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("summary");
    TCase *tcase = tcase_create("keys");
    tcase_add_test(tcase, every_promised_key_is_there);
    tcase_add_test(tcase, the_header_describes_the_run);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("numbers");
    tcase_add_test(tcase, one_job_gives_plain_numbers);
    tcase_add_test(tcase, an_eviction_is_seen_everywhere);
    tcase_add_test(tcase, nothing_has_ended);
    tcase_add_test(tcase, an_empty_window_is_null);
    tcase_add_test(tcase, packing_studies_count_what_they_drop);
    tcase_add_loop_test(tcase, the_sum_of_waits_is_the_queue_over_time, 0, 8);
    tcase_add_loop_test(tcase, parts_add_up, 0, 12);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("queues");
    tcase_add_test(tcase, queues_have_a_row_each);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
