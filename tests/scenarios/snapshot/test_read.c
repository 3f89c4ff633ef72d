/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading snapshots: versions, defaults, the policy, topologies and constraints, ages, errors with
 * places. */
#include "scenarios/snapshot/snapshot.h"
#include "tests/scenarios/snapshots.h"

START_TEST(everything_has_a_default)
{
    struct snapshot *s = load_snapshot("{\"fauxfleet_snapshot\": 1}");
    ck_assert_str_eq(s->file, "s.json");
    ck_assert_int_eq(s->now_ms, 0);
    ck_assert_str_eq(s->policy.name, "runai");
    ck_assert_uint_eq(s->policy.option_count, 0);
    ck_assert_uint_eq(s->node_count + s->queue_count + s->job_count + s->topology_count, 0);
    snapshot_destroy(s);
    snapshot_destroy(NULL);
}
END_TEST

START_TEST(options_are_handed_on_as_text)
{
    struct snapshot *s =
        load_snapshot(SNAP("\"policy\": {\"name\": \"fifo\", \"options\": {\"b\": true, \"a\": "
                           "\"skip\", \"d\": 1.5, \"c\": -1, \"e\": false}}"));
    static const char *const expected[][2] = {
        {"a", "skip"}, {"b", "true"}, {"c", "-1"}, {"d", "1.5"}, {"e", "false"}};
    ck_assert_str_eq(s->policy.name, "fifo");
    ck_assert_uint_eq(s->policy.option_count, ROWS(expected));
    for (int i = 0; i < ROWS(expected); i++) {
        ck_assert_str_eq(s->policy.options[i].name, expected[i][0]);
        ck_assert_str_eq(s->policy.options[i].value, expected[i][1]);
    }
    snapshot_destroy(s);
}
END_TEST

/* ---- errors with file, line, path and the nearest name */

static const struct {
    const char *text, *part;
} refused[] = {
    {"[]", "s.json:1: not a snapshot: the key 'fauxfleet_snapshot' is missing (expected 1)"},
    {"{}", "not a snapshot"},
    {"", "s.json: the file is empty"},
    {"{\"fauxfleet_snapshot\": 1,\n \"nodes\": [,]}", "s.json:2:"},
    {"{\"fauxfleet_snapshot\": 2}", "fauxfleet_snapshot: expected 1, got 2"},
    {SNAP("\"node\": []"), "s.json:2: node: unknown key 'node', did you mean 'nodes'?"},
    {SNAP("\"nodes\": [{\"gpus\": 4}]"), "s.json:2: nodes[0]: the key 'name' is missing"},
    {SNAP("\"nodes\": [{\"name\": \"n\",\n \"gpsu\": 4}]"),
     "s.json:3: nodes[0].gpsu: unknown key 'gpsu', did you mean 'gpus'?"},
    {SNAP("\"nodes\": [{\"name\": \"n\", \"gpus\": 65}]"),
     "nodes[0].gpus: expected an integer from 0 to 64, got 65"},
    {SNAP("\"jobs\": [{\"id\": \"a\"},\n {\"id\": \"a\"}]"),
     "s.json:3: jobs[1].id: there are two jobs of the id 'a'"},
    {SNAP("\"jobs\": [{\"id\": \"a\", \"tasks\": [{\"id\": \"t\", \"state\": \"runing\"}]}]"),
     "jobs[0].tasks[0].state: expected one of pending|gated|running|releasing|succeeded|failed, "
     "got \"runing\", did you mean 'running'?"},
    {SNAP("\"topologies\": [{\"name\": \"t\", \"levels\": []}]"), "topologies[0].levels"},
    {SNAP("\"topologies\": [{\"name\": \"t\", \"levels\": [\"a\"]}, {\"name\": \"t\", \"levels\": "
          "[\"b\"]}]"),
     "topologies[1].name: there are two topologies of the name 't'"},
    {SNAP("\"topologies\": [{\"name\": \"t\", \"levels\": [\"a\", \"b\", \"a\"]}]"),
     "topologies[0].levels: the level 'a' is there twice"},
    {JOB("\"topology\": {\"required\": \"rack\"}"),
     "jobs[0].topology: names the level 'rack' and no topology that it is of; the snapshot has no "
     "\"topologies\""},
    {JOB("\"roles\": [{\"name\": \"a\", \"topology\": {\"preferred\": \"host\"}}]"),
     "jobs[0].roles[0].topology: names the level 'host'"},
    {JOB("\"topology\": \"rack\""),
     "jobs[0].topology: expected an object, \"\" or null, got \"rack\""},
};

START_TEST(errors_are_refused)
{
    refuse_snapshot(refused[_i].text, refused[_i].part);
}
END_TEST

/* ---- constraints: numbers of topologies and levels, -1 if missing */

#define TOPOLOGIES                                                                                 \
    "\"topologies\": [{\"name\": \"x\", \"levels\": [\"zone\"]},"                                  \
    " {\"name\": \"fabric\", \"levels\": [\"pod\", \"rack\", \"host\"]}],\n"

// clang-format off
static const struct {
    const char *constraint;
    struct policy_constraint expected;
} constraints[] = {
    {"null", {0, 0, 0}},
    {"\"\"", {0, 0, 0}},
    {"{}", {0, 0, 0}},
    {"{\"topology\": \"\", \"required\": \"\"}", {0, 0, 0}},
    {"{\"topology\": \"x\", \"required\": \"zone\"}", {1, 1, 0}},
    {"{\"topology\": \"fabric\", \"required\": \"rack\"}", {2, 2, 0}},
    {"{\"topology\": \"fabric\", \"preferred\": \"host\"}", {2, 0, 3}},
    {"{\"topology\": \"fabric\", \"required\": \"pod\", \"preferred\": \"rack\"}", {2, 1, 2}},
    {"{\"topology\": \"fabric\", \"required\": \"zone\"}", {2, -1, 0}},
    {"{\"topology\": \"fabric\", \"preferred\": \"Rack\"}", {2, 0, -1}},
    {"{\"topology\": \"cloth\", \"required\": \"rack\"}", {-1, -1, 0}},
};
// clang-format on

START_TEST(constraints_become_numbers)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   SNAP(TOPOLOGIES "\"jobs\": [{\"id\": \"j\", \"topology\": %s}]"),
                   constraints[_i].constraint);
    struct snapshot *s = load_snapshot(text);
    const struct policy_constraint *at = &s->jobs[0].topology.at;
    ck_assert_int_eq(at->topology, constraints[_i].expected.topology);
    ck_assert_int_eq(at->required, constraints[_i].expected.required);
    ck_assert_int_eq(at->preferred, constraints[_i].expected.preferred);
    snapshot_destroy(s);
}
END_TEST

START_TEST(ranks_of_jobs_go_by_age_then_id)
{
    struct snapshot *s = load_snapshot(JOBS(
        "{\"id\": \"j-2\", \"submit_ms\": 5}, {\"id\": \"j-10\", \"submit_ms\": 5}, {\"id\": "
        "\"old\", \"submit_ms\": -7},{\"id\": \"ahead\", \"submit_ms\": 2000}, {\"id\": \"now\"}"));
    static const uint64_t expected[] = {2, 1, 0, 4, 3};
    for (int i = 0; i < ROWS(expected); i++)
        ck_assert_uint_eq(s->jobs[i].rank, expected[i]);
    ck_assert_int_eq(s->jobs[4].submit_ms, 1000);
    snapshot_destroy(s);
}
END_TEST

START_TEST(jobs_are_found_by_id)
{
    struct snapshot *s = load_snapshot(JOBS("{\"id\": \"train-2\"}, {\"id\": \"train-10\"}"));
    struct err err = {0};
    ck_assert_ptr_eq(snapshot_find_job(s, "train-2", &err), &s->jobs[0]);
    ck_assert_ptr_null(snapshot_find_job(s, "trian-2", &err));
    harness_contains(err.msg, "s.json: there is no job 'trian-2', did you mean 'train-2'?");
    char buffer[64];
    ck_assert_str_eq(snapshot_where(s, "queues[1].name", buffer, sizeof buffer),
                     "s.json:3: queues[1].name");
    snapshot_destroy(s);
}
END_TEST

START_TEST(files_are_read_and_their_absence_is_said)
{
    static const char text[] = SNAP(NODES);
    char path[256];
    struct snapshot *s = NULL;
    struct err err = {0};
    harness_file(path, sizeof path, ".json", text, strlen(text));
    ck_assert(snapshot_load(&s, path, &err));
    ck_assert_uint_eq(s->node_count, 2);
    snapshot_destroy(s);
    harness_forget(path);
    ck_assert(!snapshot_load(&s, path, &err));
    harness_contains(err.msg, "cannot open");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("snapshot_read");
    TCase *tcase = tcase_create("read");
    tcase_add_test(tcase, everything_has_a_default);
    tcase_add_test(tcase, options_are_handed_on_as_text);
    tcase_add_loop_test(tcase, errors_are_refused, 0, ROWS(refused));
    tcase_add_loop_test(tcase, constraints_become_numbers, 0, ROWS(constraints));
    tcase_add_test(tcase, ranks_of_jobs_go_by_age_then_id);
    tcase_add_test(tcase, jobs_are_found_by_id);
    tcase_add_test(tcase, files_are_read_and_their_absence_is_said);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
