/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a job of a trace becomes a request: roles, class, priority, checkpoints. */
#include "sim/work/request.h"
#include "tests/lib/harness.h"
#include "traces/trace_internal.h"

#include <math.h>

static const struct {
    int64_t total; /* the column `gpus`, or -1: tasks x gpus x milli */
    int32_t tasks, gpus, milli;
    int node_gpus;
    bool counts;
    int roles; /* expected, as roles of tasks x devices x thousandths */
    int32_t tasks_0, devices_0, milli_0, tasks_1, devices_1;
} splits[] = {
    {0, 1, 0, 0, 8, false, 1, 1, 0, 0, 0, 0},
    {1, 1, 0, 0, 8, false, 1, 1, 1, 0, 0, 0},
    {8, 1, 0, 0, 8, false, 1, 1, 8, 0, 0, 0},
    {9, 1, 0, 0, 8, false, 2, 1, 8, 0, 1, 1},
    {16, 1, 0, 0, 8, false, 1, 2, 8, 0, 0, 0},
    {23, 1, 0, 0, 8, false, 2, 2, 8, 0, 1, 7},
    {5, 1, 0, 0, 1, false, 1, 5, 1, 0, 0, 0},
    {7, 1, 0, 0, 4, false, 2, 1, 4, 0, 1, 3},
    {8, 1, 0, 0, 8, true, 1, 1, 8, 0, 0, 0},
    {23, 1, 0, 0, 8, true, 1, 23, 1, 0, 0, 0},
    {2048, 1, 0, 0, 8, true, 1, 2048, 1, 0, 0, 0},
    {4, 1, 0, 0, 0, false, 1, 1, 4, 0, 0, 0}, /* no devices anywhere: the request is unchanged */
    {130, 1, 0, 0, 0, false, 1, 3, 64, 0, 0, 0},
    {-1, 1, 8, 0, 8, false, 1, 1, 8, 0, 0, 0},
    {-1, 4, 8, 0, 8, false, 1, 4, 8, 0, 0, 0},
    {-1, 1, 1, 250, 8, false, 1, 1, 1, 250, 0, 0},
    {-1, 3, 2, 500, 8, true, 1, 3, 2, 500, 0, 0},
    {-1, 2, 16, 0, 8, false, 1, 2, 16, 0, 0, 0}, /* tasks are never split */
};

START_TEST(gpus_become_roles)
{
    struct trace_job job;
    trace_job_init(&job);
    job.gpus_total = splits[_i].total;
    job.tasks = job.min_tasks = job.max_tasks = splits[_i].tasks;
    job.gpus = splits[_i].gpus;
    job.gpu_milli = splits[_i].milli;
    job.cpu_milli = 1500;
    job.mem_mib = 77;
    job.gpu_types = 6;
    struct policy_role roles[2];
    ck_assert_int_eq(work_roles(&job, splits[_i].node_gpus, splits[_i].counts, roles),
                     splits[_i].roles);
    ck_assert_int_eq(roles[0].tasks, splits[_i].tasks_0);
    ck_assert_int_eq(roles[0].request.devices, splits[_i].devices_0);
    ck_assert_int_eq(roles[0].request.device_milli, splits[_i].milli_0);
    if (splits[_i].roles == 2) {
        ck_assert_int_eq(roles[1].tasks, splits[_i].tasks_1);
        ck_assert_int_eq(roles[1].request.devices, splits[_i].devices_1);
    }
    for (int i = 0; i < splits[_i].roles; i++) {
        ck_assert_uint_eq(roles[i].size, sizeof roles[i]);
        ck_assert_int_eq(roles[i].min_tasks, roles[i].tasks);
        ck_assert_int_eq(roles[i].request.cpu_milli, 1500);
        ck_assert_int_eq(roles[i].request.mem_mib, 77);
        ck_assert_uint_eq(roles[i].request.types, 6);
    }
}
END_TEST

START_TEST(splitting_loses_no_gpu)
{
    for (int node = 1; node <= POLICY_MAX_DEVICES; node++)
        for (int64_t total = 0; total <= 300; total++) {
            struct trace_job job;
            trace_job_init(&job);
            job.gpus_total = total;
            struct policy_role roles[2];
            int n = work_roles(&job, node, false, roles);
            int64_t sum = (int64_t)roles[0].tasks * roles[0].request.devices;
            sum += n == 2 ? (int64_t)roles[1].tasks * roles[1].request.devices : 0;
            ck_assert_int_eq(sum, total);
            ck_assert_int_le(roles[0].request.devices, node);
        }
}
END_TEST

static const struct {
    enum trace_class recorded;
    int64_t gpus;
    int node_gpus;
    enum trace_class class;
    int32_t priority;
} classes[] = {
    {TRACE_CLASS_UNSET, 8, 8, TRACE_TRAIN, 50},
    {TRACE_CLASS_UNSET, 9, 8, TRACE_DISTRIBUTED, 50},
    {TRACE_CLASS_UNSET, 0, 8, TRACE_TRAIN, 50},
    {TRACE_CLASS_UNSET, 2, 1, TRACE_DISTRIBUTED, 50},
    {TRACE_BUILD, 64, 8, TRACE_BUILD, 100},
    {TRACE_TRAIN, 64, 8, TRACE_TRAIN, 50},
    {TRACE_DISTRIBUTED, 1, 8, TRACE_DISTRIBUTED, 50},
    {TRACE_INFERENCE, 1, 8, TRACE_INFERENCE, 125},
    {TRACE_BATCH, 1, 8, TRACE_BATCH, 50},
};

START_TEST(class_and_priority_have_defaults)
{
    struct trace_job job;
    trace_job_init(&job);
    job.class = classes[_i].recorded;
    job.gpus_total = classes[_i].gpus;
    enum trace_class class = work_class(&job, classes[_i].node_gpus);
    ck_assert_int_eq(class, classes[_i].class);
    ck_assert_int_eq(work_priority(&job, class), classes[_i].priority);
    job.priority = -7;
    ck_assert_int_eq(work_priority(&job, class), -7);
}
END_TEST

/* Jobs that could never be simulated are input errors that name the job. */
static const struct {
    int64_t total;
    int32_t gpus;
    const char *message;
} asks[] = {
    {-1, 1, NULL},  {1024000000, 0, NULL},           {1024000001, 0, "1024000001 GPUs"},
    {-1, 64, NULL}, {-1, 65, "65 GPUs on one node"},
};

START_TEST(impossible_requests_are_refused)
{
    struct trace_job job;
    struct err err = {0};
    trace_job_init(&job);
    job.id = "j7";
    job.row = 41;
    job.gpus_total = asks[_i].total;
    job.gpus = asks[_i].gpus;
    ck_assert_int_eq(work_supported(&job, &err), asks[_i].message == NULL);
    if (asks[_i].message == NULL)
        return;
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, asks[_i].message);
    harness_contains(err.msg, "job 'j7' (row 42");
}
END_TEST

START_TEST(elastic_jobs_are_one_role)
{
    struct trace_job job;
    trace_job_init(&job);
    job.gpus_total = TRACE_UNKNOWN;
    job.gpus = 2;
    job.gpu_mem_mib = 5000;
    job.min_tasks = 2;
    job.tasks = 4;
    job.max_tasks = 6;
    struct policy_role roles[2];
    ck_assert_int_eq(work_roles(&job, 8, false, roles), 1);
    ck_assert_int_eq(roles[0].tasks, 6);
    ck_assert_int_eq(roles[0].min_tasks, 2);
    ck_assert_int_eq(roles[0].request.devices, 2);
    ck_assert_int_eq(roles[0].request.device_mem_mib, 5000);
}
END_TEST

/* ---- checkpoints ---- */

#define NONE TRACE_UNKNOWN

/* The job's own values first, then the scenario's, for work that can be lost; seconds. */
static const struct {
    const char *what;
    enum trace_class class;
    int64_t own[3]; /* interval, write, restart */
    bool given;     /* 3600, 30, 300 */
    bool loses;
    int64_t interval, write, restart;
} checkpoints[] = {
    {"nothing is said: nothing is lost", TRACE_TRAIN, {NONE, NONE, NONE}, false, false, 0, 0, 0},
    {"the scenario's, for training", TRACE_TRAIN, {NONE, NONE, NONE}, true, true, 3600, 30, 300},
    {"for gangs", TRACE_DISTRIBUTED, {NONE, NONE, NONE}, true, true, 3600, 30, 300},
    {"for batch work", TRACE_BATCH, {NONE, NONE, NONE}, true, true, 3600, 30, 300},
    {"not for sessions", TRACE_BUILD, {NONE, NONE, NONE}, true, false, 0, 0, 0},
    {"nor for services", TRACE_INFERENCE, {NONE, NONE, NONE}, true, false, 0, 0, 0},
    {"its own interval", TRACE_TRAIN, {600, NONE, NONE}, true, true, 600, 30, 300},
    {"its own, and no others", TRACE_TRAIN, {600, NONE, NONE}, false, true, 600, 0, 0},
    {"all its own", TRACE_TRAIN, {600, 5, 7}, true, true, 600, 5, 7},
    {"a session that says so can lose", TRACE_BUILD, {600, 5, 7}, true, true, 600, 5, 7},
    {"a restart alone loses nothing", TRACE_TRAIN, {NONE, NONE, 7}, false, false, 0, 0, 7},
    {"no checkpoints at all", TRACE_TRAIN, {0, NONE, NONE}, false, true, 0, 0, 0},
};

START_TEST(checkpoints_have_defaults)
{
    const struct work_checkpoints defaults = {.given = checkpoints[_i].given,
                                              .interval_ms = 3600000,
                                              .write_ms = 30000,
                                              .restart_ms = 300000,
                                              .on_evict = true};
    struct trace_job from;
    struct err err = {0};
    trace_job_init(&from);
    from.duration_ms = 86400000;
    from.checkpoint_ms = checkpoints[_i].own[0] == NONE ? NONE : checkpoints[_i].own[0] * 1000;
    from.checkpoint_write_ms =
        checkpoints[_i].own[1] == NONE ? NONE : checkpoints[_i].own[1] * 1000;
    from.restart_ms = checkpoints[_i].own[2] == NONE ? NONE : checkpoints[_i].own[2] * 1000;
    for (int elastic = 0; elastic < 2; elastic++) {
        struct work_job job = {.class = (uint8_t)checkpoints[_i].class, .elastic = elastic};
        from.tasks = job.recorded_tasks = elastic ? 5 : 1;
        ck_assert(work_set_progress(&job, &from, &defaults, &err));
        ck_assert_int_eq(job.loses, checkpoints[_i].loses);
        ck_assert_int_eq(job.progress.total, 86400000 * from.tasks);
        ck_assert_int_eq(job.progress.interval, checkpoints[_i].interval * 1000 * from.tasks);
        ck_assert_int_eq(job.progress.write_ms, checkpoints[_i].write * 1000);
        ck_assert_int_eq(job.progress.restart_ms, checkpoints[_i].restart * 1000);
    }
}
END_TEST

/* A node that stops once in 90 days, 30 nodes: M = 3 days. Minutes; by hand from the formulas. */
static const struct {
    enum work_interval rule;
    double write, stall; /* stall < 0: the write blocks */
    double days;         /* between stops of a node; 0: none */
    double expected;
} fits[] = {
    {WORK_INTERVAL_YOUNG, 2, -1, 90, 131.4534137}, /* sqrt(2 x 2 x 4320) */
    {WORK_INTERVAL_DALY, 2, -1, 90,
     130.1234615}, /* 131.4534 (1 + sqrt(2/8640)/3 + (2/8640)/9) - 2 */
    {WORK_INTERVAL_YOUNG, 2, 0.5, 90, 65.7267068}, /* the cost is half a minute */
    {WORK_INTERVAL_YOUNG, 0, -1, 90, 1.0 / 60000}, /* as often as the unit allows */
    {WORK_INTERVAL_DALY, 2, -1, 0, 0},             /* never */
    {WORK_INTERVAL_GIVEN, 2, -1, 90, 60},
};

START_TEST(intervals_fit_the_job)
{
    struct work_checkpoints c = {.rule = fits[_i].rule,
                                 .failures_per_ms =
                                     fits[_i].days > 0 ? 1 / (fits[_i].days * 86400000) : 0,
                                 .interval_ms = 3600000,
                                 .write_ms = (int64_t)(fits[_i].write * 60000),
                                 .async = fits[_i].stall >= 0,
                                 .stall_ms = (int64_t)(fits[_i].stall * 60000)};
    work_fit_interval(&c, 30);
    ck_assert_msg(fabs((double)c.interval_ms - fits[_i].expected * 60000) <= 0.5,
                  "%lld ms, not %.1f", (long long)c.interval_ms, fits[_i].expected * 60000);
}
END_TEST

START_TEST(work_beyond_all_clocks_is_refused)
{
    const struct work_checkpoints defaults = {.given = false};
    struct trace_job from;
    struct err err = {0};
    struct work_job job = {.elastic = true, .recorded_tasks = 1000000};
    trace_job_init(&from);
    from.duration_ms = INT64_C(1000000000000000);
    from.tasks = 1000000;
    ck_assert(!work_set_progress(&job, &from, &defaults, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, "100 million years");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("request");
    TCase *tcase = tcase_create("requests");
    tcase_add_loop_test(tcase, gpus_become_roles, 0, ROWS(splits));
    tcase_add_test(tcase, splitting_loses_no_gpu);
    tcase_add_loop_test(tcase, class_and_priority_have_defaults, 0, ROWS(classes));
    tcase_add_loop_test(tcase, impossible_requests_are_refused, 0, ROWS(asks));
    tcase_add_test(tcase, elastic_jobs_are_one_role);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("checkpoints");
    tcase_add_loop_test(tcase, checkpoints_have_defaults, 0, ROWS(checkpoints));
    tcase_add_loop_test(tcase, intervals_fit_the_job, 0, ROWS(fits));
    tcase_add_test(tcase, work_beyond_all_clocks_is_refused);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
