/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading with additions from the command line, and the included studies. */
#include "sim/base/mem.h"
#include "tests/scenarios/scenarios.h"

#include <stdio.h>
#include <stdlib.h>

static const char policies[] = WITH(
    "\"policy\": {\"name\": \"fifo\", \"cycle_s\": 5, \"options\": {\"blocking\": \"skip\"}},\n"
    "\"policies\": {\"sjf\": {\"scope\": \"queue\",\n\"placement\": \"count\"}}");

// clang-format off
static const struct policy_row {
    const char *policy; // --policy
    const char *sets[2];
    const char *name;
    const char *options[2]; // name=value, in order
    const char *where;      // of policy.options.<first option>
} policy_rows[] = {
    {NULL, {NULL}, "fifo", {"blocking=skip"}, "t.json:4: policy.options.blocking"},
    {"sjf", {NULL}, "sjf", {"placement=count", "scope=queue"}, "t.json:6: policies.sjf.placement"},
    {"fifo", {NULL}, "fifo", {NULL}, NULL},
    {"las", {NULL}, "las", {NULL}, NULL},
    {"sjf", {"policy.options.placement=random"}, "sjf", {"placement=random", "scope=queue"},
     "--set policy.options.placement"},
    {"sjf", {"policies.sjf.placement=random"}, "sjf", {"placement=random", "scope=queue"},
     "--set policies.sjf.placement"},
    {"las", {"policies.las={\"x\": 2}"}, "las", {"x=2"}, "--set policies.las: policies.las.x"},
    {NULL, {"policy={\"name\": \"sjf\"}"}, "sjf", {"blocking=skip"},
     "t.json:4: policy.options.blocking"},
    {NULL, {"policy={\"name\": \"sjf\", \"options\": {}}"}, "sjf", {NULL}, NULL},
    {NULL, {"policy={\"name\": \"sjf\", \"options\": {\"x\": 2}}"}, "sjf", {"x=2"},
     "--set policy: policy.options.x"},
    {NULL, {"policy={\"name\": \"fifo\", \"options\": {}}"}, "fifo", {"blocking=skip"},
     "t.json:4: policy.options.blocking"},
};
// clang-format on

START_TEST(policies_are_replaced_with_their_options)
{
    const struct policy_row *row = &policy_rows[_i];
    struct scen_overrides overrides = {
        .policy = row->policy, .set = row->sets, .set_count = row->sets[0] ? 1 : 0};
    struct scenario *scenario = load_text(policies, &overrides);
    ck_assert_str_eq(scenario->policy.name, row->name);
    ck_assert_int_eq(scenario->policy.cycle_ms, 5000);
    size_t count = 0;
    for (; count < 2 && row->options[count]; count++) {
        ck_assert_uint_gt(scenario->policy.option_count, count);
        const struct scen_option *option = &scenario->policy.options[count];
        char *text = mem_format("%s=%s", option->name, option->value);
        ck_assert_str_eq(text, row->options[count]);
        free(text);
    }
    ck_assert_uint_eq(scenario->policy.option_count, count);
    if (row->where) {
        char path[128], where[400];
        (void)snprintf(path, sizeof path, "policy.options.%s", scenario->policy.options[0].name);
        ck_assert_str_eq(scenario_where(scenario, path, where, sizeof where), row->where);
    }
    scenario_destroy(scenario);
}
END_TEST

START_TEST(seed_and_replicas_are_replaced)
{
    struct scen_overrides overrides = {
        .has_seed = true, .seed = UINT64_MAX, .has_replicas = true, .replicas = 5};
    struct scenario *scenario = load_text(WITH("\"seed\": 3, \"replicas\": 2"), &overrides);
    ck_assert_uint_eq(scenario->seed, UINT64_MAX);
    ck_assert_int_eq(scenario->replicas, 5);
    harness_contains(scenario->resolved, "\"seed\": \"18446744073709551615\"");
    scenario_destroy(scenario);
    overrides.seed = 0;
    scenario = load_text(WITHOUT_KEYS, &overrides);
    ck_assert_uint_eq(scenario->seed, 0);
    harness_contains(scenario->resolved, "\"seed\": 0");
    scenario_destroy(scenario);
    overrides.replicas = 0;
    refuse_text(WITHOUT_KEYS, &overrides,
                "--replicas: expected an integer from 1 to 100000, got 0");
}
END_TEST

START_TEST(a_given_trace_replaces_the_old_one)
{
    struct scen_overrides overrides = {.trace = "Makefile"};
    struct scenario *scenario = load_text(WITHOUT_KEYS, &overrides);
    ck_assert_str_eq(scenario->sources[0].trace, "Makefile");
    ck_assert_ptr_null(scenario->sources[0].generate.profile);
    scenario_destroy(scenario);
    static const char *const sets[] = {"workload=[{\"generate\": {\"profile\": \"teams\"}, "
                                       "\"shake_s\": 2}, {\"trace\": \"Makefile\"}]"};
    overrides = (struct scen_overrides){.set = sets, .set_count = 1};
    scenario = load_text(WITHOUT_KEYS, &overrides);
    char *text = mem_text(scenario->resolved);
    scenario_destroy(scenario);
    // The first part of a list stays, with what it says about the whole.
    scenario = load_text(text, &(struct scen_overrides){.trace = "Makefile"});
    ck_assert_uint_eq(scenario->source_count, 1);
    ck_assert_str_eq(scenario->sources[0].trace, "Makefile");
    ck_assert_int_eq(scenario->jitter_ms, 2000);
    scenario_destroy(scenario);
    free(text);
    refuse_text(WITHOUT_KEYS, &(struct scen_overrides){.trace = "no/such.csv"},
                "--trace: cannot open 'no/such.csv'");
}
END_TEST

START_TEST(a_scenario_is_called_after_its_file)
{
    char path[256];
    harness_file(path, sizeof path, ".day.json", WITH("\"description\": \"x\""),
                 strlen(WITH("\"description\": \"x\"")));
    struct scenario *scenario = NULL;
    struct err err = {0};
    ck_assert_msg(scenario_load(&scenario, path, NULL, &err), "%s", err.msg);
    const char *name = strrchr(path, '/') + 1;
    ck_assert_uint_eq(strlen(scenario->name), strlen(name) - strlen(".json"));
    ck_assert_int_eq(strncmp(scenario->name, name, strlen(scenario->name)), 0);
    scenario_destroy(scenario);
    harness_forget(path);
    ck_assert(!scenario_load(&scenario, path, NULL, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, "cannot open '");
}
END_TEST

/* ---- studies */

#define STUDIES "scenarios/studies/"
static const struct study_row {
    const char *path, *set, *policy;
    size_t pools, queues, options;
    int64_t gpus;
} study_rows[] = {
    {STUDIES "venus-sept.json", "name=x", NULL, 15, 15, 3, 1080},
    {STUDIES "venus-sept.json", "name=x", "sjf", 15, 15, 3, 1080},
    {STUDIES "batch.json", "name=x", NULL, 1, 0, 3, 256},
    {STUDIES "batch.json", "name=x", "sjf", 1, 0, 3, 256},
    {STUDIES "openb-fill.json",
     "fleet.pools=[{\"name\": \"p\", \"node\": \"dgx-a100\", \"count\": 1}]", NULL, 1, 0, 0, 8},
    {STUDIES "openb-fill.json",
     "fleet.pools=[{\"name\": \"p\", \"node\": \"dgx-a100\", \"count\": 1}]", "random", 1, 0, 0, 8},
};

START_TEST(studies_load)
{
    const struct study_row *row = &study_rows[_i];
    const char *sets[] = {row->set};
    struct scen_overrides overrides = {
        .policy = row->policy, .trace = "Makefile", .set = sets, .set_count = 1};
    struct scenario *scenario = NULL;
    struct err err = {0};
    ck_assert_msg(scenario_load(&scenario, row->path, &overrides, &err), "%s", err.msg);
    ck_assert_uint_eq(scenario->pool_count, row->pools);
    ck_assert_uint_eq(scenario->queue_count, row->queues);
    ck_assert_uint_eq(scenario->policy.option_count, row->options);
    int64_t gpus = 0;
    for (size_t i = 0; i < scenario->pool_count; i++)
        gpus += scenario->pools[i].count * scenario->pools[i].node.gpus;
    ck_assert_int_eq(gpus, row->gpus);
    for (size_t i = 0; i < scenario->queue_count; i++) {
        ck_assert_uint_eq(scenario->queues[i].pool_count, 1);
        ck_assert_str_eq(scenario->queues[i].pools[0], scenario->queues[i].name);
        ck_assert_int_eq(scenario->queues[i].gpu_quota_milli,
                         scenario->pools[i].count * scenario->pools[i].node.gpus * 1000);
    }
    scenario_destroy(scenario);
}
END_TEST

START_TEST(studies_ask_for_their_trace)
{
    struct scenario *scenario = NULL;
    struct err err = {0};
    ck_assert(!scenario_load(&scenario, study_rows[_i].path, NULL, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg,
                     _i < 4 ? "no trace: give --trace FILE" : "no nodes: give fleet.pools");
}
END_TEST

START_TEST(openb_takes_its_files)
{
    static const char folder[] = "traces/alibaba-gpu-2023/";
    static const char *const keys[] = {"fleet.nodes_file", "workload.trace", "workload.arrivals",
                                       "workload.node_rank"};
    static const char *const names[] = {
        "openb_node_list_gpu_node.csv", "openb_pod_list_default.csv",
        "orders/default-s42-arrivals.txt", "orders/default-s42-noderank.txt"};
    char *sets[4] = {0};
    bool here = true;
    for (int i = 0; i < 4 && here; i++) {
        char path[512], relative[128];
        (void)snprintf(relative, sizeof relative, "%s%s", folder, names[i]);
        here = harness_shared(path, sizeof path, relative);
        sets[i] = mem_format("%s=%s", keys[i], path);
    }
    if (here) {
        struct scenario *scenario = NULL;
        struct err err = {0};
        struct scen_overrides overrides = {.set = (const char *const *)sets, .set_count = 4};
        ck_assert_msg(scenario_load(&scenario, STUDIES "openb-fill.json", &overrides, &err), "%s",
                      err.msg);
        ck_assert_uint_eq(scenario->node_count, 1213);
        ck_assert_uint_eq(scenario->node_rank_count, 1213);
        ck_assert_uint_eq(scenario->fill_arrival_count, 10866);
        int64_t gpus = 0;
        for (size_t i = 0; i < scenario->node_count; i++)
            gpus += scenario->nodes[i].node.gpus;
        ck_assert_int_eq(gpus, 6212);
        scenario_destroy(scenario);
    }
    for (int i = 0; i < 4; i++)
        free(sets[i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("load");
    TCase *tcase = tcase_create("overrides");
    tcase_add_loop_test(tcase, policies_are_replaced_with_their_options, 0, ROWS(policy_rows));
    tcase_add_test(tcase, seed_and_replicas_are_replaced);
    tcase_add_test(tcase, a_given_trace_replaces_the_old_one);
    tcase_add_test(tcase, a_scenario_is_called_after_its_file);
    tcase_add_loop_test(tcase, studies_load, 0, ROWS(study_rows));
    tcase_add_loop_test(tcase, studies_ask_for_their_trace, 0, ROWS(study_rows));
    tcase_add_test(tcase, openb_takes_its_files);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
