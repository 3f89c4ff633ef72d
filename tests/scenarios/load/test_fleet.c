/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fleets: nodes of the catalogue, inline nodes, files of pools and nodes, and refusals. */
#include "sim/base/mem.h"
#include "tests/scenarios/scenarios.h"

#include <stdlib.h>

#define FLEET(pools)                                                                               \
    "{\"fauxfleet_scenario\": 1,\n \"workload\": {\"generate\": {\"profile\": \"batch\"}},\n "     \
    "\"fleet\": "                                                                                  \
    "{\"pools\": [" pools "]}}"

static const struct node_row {
    const char *json;
    int gpus;
    const char *gpu_type;
    int64_t gpu_mem_mib, cpu_milli, mem_mib;
    int max_tasks;
} node_rows[] = {
    {"{\"gpus\": 8}", 8, "any", 0, -1, -1, -1},
    {"{\"gpus\": 0, \"cpus\": 0.5, \"mem_mib\": 100}", 0, "any", 0, 500, 100, -1},
    {"{\"gpus\": 4, \"gpu_type\": \"t4\", \"gpu_mem_mib\": 15360}", 4, "t4", 15360, -1, -1, -1},
    {"{\"gpus\": 64, \"gpu_mem_gb\": 80, \"cpu_milli\": 112000, \"mem_gb\": 2048, \"max_tasks\": "
     "110}",
     64, "any", 81920, 112000, 2097152, 110},
    {"{\"gpus\": 1, \"cpus\": -1, \"mem_gb\": -1}", 1, "any", 0, -1, -1, -1},
    {"{\"gpus\": 1, \"gpu_mem_gb\": 1.5, \"mem_gb\": 0.25}", 1, "any", 1536, -1, 256, -1},
    {"\"dgx-a100\"", 8, "a100", 81920, 128000, 2097152, -1},
};

START_TEST(nodes_have_their_amounts)
{
    const struct node_row *row = &node_rows[_i];
    char *text = mem_format(FLEET("{\"name\": \"p\", \"node\": %s, \"count\": 3}"), row->json);
    struct scenario *scenario = load_text(text, NULL);
    const struct scen_node *node = &scenario->pools[0].node;
    ck_assert_uint_eq(scenario->pool_count, 1);
    ck_assert_str_eq(scenario->pools[0].name, "p");
    ck_assert_int_eq(scenario->pools[0].count, 3);
    ck_assert_str_eq(node->name, row->json[0] == '"' ? "dgx-a100" : "");
    ck_assert_int_eq(node->gpus, row->gpus);
    ck_assert_str_eq(node->gpu_type, row->gpu_type);
    ck_assert_int_eq(node->gpu_mem_mib, row->gpu_mem_mib);
    ck_assert_int_eq(node->cpu_milli, row->cpu_milli);
    ck_assert_int_eq(node->mem_mib, row->mem_mib);
    ck_assert_int_eq(node->max_tasks, row->max_tasks);
    scenario_destroy(scenario);
    free(text);
}
END_TEST

#define POOL(name, count) "{\"name\": \"" name "\", \"node\": {\"gpus\": 8}, \"count\": " count "}"
#define PER(object)                                                                                \
    "{\"name\": \"a\", \"node\": {\"gpus\": 8}, \"count\": 9, \"nodes_per\": " object "}"
#define MIG(keys) "{\"name\": \"a\", \"node\": {\"gpus\": 8}, \"count\": 9, " keys "}"
#define LEVELS(list)                                                                               \
    "{\"fauxfleet_scenario\": 1, \"workload\": {\"generate\": {\"profile\": \"batch\"}}, "         \
    "\"fleet\": "                                                                                  \
    "{\"levels\": " list ", \"pools\": [" POOL("a", "1") "]}}"
// clang-format off
static const struct refused_row {
    const char *text, *part;
} refused_rows[] = {
    {FLEET(POOL("a", "1") ",\n" POOL("b", "1") ",\n" POOL("a", "1")),
     "t.json:5: fleet.pools[2].name: there are two pools of the name 'a'"},
    {FLEET("{\"name\": \"a\", \"node\": \"dgx-h10\", \"count\": 1}"),
     "t.json:3: fleet.pools[0].node: unknown kind of node 'dgx-h10', did you mean 'dgx-h100'?"},
    {FLEET(POOL("a", "4194304") "," POOL("b", "1")), "fleet: more than 4194304 nodes"},
    {FLEET(PER("{\"rack\": 4, \"leaf\": 10}")),
     "fleet.pools[0].nodes_per: 10 nodes of the level above do not make whole domains of 4 "
     "('rack')"},
    {FLEET(PER("{\"rak\": 4}")), "fleet.pools[0].nodes_per.rak: unknown level 'rak', did you mean "
                                 "'rack'?"},
    {FLEET(PER("{\"node\": 4}")), "fleet.pools[0].nodes_per.node: unknown level 'node'"},
    {FLEET(PER("{\"rack\": 0}")), "fleet.pools[0].nodes_per.rack: expected an integer"},
    {LEVELS("[\"row\", \"row\"]"), "fleet.levels[1]: the level 'row' is named twice"},
    {LEVELS("[\"row\", \"node\"]"), "fleet.levels[1]: 'node' is always the lowest level"},
    {FLEET(MIG("\"mig\": \"mixed\"")), "fleet.pools[0].mig: mig_profiles says how many"},
    {FLEET(MIG("\"mig\": \"dynamic\", \"mig_profiles\": {\"1g.10gb\": 1}")),
     "fleet.pools[0].mig: mig_profiles"},
    {FLEET(MIG("\"mig\": \"mixed\", \"mig_profiles\": {\"7g.80gb\": 9}")),
     "fleet.pools[0].mig: the instances of mig_profiles do not fit on a node's GPUs: there are 8, "
     "and each has 7 compute slices"},
    {FLEET(MIG("\"mig\": \"on\"")), "fleet.pools[0].mig: expected one of off|single|mixed|dynamic"},
    {"{\"fauxfleet_scenario\": 1,\n\"fleet\": {}}", "t.json:2: fleet: no nodes: give fleet.pools"},
    {"{\"fauxfleet_scenario\": 1}", "t.json:1: fleet: no nodes"},
    {"{\"fauxfleet_scenario\": 1,\n\"fleet\": {\"nodes_file\": \"no/such.csv\"}}",
     "t.json:2: fleet.nodes_file: "},
    {"{\"fauxfleet_scenario\": 1,\n\"fleet\": {\"pools_file\": \"no/such.csv\"}}",
     "t.json:2: fleet.pools_file: "},
};
// clang-format on

START_TEST(fleets_are_refused)
{
    refuse_text(refused_rows[_i].text, NULL, refused_rows[_i].part);
}
END_TEST

static const struct file_row {
    const char *key, *csv;
    const char *part; // NULL: accepted
} file_rows[] = {
    {"fleet.pools_file", "name,nodes,gpus_per_node,gpu_type\nx,3,4,t4\ny,1,8,\n", NULL},
    {"fleet.pools_file", "name,nodes,gpus_per_node,gpu_type\nx,3,4,t4\nx,1,8,\n",
     ".csv:3:1: there are two pools of the name 'x'"},
    {"fleet.pools_file", "name,nodes,gpus_per_node,gpu_type\nx,3,65,t4\n",
     ".csv:2:3: 'x' has 65 GPUs a node, expected 0 to 64"},
    {"fleet.pools_file", "name,nodes,gpus_per_node,gpu_type\nx,0,8,t4\n",
     ".csv:2:2: pool 'x' has 0 nodes"},
    {"fleet.nodes_file", "sn,cpu_milli,memory_mib,gpu,model\nn0,64000,262144,2,P100\n", NULL},
    {"fleet.nodes_file", "sn,cpu_milli,memory_mib,gpu,model\nn0,64000,262144,65,P100\n",
     ".csv:2:4: 'n0' has 65 GPUs a node"},
    {"fleet.nodes_file", "name\n", "fleet.nodes_file"},
};

START_TEST(files_of_fleets_are_read)
{
    const struct file_row *row = &file_rows[_i];
    char path[256];
    harness_file(path, sizeof path, ".csv", row->csv, strlen(row->csv));
    char *set = mem_format("%s=%s", row->key, path);
    const char *sets[] = {set};
    struct scen_overrides overrides = {.set = sets, .set_count = 1};
    if (row->part) {
        refuse_text(WITHOUT_KEYS, &overrides, row->part);
        refuse_text(WITHOUT_KEYS, &overrides, row->key);
    } else {
        struct scenario *scenario = load_text(WITHOUT_KEYS, &overrides);
        ck_assert_uint_eq(scenario->pool_count + scenario->node_count, _i == 0 ? 2 : 1);
        scenario_destroy(scenario);
    }
    free(set);
    harness_forget(path);
}
END_TEST

/* Three nodes of 1, 2 and 3 GPUs: two nodes are the first and the second; seven are two rounds, and
 * the first node of the third. */
START_TEST(a_list_of_another_length)
{
    static const char csv[] =
        "sn,cpu_milli,memory_mib,gpu,model\na,1000,1,1,P100\nb,1000,1,2,P100\nc,1000,1,3,P100\n";
    static const char *const names[] = {"a", "b", "c", "a#2", "b#2", "c#2", "a#3"};
    char path[256];
    harness_file(path, sizeof path, ".csv", csv, strlen(csv));
    for (size_t count = 1; count <= 7; count++) {
        char *file = mem_format("fleet.nodes_file=%s", path),
             *number = mem_format("fleet.count=%zu", count);
        const char *sets[] = {file, number};
        struct scenario *scenario =
            load_text(WITH("\"queues\": [{\"name\": \"q\", \"pools\": [\"all\"]}]"),
                      &(struct scen_overrides){.set = sets, .set_count = 2});
        ck_assert_uint_eq(scenario->node_count, count);
        for (size_t i = 0; i < count; i++) {
            ck_assert_str_eq(scenario->nodes[i].name, names[i]);
            ck_assert_int_eq(scenario->nodes[i].node.gpus, (int)(i % 3) + 1);
        }
        scenario_destroy(scenario);
        free(file);
        free(number);
    }
    harness_forget(path);
}
END_TEST

START_TEST(listed_nodes_have_their_amounts)
{
    static const char csv[] =
        "sn,cpu_milli,memory_mib,gpu,model\nn0,64000,262144,2,P100\nn1,32000,131072,0,\n";
    char path[256];
    harness_file(path, sizeof path, ".csv", csv, strlen(csv));
    char *set = mem_format("fleet.nodes_file=%s", path);
    const char *sets[] = {set};
    struct scenario *scenario =
        load_text(WITH("\"queues\": [{\"name\": \"q\", \"pools\": [\"all\"]}]"),
                  &(struct scen_overrides){.set = sets, .set_count = 1});
    ck_assert_uint_eq(scenario->pool_count, 0);
    ck_assert_uint_eq(scenario->node_count, 2);
    ck_assert_str_eq(scenario->nodes[0].name, "n0");
    ck_assert_int_eq(scenario->nodes[0].node.gpus, 2);
    ck_assert_str_eq(scenario->nodes[0].node.gpu_type, "P100");
    ck_assert_int_eq(scenario->nodes[0].node.cpu_milli, 64000);
    ck_assert_int_eq(scenario->nodes[0].node.mem_mib, 262144);
    ck_assert_int_eq(scenario->nodes[1].node.gpus, 0);
    scenario_destroy(scenario);
    free(set);
    harness_forget(path);
}
END_TEST

/* ---- fabric and MIG ---- */

START_TEST(domains_are_counted_by_level)
{
    struct scenario *scenario = load_text(FLEET(PER("{\"rack\": 4, \"pod\": 8}")), NULL);
    ck_assert_uint_eq(scenario->level_count, 5);
    ck_assert_str_eq(scenario->levels[1], "pod");
    ck_assert_str_eq(scenario->levels[3], "rack");
    const int64_t *nodes = scenario->pools[0].nodes_per;
    ck_assert(nodes[0] == 0 && nodes[1] == 8 && nodes[2] == 0 && nodes[3] == 4 && nodes[4] == 0);
    scenario_destroy(scenario);
    scenario = load_text(LEVELS("[\"hall\", \"row\"]"), NULL);
    ck_assert_uint_eq(scenario->level_count, 2);
    ck_assert_str_eq(scenario->levels[1], "row");
    scenario_destroy(scenario);
}
END_TEST

/* The pool's setting overrides that of its kind of node. */
static const struct mig_row {
    const char *node, *pool;
    enum scen_mig mig;
    size_t instances;
} mig_rows[] = {
    {"", "", SCEN_MIG_OFF, 0},
    {", \"mig\": \"single\"", "", SCEN_MIG_SINGLE, 0},
    {", \"mig\": \"single\"", ", \"mig\": \"off\"", SCEN_MIG_OFF, 0},
    {"", ", \"mig\": \"dynamic\"", SCEN_MIG_DYNAMIC, 0},
    {", \"mig\": \"mixed\", \"mig_profiles\": {\"1g.10gb\": 4, \"3g.40gb\": 1}", "", SCEN_MIG_MIXED,
     2},
    {", \"mig\": \"mixed\", \"mig_profiles\": {\"1g.10gb\": 4}", ", \"mig\": \"dynamic\"",
     SCEN_MIG_DYNAMIC, 0},
};

START_TEST(mig_is_said_by_node_or_pool)
{
    char *text = mem_format(
        FLEET("{\"name\": \"a\", \"node\": {\"gpus\": 8%s}, \"count\": 2, \"whole_only\": true%s}"),
        mig_rows[_i].node, mig_rows[_i].pool);
    struct scenario *scenario = load_text(text, NULL);
    const struct scen_node *node = &scenario->pools[0].node;
    ck_assert(scenario->pools[0].whole_only);
    ck_assert_int_eq(node->mig, mig_rows[_i].mig);
    ck_assert_uint_eq(node->instance_count, mig_rows[_i].instances);
    if (node->instance_count > 0) {
        ck_assert_str_eq(node->instances[0].profile, "1g.10gb");
        ck_assert_int_eq(node->instances[0].count, 4);
    }
    scenario_destroy(scenario);
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fill_fleet");
    TCase *tcase = tcase_create("fleet");
    tcase_add_loop_test(tcase, nodes_have_their_amounts, 0, ROWS(node_rows));
    tcase_add_loop_test(tcase, fleets_are_refused, 0, ROWS(refused_rows));
    tcase_add_loop_test(tcase, files_of_fleets_are_read, 0, ROWS(file_rows));
    tcase_add_test(tcase, a_list_of_another_length);
    tcase_add_test(tcase, listed_nodes_have_their_amounts);
    tcase_add_test(tcase, domains_are_counted_by_level);
    tcase_add_loop_test(tcase, mig_is_said_by_node_or_pool, 0, ROWS(mig_rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
