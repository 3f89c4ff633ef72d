/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes whose figures contradict each other, as found by scenarios; and those that look odd but are
 * valid. */
#include "sim/base/mem.h"
#include "tests/scenarios/scenarios.h"

#include <stdlib.h>

#define NODE                                                                                       \
    "{\"fauxfleet_scenario\": 1, \"workload\": {\"generate\": {\"profile\": \"batch\"}},\n"        \
    " \"fleet\": {\"pools\": [{\"name\": \"p\", \"count\": 2,\n \"node\": {%s}}]}}"
#define AT "t.json:3: fleet.pools[0].node"

static const struct refused_row {
    const char *keys, *part;
} refused_rows[] = {
    /* the schema */
    {"'gpus': 8, 'nvlink_gbs': 600",
     AT ".nvlink_gbs: unknown key 'nvlink_gbs', did you mean 'nvlink_gb_s'?"},
    {"'gpus': 8, 'idle': 600", AT ".idle: unknown key 'idle', did you mean 'idle_w'?"},
    {"'gpus': 8, 'links': 'nvswitch'",
     AT ".links: expected one of pcie|pairs|cube-mesh|mesh|switch, got \"nvswitch\", did you mean "
        "'switch'?"},
    {"'gpus': 8, 'network': 'infinband'", AT ".network: expected one of none|infiniband|roce|tcp, "
                                             "got \"infinband\", did you mean 'infiniband'?"},
    {"'gpus': 8, 'peak_w': -1", AT ".peak_w: expected a number from 0 to 10000000, got -1"},
    {"'gpus': 8, 'nic_efficiency': 1.1",
     AT ".nic_efficiency: expected a number from 0 to 1, got 1.1"},
    {"'gpus': 8, 'busbw_of': 370", AT ".busbw_of: expected an object, got 370"},
    {"'gpus': 8, 'numa': 2, 'numa_of': [0, 0.5]",
     AT ".numa_of[1]: expected an integer from 0 to 63, got 0.5"},
    {"'gpus': 65", AT ".gpus: expected an integer from 0 to 64, got 65"},
    /* links */
    {"'gpus': 4, 'links': 'cube-mesh'", AT ".links: a cube mesh links 8 devices, 'gpus' is 4"},
    {"'gpus': 7, 'links': 'pairs'", AT ".links: pairs take an even number of devices, 'gpus' is 7"},
    {"'gpus': 8, 'busbw_of': {'9': 1}",
     AT ".busbw_of.9: expected a number of devices from 2 to 8 ('gpus')"},
    {"'gpus': 8, 'busbw_of': {'1': 1}", AT ".busbw_of.1: expected a number of devices"},
    {"'gpus': 8, 'busbw_of': {'all': 1}", AT ".busbw_of.all: expected a number of devices"},
    /* network */
    {"'gpus': 8, 'nics': 8", AT ".network: there are NICs, expected one of infiniband|roce|tcp"},
    {"'gpus': 8, 'network': 'none', 'nic_gbit_s': 8",
     AT ".network: there are NICs, expected one of infiniband|roce|tcp"},
    {"'gpus': 8, 'network': 'tcp', 'nic_gbit_s': 8",
     AT ".nics: a node with a network has at least one"},
    {"'gpus': 8, 'network': 'tcp', 'nics': 1",
     AT ".nic_gbit_s: expected more than 0: the node has a network"},
    /* affinity */
    {"'gpus': 4, 'numa': 2, 'numa_of': [0, 0, 1]",
     AT ".numa_of: expected an element for each of 4 devices ('gpus'), got 3"},
    {"'gpus': 2, 'numa': 2, 'numa_of': [0, 2]",
     AT ".numa_of[1]: 2 is not below 'numa', which is 2"},
    {"'gpus': 2, 'numa_of': [0, 0]", AT ".numa_of[0]: 0 is not below 'numa', which is 0"},
    {"'gpus': 2, 'network': 'tcp', 'nics': 1, 'nic_gbit_s': 10, 'nic_of': [0, 1]",
     AT ".nic_of[1]: 1 is not below 'nics', which is 1"},
    {"'gpus': 2, 'pcie_of': [0, 1, 2]",
     AT ".pcie_of: expected an element for each of 2 devices ('gpus'), got 3"},
    {"'gpus': 2, 'sockets': 2, 'numa': 3",
     AT ".numa: 3 NUMA domains do not divide among 2 sockets"},
    /* watts */
    {"'gpus': 8, 'idle_w': 801, 'peak_w': 1000",
     AT ".idle_w: 801 W are more than the node draws at full load, 0.8 of 'peak_w' (1000 W)"},
    {"'gpus': 8, 'gpu_peak_w': 700, 'peak_w': 5599",
     AT ".gpu_peak_w: 8 devices draw 5600 W, more than 'peak_w' (5599 W)"},
    {"'gpus': 8, 'gpu_idle_w': 60, 'idle_w': 479",
     AT ".gpu_idle_w: 8 devices draw 480 W, more than 'idle_w' (479 W)"},
    /* sources */
    {"'gpus': 8, 'peak_w': 1000, 'sources': {'peak': 'x'}",
     AT ".sources.peak: the node has no figure 'peak', did you mean 'peak_w'?"},
    {"'gpus': 8, 'sources': {'peak_w': 'x'}",
     AT ".sources.peak_w: the node has no figure 'peak_w'"},
    {"'gpus': 8, 'sources': {'gpus': ''}", AT ".sources.gpus: expected non-empty text"},
    {"'gpus': 8, 'unverified': ['gpus', 'gpu']",
     AT ".unverified[1]: the node has no figure 'gpu', did you mean 'gpus'?"},
};

static const char *const accepted_rows[] = {
    "'gpus': 0, 'numa': 2, 'numa_of': [], 'sockets': 2",
    "'gpus': 8, 'links': 'pairs', 'busbw_of': {'2': 100, '8': 20}",
    "'gpus': 8, 'idle_w': 800, 'peak_w': 1000",
    "'gpus': 8, 'gpu_peak_w': 700, 'peak_w': 5600",
    "'gpus': 8, 'gpu_idle_w': 60",
    "'gpus': 2, 'network': 'none', 'nics': 0, 'nic_gbit_s': 0",
    "'gpus': 2, 'peak_w': null, 'source': 'vendor', 'unverified': ['gpus']",
    "'gpus': 2, 'pcie_of': [63, 0]",
};

static char *node_text(const char *keys)
{
    char *text = mem_format(NODE, keys);
    for (char *p = strstr(text, "\"node\""); *p; p++)
        if (*p == '\'')
            *p = '"';
    return text;
}

START_TEST(bad_nodes_are_refused)
{
    char *text = node_text(refused_rows[_i].keys);
    refuse_text(text, NULL, refused_rows[_i].part);
    free(text);
}
END_TEST

START_TEST(odd_nodes_are_fine)
{
    char *text = node_text(accepted_rows[_i]);
    scenario_destroy(load_text(text, NULL));
    free(text);
}
END_TEST

/* Errors of the command line are reported as such. */
START_TEST(changes_are_blamed)
{
    char *text = node_text("'gpus': 8, 'peak_w': 1000");
    const char *sets[] = {"fleet.pools.0.node.idle_w=900"};
    refuse_text(text, &(struct scen_overrides){.set = sets, .set_count = 1},
                "--set fleet.pools.0.node.idle_w: 900 W are more than the node draws");
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("check_node");
    TCase *tcase = tcase_create("nodes");
    tcase_add_loop_test(tcase, bad_nodes_are_refused, 0, ROWS(refused_rows));
    tcase_add_loop_test(tcase, odd_nodes_are_fine, 0, ROWS(accepted_rows));
    tcase_add_test(tcase, changes_are_blamed);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
