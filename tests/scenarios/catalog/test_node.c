/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The traits of a node: given inline, changed on the command line, named in the catalogue, and from
 * a node list. */
#include "sim/base/mem.h"
#include "tests/scenarios/scenarios.h"

#include <stdlib.h>

#define NODE(json)                                                                                 \
    "{\"fauxfleet_scenario\": 1, \"workload\": {\"generate\": {\"profile\": \"batch\"}},\n"        \
    " \"fleet\": {\"pools\": [{\"name\": \"p\", \"count\": 2, \"node\": " json "}]}}"

static const struct node_traits *traits_of(const struct scenario *scenario)
{
    ck_assert_uint_eq(scenario->pool_count, 1);
    return scenario->pools[0].node.traits;
}

START_TEST(every_key_is_read)
{
    struct scenario *scenario = load_text(
        NODE("{\"gpus\": 4, \"links\": \"pairs\", \"nvlink_gb_s\": 1, \"busbw_gb_s\": 2, "
             "\"busbw_of\": {\"2\": 3, "
             "\"4\": 4}, \"pair_gb_s\": 5, \"pcie_gb_s\": 6, \"nvlink_nodes\": 7, "
             "\"nvlink_domain_gb_s\": 8, \"network\": \"roce\", \"nics\": 9, \"nic_gbit_s\": 10, "
             "\"nic_efficiency\": 0.5, \"nic_of\": [8, 7, 6, 5], "
             "\"sockets\": 2, \"numa\": 4, \"numa_of\": [3, 2, 1, 0], \"pcie_of\": [1, 1, 2, 2], "
             "\"idle_w\": 13, \"peak_w\": 100, \"gpu_idle_w\": 1.5, \"gpu_peak_w\": 16, \"usd\": "
             "17, \"usd_per_hour\": 18, \"ssd_gb_s\": 19, \"speed\": 20}"),
        NULL);
    const struct node_traits *t = traits_of(scenario);
    ck_assert_int_eq(t->links, LINKS_PAIRS);
    ck_assert(t->nvlink_gbps == 1 && t->busbw_gbps == 2 && t->pair_gbps == 5 && t->pcie_gbps == 6);
    ck_assert(t->busbw_of[2] == 3 && t->busbw_of[3] == 0 && t->busbw_of[4] == 4);
    ck_assert(t->nvlink_nodes == 7 && t->nvlink_domain_gbps == 8);
    ck_assert_int_eq(t->network, NETWORK_ROCE);
    ck_assert(t->nics == 9 && t->nic_gbit == 10 && t->nic_efficiency == 0.5);
    ck_assert(t->nic_of[0] == 8 && t->nic_of[3] == 5);
    ck_assert(t->sockets == 2 && t->numa == 4);
    ck_assert(t->numa_of[0] == 3 && t->numa_of[3] == 0 && t->pcie_of[1] == 1 && t->pcie_of[2] == 2);
    ck_assert(t->idle_w == 13 && t->peak_w == 100 && t->gpu_idle_w == 1.5 && t->gpu_peak_w == 16);
    ck_assert(t->usd == 17 && t->usd_per_hour == 18 && t->ssd_gbps == 19 && t->speed == 20);
    scenario_destroy(scenario);
}
END_TEST

static void is_unknown(const struct node_traits *t)
{
    ck_assert(t->links == LINKS_PCIE && t->network == NETWORK_NONE && t->nvlink_nodes == 1);
    ck_assert(t->nvlink_gbps == 0 && t->busbw_gbps == 0 && t->pcie_gbps == 0 && t->pair_gbps == 0);
    ck_assert(t->nics == 0 && t->nic_gbit == 0 && t->sockets == 0 && t->numa == 0);
    ck_assert(t->idle_w == 0 && t->peak_w == 0 && t->usd == 0 && t->usd_per_hour == 0 &&
              t->speed == 0);
    for (int i = 0; i < TRAITS_DEVICES; i++)
        ck_assert(t->nic_of[i] == 0 && t->numa_of[i] == 0 && t->pcie_of[i] == 0 &&
                  t->busbw_of[i + 1] == 0);
}

START_TEST(what_is_not_said_is_unknown)
{
    struct scenario *scenario = load_text(NODE("{\"gpus\": 8}"), NULL);
    is_unknown(traits_of(scenario));
    scenario_destroy(scenario);
}
END_TEST

/* 80 W idle and 740 W at work (tests/scenarios/load/test_listed_nodes.c); alike nodes share their
 * traits, others are unknown. */
START_TEST(nodes_of_a_list_have_what_is_known_of_their_devices)
{
    static const char csv[] =
        "sn,cpu_milli,memory_mib,gpu,model\nn0,64000,262144,2,P100\nn1,64000,1,2,X100\n"
        "n2,64000,262144,2,P100\nn3,64000,262144,1,P100\n";
    char path[256];
    harness_file(path, sizeof path, ".csv", csv, strlen(csv));
    char *set = mem_format("fleet.nodes_file=%s", path);
    const char *sets[] = {set};
    struct scenario *scenario =
        load_text(WITHOUT_KEYS, &(struct scen_overrides){.set = sets, .set_count = 1});
    ck_assert_uint_eq(scenario->node_count, 4);
    const struct scen_listed_node *nodes = scenario->nodes;
    ck_assert_double_eq_tol(nodes[0].node.traits->idle_w, 80, 1e-9);
    ck_assert_double_eq_tol(nodes[0].node.traits->peak_w, 740 / 0.8, 1e-9);
    ck_assert_str_eq(nodes[0].node.known_as, "p100");
    is_unknown(nodes[1].node.traits);
    ck_assert_ptr_null(nodes[1].node.known_as);
    ck_assert_ptr_eq(nodes[2].node.traits, nodes[0].node.traits);
    ck_assert_ptr_ne(nodes[3].node.traits, nodes[0].node.traits);
    scenario_destroy(scenario);
    free(set);
    harness_forget(path);
}
END_TEST

/* Words in the order of the enums. */
static const struct word_row {
    const char *links, *network;
    enum traits_links link;
    enum traits_network net;
} word_rows[] = {
    {"pcie", "none", LINKS_PCIE, NETWORK_NONE},
    {"pairs", "infiniband", LINKS_PAIRS, NETWORK_INFINIBAND},
    {"cube-mesh", "roce", LINKS_CUBE_MESH, NETWORK_ROCE},
    {"mesh", "tcp", LINKS_MESH, NETWORK_TCP},
    {"switch", "tcp", LINKS_SWITCH, NETWORK_TCP},
};

START_TEST(words_become_kinds)
{
    const struct word_row *row = &word_rows[_i];
    int nics = row->net == NETWORK_NONE ? 0 : 1;
    char *text = mem_format(NODE("{\"gpus\": 8, \"links\": \"%s\", \"network\": \"%s\", \"nics\": "
                                 "%d, \"nic_gbit_s\": %d}"),
                            row->links, row->network, nics, nics * 100);
    struct scenario *scenario = load_text(text, NULL);
    ck_assert_int_eq(traits_of(scenario)->links, row->link);
    ck_assert_int_eq(traits_of(scenario)->network, row->net);
    scenario_destroy(scenario);
    free(text);
}
END_TEST

/* Without `nic_of`, NICs are assigned in order: the NIC of the first, third, last of 8 devices. */
static const struct nic_row {
    int nics, first, third, last;
} nic_rows[] = {
    {1, 0, 0, 0}, {2, 0, 0, 1}, {4, 0, 1, 3}, {8, 0, 2, 7}, {16, 0, 4, 14},
};

START_TEST(nics_are_dealt_out)
{
    const struct nic_row *row = &nic_rows[_i];
    char *text = mem_format(
        NODE("{\"gpus\": 8, \"network\": \"tcp\", \"nics\": %d, \"nic_gbit_s\": 100}"), row->nics);
    struct scenario *scenario = load_text(text, NULL);
    const int *nic_of = traits_of(scenario)->nic_of;
    ck_assert_int_eq(nic_of[0], row->first);
    ck_assert_int_eq(nic_of[2], row->third);
    ck_assert_int_eq(nic_of[7], row->last);
    scenario_destroy(scenario);
    free(text);
}
END_TEST

START_TEST(the_command_line_changes_a_node)
{
    static const char text[] =
        NODE("{\"gpus\": 8, \"network\": \"infiniband\", \"nics\": 8, \"nic_gbit_s\": 200}");
    const char *sets[] = {"fleet.pools.0.node.nics=4", "fleet.pools.0.node.idle_w=1000.5",
                          "fleet.pools[0].node.network=\"roce\""};
    struct scenario *scenario =
        load_text(text, &(struct scen_overrides){.set = sets, .set_count = 3});
    const struct node_traits *t = traits_of(scenario);
    ck_assert(t->nics == 4 && t->idle_w == 1000.5 && t->network == NETWORK_ROCE &&
              t->nic_gbit == 200);
    scenario_destroy(scenario);
}
END_TEST

START_TEST(a_name_takes_the_catalogues_traits)
{
    struct scen_node *nodes = NULL;
    size_t count = 0;
    struct err err = {0};
    ck_assert(catalog_nodes(&nodes, &count, &err));
    for (size_t i = 0; i < count; i++) {
        char *text = mem_format(NODE("\"%s\""), nodes[i].name);
        struct scenario *scenario = load_text(text, NULL);
        ck_assert_ptr_ne(traits_of(scenario), nodes[i].traits);
        ck_assert_mem_eq(traits_of(scenario), nodes[i].traits, sizeof(struct node_traits));
        scenario_destroy(scenario);
        free(text);
    }
    catalog_free(nodes, count);
}
END_TEST

/* A node with more keys than amounts gives the same scenario when its resolved text is read. */
START_TEST(resolved_text_keeps_the_traits)
{
    struct scenario *first =
        load_text(NODE("{\"gpus\": 2, \"links\": \"mesh\", \"busbw_of\": {\"2\": 80.5}, \"numa\": "
                       "2, \"numa_of\": [0, 1], \"peak_w\": 700, \"sources\": {\"peak_w\": "
                       "\"measured\"}, \"unverified\": [\"numa\"]}"),
                  NULL);
    struct scenario *second = load_text(first->resolved, NULL);
    ck_assert_str_eq(first->resolved, second->resolved);
    ck_assert_mem_eq(traits_of(first), traits_of(second), sizeof(struct node_traits));
    ck_assert(traits_of(second)->busbw_of[2] == 80.5 && traits_of(second)->numa_of[1] == 1);
    scenario_destroy(first);
    scenario_destroy(second);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fill_node");
    TCase *tcase = tcase_create("traits");
    tcase_add_test(tcase, every_key_is_read);
    tcase_add_test(tcase, what_is_not_said_is_unknown);
    tcase_add_test(tcase, nodes_of_a_list_have_what_is_known_of_their_devices);
    tcase_add_loop_test(tcase, words_become_kinds, 0, ROWS(word_rows));
    tcase_add_loop_test(tcase, nics_are_dealt_out, 0, ROWS(nic_rows));
    tcase_add_test(tcase, the_command_line_changes_a_node);
    tcase_add_test(tcase, a_name_takes_the_catalogues_traits);
    tcase_add_test(tcase, resolved_text_keeps_the_traits);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
