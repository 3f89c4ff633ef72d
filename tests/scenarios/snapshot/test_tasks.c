/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks of snapshots: requests, places, order, gangs with missing tasks. */
#include "scenarios/snapshot/snapshot.h"
#include "tests/scenarios/snapshots.h"

// clang-format off
static const struct {
    const char *keys;
    int32_t devices, milli;
    int64_t mem, gpu_milli; // its weight
} requests[] = {
    {"\"gpus\": 0", 0, 0, 0, 0},
    {"\"gpus\": 8", 8, 0, 0, 8000},
    {"\"gpus\": 2, \"devices_wanted\": 5", 2, 0, 0, 2000},
    {"\"devices_wanted\": 0", 0, 0, 0, 0},
    {"\"gpu_milli\": 500", 1, 500, 0, 500},
    {"\"gpu_milli\": 250, \"devices_wanted\": 3", 3, 250, 0, 750},
    {"\"gpu_milli\": 1000, \"devices_wanted\": 2", 2, 1000, 0, 2000},
    {"\"gpu_mem_mib\": 4096, \"devices_wanted\": 2", 2, 0, 4096, 0},
    {"\"mig\": {\"3g.40gb\": 1, \"1g.10gb\": 2}", 0, 0, 0, 5000},
    {"\"mig\": {\"3g.40gb\": 0}, \"gpus\": 1", 1, 0, 0, 1000},
};
// clang-format on

START_TEST(requests_are_read)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   JOB("\"tasks\": [{\"id\": \"t\", \"cpu_milli\": 3, \"mem_mib\": 4, %s}]"),
                   requests[_i].keys);
    struct snapshot *s = load_snapshot(text);
    const struct snap_request *request = &s->jobs[0].tasks[0].request;
    ck_assert_int_eq(request->devices, requests[_i].devices);
    ck_assert_int_eq(request->device_milli, requests[_i].milli);
    ck_assert_int_eq(request->device_mem_mib, requests[_i].mem);
    ck_assert_int_eq(request->cpu_milli, 3);
    ck_assert_int_eq(request->mem_mib, 4);
    ck_assert_int_eq(snap_gpu_milli(request), requests[_i].gpu_milli);
    snapshot_destroy(s);
}
END_TEST

START_TEST(labels_become_terms_by_key)
{
    struct snapshot *s = load_snapshot(
        JOB("\"tasks\": [{\"id\": \"t\", \"node_labels\": {\"zone\": \"b\", \"arch\": \"x\"},"
            " \"node_affinity\": {\"zone\": [\"b\", \"a\"], \"pool\": []}, \"gpu_types\": "
            "\"a100|h100\"}]"));
    const struct snap_request *request = &s->jobs[0].tasks[0].request;
    static const char *const keys[] = {"arch", "pool", "zone", "zone"};
    static const size_t counts[] = {1, 0, 1, 2};
    ck_assert_uint_eq(request->term_count, ROWS(keys));
    for (int i = 0; i < ROWS(keys); i++) {
        ck_assert_str_eq(request->terms[i].key, keys[i]);
        ck_assert_uint_eq(request->terms[i].value_count, counts[i]);
    }
    ck_assert_str_eq(request->terms[3].values[0], "a");
    ck_assert_str_eq(request->gpu_types, "a100|h100");
    snapshot_destroy(s);
    s = load_snapshot(JOB("\"tasks\": [{\"id\": \"t\", \"node_affinity\": null}]"));
    ck_assert_uint_eq(s->jobs[0].tasks[0].request.term_count, 0);
    snapshot_destroy(s);
}
END_TEST

START_TEST(tasks_come_by_role_priority_and_id)
{
    struct snapshot *s = load_snapshot(
        JOB("\"tasks\": [{\"id\": \"t-2\", \"role\": \"b\"}, {\"id\": \"t-10\", \"role\": \"b\"},"
            " {\"id\": \"t-3\", \"role\": \"b\", \"priority\": 1}, {\"id\": \"z\", \"role\": "
            "\"a\", \"priority\": -1}]"));
    static const char *const order[] = {"z", "t-3", "t-10", "t-2"};
    ck_assert_uint_eq(s->jobs[0].task_count, ROWS(order));
    for (int i = 0; i < ROWS(order); i++)
        ck_assert_str_eq(s->jobs[0].tasks[i].id, order[i]);
    snapshot_destroy(s);
}
END_TEST

START_TEST(a_gang_that_lacks_tasks_has_a_gated_one_without_an_id)
{
    struct snapshot *s =
        load_snapshot(JOB("\"roles\": [{\"name\": \"a\", \"min_tasks\": 5}, {\"name\": \"b\"}, "
                          "{\"name\": \"c\", \"min_tasks\": 1}],"
                          "\"tasks\": [{\"id\": \"x\", \"role\": \"a\", \"priority\": -5}, "
                          "{\"id\": \"y\", \"role\": \"c\"}]"));
    const struct snap_job *job = &s->jobs[0];
    static const struct {
        const char *id;
        uint32_t role;
        enum snap_task_state state;
    } expected[] = {
        {"x", 0, SNAP_PENDING},
        {NULL, 0, SNAP_GATED},
        {NULL, 1, SNAP_GATED},
        {"y", 2, SNAP_PENDING},
    };
    ck_assert_uint_eq(job->task_count, ROWS(expected));
    for (int i = 0; i < ROWS(expected); i++) {
        ck_assert_msg((job->tasks[i].id == NULL) == (expected[i].id == NULL), "task %d", i);
        ck_assert_uint_eq(job->tasks[i].role, expected[i].role);
        ck_assert_int_eq(job->tasks[i].state, expected[i].state);
    }
    ck_assert_int_eq(job->roles[0].min_tasks, 5);
    ck_assert_uint_eq(job->roles[0].tasks, 2);
    ck_assert_uint_eq(job->roles[2].first_task, 3);
    snapshot_destroy(s);
}
END_TEST

START_TEST(places_are_read_where_a_task_holds_something)
{
    struct snapshot *s = load_snapshot(
        JOB("\"tasks\": [{\"id\": \"a\", \"state\": \"running\", \"node\": \"n10\", \"devices\": "
            "[7, 0], \"gpus\": 2},"
            " {\"id\": \"b\", \"state\": \"releasing\", \"node\": \"n2\"},"
            " {\"id\": \"c\", \"state\": \"failed\", \"node\": \"gone\", \"devices\": [3]},"
            " {\"id\": \"d\", \"state\": \"pending\", \"node\": \"gone\"}]"));
    const struct snap_task *tasks = s->jobs[0].tasks;
    ck_assert_uint_eq(tasks[0].node, 1);
    ck_assert_uint_eq(tasks[0].devices, 0x81);
    ck_assert_uint_eq(tasks[1].node, 0);
    ck_assert_uint_eq(tasks[2].node, SNAP_NONE);
    ck_assert_uint_eq(tasks[2].devices, 0);
    ck_assert(snap_holds(&tasks[1]) && !snap_holds(&tasks[3]) && snap_over(&tasks[2]));
    snapshot_destroy(s);
}
END_TEST

#define RUNS(keys) "{\"id\": \"t\", \"state\": \"running\", \"node\": \"n2\", " keys "}"
static const struct {
    const char *tasks, *part;
} refused[] = {
    {"{\"id\": \"t\"},\n{\"id\": \"t\"}", "jobs[0].tasks: there are two tasks of the id 't'"},
    {"{\"gpus\": 1}", "jobs[0].tasks[0]: the key 'id' is missing"},
    {"{\"id\": \"t\", \"gpus\": 1, \"gpu_milli\": 5}",
     "jobs[0].tasks[0]: give either 'gpus' or 'gpu_milli', not both"},
    {"{\"id\": \"t\", \"gpu_mem_mib\": 1, \"mig\": {\"1g.5gb\": 1}}",
     "give either 'gpu_mem_mib' or 'mig', not both"},
    {"{\"id\": \"t\", \"gpu_milli\": 500, \"devices_wanted\": 0}",
     "devices_wanted: expected at least 1 for 'gpu_milli', got 0"},
    {"{\"id\": \"t\", \"gpu_milli\": 1001}",
     "jobs[0].tasks[0].gpu_milli: expected an integer from 0 to 1000, got 1001"},
    {"{\"id\": \"t\", \"mig\": {\"6g.5gb\": 1}}",
     "jobs[0].tasks[0]: mig: '6g.5gb' is not a MIG profile"},
    {"{\"id\": \"s\"}, {\"id\": \"t\", \"state\": \"running\"}",
     "jobs[0].tasks[1]: the task runs, so it needs a 'node'"},
    {"{\"id\": \"t\", \"state\": \"releasing\"}",
     "the task is being released, so it needs a 'node'"},
    {"{\"id\": \"t\", \"state\": \"running\", \"node\": \"n01\"}",
     "jobs[0].tasks[0]: unknown node 'n01', did you mean"},
    {RUNS("\"gpus\": 1, \"devices\": [4]"),
     "devices: the node 'n2' has 4 devices, numbered from 0"},
    {RUNS("\"gpus\": 2, \"devices\": [1]"), "devices: expected the 2 that it holds, got 1"},
    {RUNS("\"gpu_milli\": 500"), "devices: expected the 1 that it holds, got 0"},
    {RUNS("\"gpu_mem_mib\": 50, \"devices_wanted\": 2, \"devices\": [0]"),
     "devices: expected the 2 that it holds, got 1"},
    {RUNS("\"devices\": [1]"), "devices: expected the 0 that it holds, got 1"},
};

START_TEST(wrong_tasks_are_refused)
{
    char text[1024];
    (void)snprintf(text, sizeof text, JOB("\"tasks\": [%s]"), refused[_i].tasks);
    refuse_snapshot(text, refused[_i].part);
}
END_TEST

START_TEST(roles_of_tasks_have_to_exist)
{
    refuse_snapshot(JOB("\"roles\": [{\"name\": \"ps\"}, {\"name\": \"worker\"}], \"tasks\": "
                        "[{\"id\": \"t\", \"role\": \"wroker\"}]"),
                    "jobs[0].tasks[0]: unknown role 'wroker', did you mean 'worker'?");
    refuse_snapshot(JOB("\"roles\": [{\"name\": \"ps\"}, {\"name\": \"worker\"}], \"tasks\": "
                        "[{\"id\": \"t\"}]"),
                    "jobs[0].tasks[0]: the key 'role' is missing: the job has 2 roles");
    struct snapshot *s =
        load_snapshot(JOB("\"roles\": [{\"name\": \"ps\"}], \"tasks\": [{\"id\": \"t\"}]"));
    ck_assert_uint_eq(s->jobs[0].tasks[0].role, 0);
    snapshot_destroy(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("snapshot_tasks");
    TCase *tcase = tcase_create("tasks");
    tcase_add_loop_test(tcase, requests_are_read, 0, ROWS(requests));
    tcase_add_test(tcase, labels_become_terms_by_key);
    tcase_add_test(tcase, tasks_come_by_role_priority_and_id);
    tcase_add_test(tcase, a_gang_that_lacks_tasks_has_a_gated_one_without_an_id);
    tcase_add_test(tcase, places_are_read_where_a_task_holds_something);
    tcase_add_loop_test(tcase, wrong_tasks_are_refused, 0, ROWS(refused));
    tcase_add_test(tcase, roles_of_tasks_have_to_exist);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
