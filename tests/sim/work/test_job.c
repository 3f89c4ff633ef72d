/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs in flight: the table, and how a job of a trace becomes a request. */
#include "sim/work/job.h"
#include "tests/lib/harness.h"
#include "traces/trace_internal.h"

#include <stdio.h>
#include <string.h>

/* ---- requests ---- */

static const struct {
    int64_t total; /* the column `gpus`, or -1: tasks x gpus x milli */
    int32_t tasks, gpus, milli;
    int node_gpus;
    bool counts;
    int roles; /* expected, as roles of tasks x devices x thousandths */
    int32_t tasks_0, devices_0, milli_0, tasks_1, devices_1;
} splits[] = {
    {0,    1, 0,  0,   8, false, 1, 1,    0,  0,   0, 0},
    {1,    1, 0,  0,   8, false, 1, 1,    1,  0,   0, 0},
    {8,    1, 0,  0,   8, false, 1, 1,    8,  0,   0, 0},
    {9,    1, 0,  0,   8, false, 2, 1,    8,  0,   1, 1},
    {16,   1, 0,  0,   8, false, 1, 2,    8,  0,   0, 0},
    {23,   1, 0,  0,   8, false, 2, 2,    8,  0,   1, 7},
    {5,    1, 0,  0,   1, false, 1, 5,    1,  0,   0, 0},
    {7,    1, 0,  0,   4, false, 2, 1,    4,  0,   1, 3},
    {8,    1, 0,  0,   8, true,  1, 1,    8,  0,   0, 0},
    {23,   1, 0,  0,   8, true,  1, 23,   1,  0,   0, 0},
    {2048, 1, 0,  0,   8, true,  1, 2048, 1,  0,   0, 0},
    {4,    1, 0,  0,   0, false, 1, 1,    4,  0,   0, 0}, /* no devices anywhere: asked for as it is */
    {130,  1, 0,  0,   0, false, 1, 3,    64, 0,   0, 0},
    {-1,   1, 8,  0,   8, false, 1, 1,    8,  0,   0, 0},
    {-1,   4, 8,  0,   8, false, 1, 4,    8,  0,   0, 0},
    {-1,   1, 1,  250, 8, false, 1, 1,    1,  250, 0, 0},
    {-1,   3, 2,  500, 8, true,  1, 3,    2,  500, 0, 0},
    {-1,   2, 16, 0,   8, false, 1, 2,    16, 0,   0, 0}, /* tasks are never split */
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
    ck_assert_int_eq(work_roles(&job, splits[_i].node_gpus, splits[_i].counts, roles), splits[_i].roles);
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
    {TRACE_CLASS_UNSET, 8,  8, TRACE_TRAIN,       50 },
    {TRACE_CLASS_UNSET, 9,  8, TRACE_DISTRIBUTED, 50 },
    {TRACE_CLASS_UNSET, 0,  8, TRACE_TRAIN,       50 },
    {TRACE_CLASS_UNSET, 2,  1, TRACE_DISTRIBUTED, 50 },
    {TRACE_BUILD,       64, 8, TRACE_BUILD,       100},
    {TRACE_TRAIN,       64, 8, TRACE_TRAIN,       50 },
    {TRACE_DISTRIBUTED, 1,  8, TRACE_DISTRIBUTED, 50 },
    {TRACE_INFERENCE,   1,  8, TRACE_INFERENCE,   125},
    {TRACE_BATCH,       1,  8, TRACE_BATCH,       50 },
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

/* What cannot be simulated yet, or could never be, is an input error that names the job. */
static const struct {
    const char *mig, *after, *topology;
    int64_t memory, total;
    int32_t min_tasks, max_tasks, gpus;
    const char *message;
} asks[] = {
    {"",        "",  "",     0,  -1,         1, 1, 1,  NULL                 },
    {"",        "",  "",     0,  1024000000, 1, 1, 0,  NULL                 },
    {"3g.40gb", "",  "",     0,  -1,         1, 1, 0,  "MIG"                },
    {"",        "x", "",     0,  -1,         1, 1, 1,  "wait for"           },
    {"",        "",  "rack", 0,  -1,         1, 1, 1,  "topology"           },
    {"",        "",  "",     10, -1,         1, 1, 1,  "GPU memory"         },
    {"",        "",  "",     0,  -1,         1, 2, 1,  "elastic"            },
    {"",        "",  "",     0,  -1,         0, 1, 1,  "elastic"            },
    {"",        "",  "",     0,  1024000001, 1, 1, 0,  "1024000001 GPUs"    },
    {"",        "",  "",     0,  -1,         1, 1, 64, NULL                 },
    {"",        "",  "",     0,  -1,         1, 1, 65, "65 GPUs on one node"},
};

START_TEST(what_cannot_be_done_is_refused)
{
    struct trace_job job;
    struct err err = {0};
    trace_job_init(&job);
    job.id = "j7";
    job.row = 41;
    job.mig = asks[_i].mig;
    job.after = asks[_i].after;
    job.topology_required = asks[_i].topology;
    job.gpu_mem_mib = asks[_i].memory;
    job.gpus_total = asks[_i].total;
    job.min_tasks = asks[_i].min_tasks;
    job.max_tasks = asks[_i].max_tasks;
    job.gpus = asks[_i].gpus;
    ck_assert_int_eq(work_supported(&job, &err), asks[_i].message == NULL);
    if (asks[_i].message == NULL)
        return;
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, asks[_i].message);
    harness_contains(err.msg, "job 'j7' (row 42");
}
END_TEST

/* ---- the table ---- */

START_TEST(places_are_used_again_clean)
{
    struct work_table table;
    work_init(&table);
    char id[64] = "a name that is much longer than the short ones";
    struct work_job *job = work_add(&table, (policy_job){3, 1}, id);
    id[0] = 'X'; /* the table has its copy */
    ck_assert_str_eq(work_id(job), "a name that is much longer than the short ones");
    ck_assert_int_eq(job->state, WORK_PENDING);
    ck_assert_int_eq(job->first_start_ms, WORK_NEVER);
    job->placed = 5;
    job->gpu_milli = 9;
    work_add_task(&table, job, &(struct work_task){.node = 1});
    work_remove(&table, job);
    job = work_add(&table, (policy_job){3, 2}, "short");
    ck_assert_str_eq(work_id(job), "short");
    ck_assert_int_eq(job->placed, 0);
    ck_assert_int_eq(job->gpu_milli, 0);
    ck_assert_uint_eq(job->first_task, WORK_NONE);
    work_fini(&table);
}
END_TEST

START_TEST(ids_of_every_length_are_kept)
{
    struct work_table table;
    work_init(&table);
    char id[2 * WORK_SHORT_ID + 1];
    for (uint32_t n = 0; n < sizeof id; n++) {
        memset(id, 'x', n);
        id[n] = '\0';
        ck_assert_str_eq(work_id(work_add(&table, (policy_job){n, 0}, id)), id);
    }
    for (uint32_t n = 0; n < sizeof id; n++)
        ck_assert_uint_eq(strlen(work_id(&table.jobs[n])), n);
    work_fini(&table);
}
END_TEST

static void check_tasks(const struct work_table *table, const struct work_job *job, uint32_t first,
                        uint32_t count)
{
    uint32_t seen = 0;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = table->tasks[id].next)
        ck_assert_uint_eq(table->tasks[id].node, first + seen++);
    ck_assert_uint_eq(seen, count);
}

START_TEST(tasks_keep_their_order)
{
    struct work_table table;
    work_init(&table);
    work_add(&table, (policy_job){0, 0}, "a");
    work_add(&table, (policy_job){1, 0}, "b");
    struct work_job *a = &table.jobs[0];
    struct work_job *b = &table.jobs[1];
    for (uint32_t i = 0; i < 20; i++) { /* interleaved: each list has its own links */
        work_add_task(&table, a, &(struct work_task){.node = i});
        work_add_task(&table, b, &(struct work_task){.node = 100 + i});
    }
    check_tasks(&table, a, 0, 20);
    check_tasks(&table, b, 100, 20);
    size_t most = table.task_count;
    work_drop_tasks(&table, a);
    check_tasks(&table, a, 0, 0);
    for (uint32_t i = 0; i < 20; i++)
        work_add_task(&table, a, &(struct work_task){.node = 500 + i});
    ck_assert_uint_eq(table.task_count, most); /* freed places were used */
    check_tasks(&table, a, 500, 20);
    check_tasks(&table, b, 100, 20);
    work_fini(&table);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("job");
    TCase *tcase = tcase_create("requests");
    tcase_add_loop_test(tcase, gpus_become_roles, 0, ROWS(splits));
    tcase_add_test(tcase, splitting_loses_no_gpu);
    tcase_add_loop_test(tcase, class_and_priority_have_defaults, 0, ROWS(classes));
    tcase_add_loop_test(tcase, what_cannot_be_done_is_refused, 0, ROWS(asks));
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("table");
    tcase_add_test(tcase, places_are_used_again_clean);
    tcase_add_test(tcase, ids_of_every_length_are_kept);
    tcase_add_test(tcase, tasks_keep_their_order);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
