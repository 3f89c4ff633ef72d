/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes of snapshots: values, ranks, MIG, and the devices of tasks that do not name them. */
#include "scenarios/snapshot/snapshot.h"
#include "tests/scenarios/snapshots.h"

START_TEST(nodes_have_defaults_and_ranks)
{
    struct snapshot *s = load_snapshot(SNAP(
        "\"nodes\": [{\"name\": \"n2\", \"gpus\": 4}, {\"name\": \"n10\"}, {\"name\": \"N\"}]"));
    static const uint32_t ranks[] = {2, 1, 0};
    const struct snap_node *node = &s->nodes[0];
    for (int i = 0; i < ROWS(ranks); i++)
        ck_assert_uint_eq(s->nodes[i].rank, ranks[i]);
    ck_assert_int_eq(node->gpus, 4);
    ck_assert_int_eq(node->gpu_mem_mib, 0);
    ck_assert_int_eq(node->cpu_milli, POLICY_UNLIMITED);
    ck_assert_int_eq(node->mem_mib, POLICY_UNLIMITED);
    ck_assert_int_eq(node->max_tasks, POLICY_UNLIMITED);
    ck_assert_int_eq(node->mig, POLICY_MIG_OFF);
    ck_assert_int_eq(node->state, POLICY_NODE_UP);
    ck_assert_str_eq(node->gpu_type, "");
    ck_assert_uint_eq(node->label_count, 0);
    snapshot_destroy(s);
}
END_TEST

START_TEST(nodes_keep_given_values)
{
    struct snapshot *s =
        load_snapshot(SNAP("\"nodes\": [{\"name\": \"n\", \"gpus\": 8, \"gpu_type\": \"h100\", "
                           "\"gpu_mem_mib\": 81920, \"cpu_milli\": 112000,"
                           " \"mem_mib\": 2097152, \"max_tasks\": 110, \"mig\": \"mixed\", "
                           "\"mig_profiles\": {\"3g.40gb\": 2, \"1g.10gb\": 1,"
                           " \"2g.20gb\": 0}, \"state\": \"draining\", \"unusable_devices\": [0, "
                           "7], \"labels\": {\"rack\": \"r1\", \"pod\": \"\"},"
                           " \"pool\": \"p\", \"whole_only\": true}]"));
    const struct snap_node *node = &s->nodes[0];
    ck_assert_int_eq(node->mig, POLICY_MIG_FIXED);
    ck_assert_uint_eq(node->mig_profile_count, 2);
    ck_assert_str_eq(node->mig_profiles[0].profile, "1g.10gb");
    ck_assert_int_eq(node->mig_profiles[1].count, 2);
    ck_assert_int_eq(node->state, POLICY_NODE_DRAINING);
    ck_assert_uint_eq(node->unusable, 0x81);
    ck_assert_uint_eq(node->label_count, 2);
    ck_assert_str_eq(node->labels[1].value, "r1");
    ck_assert_int_eq(node->gpu_mem_mib, 81920);
    ck_assert_int_eq(node->max_tasks, 110);
    ck_assert(node->whole_only);
    snapshot_destroy(s);
}
END_TEST

static const struct {
    const char *keys, *part;
} refused[] = {
    {"\"name\": \"n2\"}, {\"name\": \"n2\"", "nodes[1].name: there are two nodes of the name 'n2'"},
    {"\"name\": \"n\", \"mig\": \"mixd\"",
     "nodes[0].mig: expected one of off|single|mixed|dynamic, got \"mixd\", did you mean 'mixed'?"},
    {"\"name\": \"n\", \"mig\": \"mixed\", \"mig_profiles\": {\"5g.10gb\": 1}",
     "nodes[0].mig_profiles: '5g.10gb' is not a MIG profile"},
    {"\"name\": \"n\", \"mig_profiles\": {\"1g.10gb\": 1}",
     "instances are counted only where \"mig\" is \"mixed\", it is \"off\""},
    {"\"name\": \"n\", \"gpus\": 1, \"mig\": \"mixed\", \"mig_profiles\": {\"7g.80gb\": 5}",
     "nodes[0].mig_profiles: the instances do not fit on the node's GPUs: there are 1, and each "
     "has 7 compute slices"},
    {"\"name\": \"n\", \"gpus\": 4, \"unusable_devices\": [4]",
     "nodes[0].unusable_devices: the node has devices 0 to 3 only"},
    {"\"name\": \"n\", \"labels\": {\"a\": 1}", "nodes[0].labels.a: expected text, got 1"},
};

START_TEST(wrong_nodes_are_refused)
{
    char text[512];
    (void)snprintf(text, sizeof text, SNAP("\"nodes\": [{%s}]"), refused[_i].keys);
    refuse_snapshot(text, refused[_i].part);
}
END_TEST

#define RUNS(id, keys) "{\"id\": \"" id "\", \"state\": \"running\", \"node\": \"n2\", " keys "}"

// clang-format off
static const char unnamed[] =
    JOBS("{\"id\": \"a\", \"tasks\": [" RUNS("a0", "\"gpus\": 1") "," RUNS("a1",
       "\"gpus\": 1") "]},{\"id\": \"b\", \"tasks\": [" RUNS("b0",
     "\"gpu_milli\": 500, \"devices\": [1]") ","
         RUNS("b1", "\"gpu_milli\": 500, \"devices\": [1]") "," RUNS("b2",
          "\"gpus\": 1, \"devices\": [0]") "]}");
// clang-format on

START_TEST(unnamed_devices_are_the_lowest_not_named)
{
    struct snapshot *s = load_snapshot(unnamed);
    ck_assert_uint_eq(s->jobs[0].tasks[0].devices, 4);
    ck_assert_uint_eq(s->jobs[0].tasks[1].devices, 8);
    ck_assert_uint_eq(s->jobs[1].tasks[0].devices, 2);
    ck_assert_uint_eq(s->jobs[1].tasks[2].devices, 1);
    snapshot_destroy(s);
}
END_TEST

START_TEST(more_devices_than_there_are_are_refused)
{
    refuse_snapshot(
        JOBS("{\"id\": \"a\", \"tasks\": [" RUNS("a0", "\"gpus\": 3") "," RUNS("a1",
                                                                               "\"gpus\": 2") "]}"),
        "s.json:4: jobs[0].tasks: the task 'a1' wants 2 devices, and the node 'n2' has fewer left");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("snapshot_nodes");
    TCase *tcase = tcase_create("nodes");
    tcase_add_test(tcase, nodes_have_defaults_and_ranks);
    tcase_add_test(tcase, nodes_keep_given_values);
    tcase_add_loop_test(tcase, wrong_nodes_are_refused, 0, ROWS(refused));
    tcase_add_test(tcase, unnamed_devices_are_the_lowest_not_named);
    tcase_add_test(tcase, more_devices_than_there_are_are_refused);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
