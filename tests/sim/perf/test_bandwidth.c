/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bandwidth by placement against published nccl-tests runs: validation rows C1, C2, C5, C6 and the
 * rules behind them. */
#include "sim/perf/bandwidth.h"

#include "tests/sim/perf/nodes.h"

static struct perf_rules rules;

static void setup(void)
{
    perf_rules_init(&rules);
    rules.two_node_tree = false;
}

/* C1, C5, C6 and rows of the table of large-message all-reduces, with their tolerances. */
static const struct {
    const char *what;
    enum traits_links links;
    double busbw_gbps;
    int nics;
    double nic_gbit;
    int nodes, gpus;
    double published, percent;
} published_rows[] = {
    {"C1 A100, one node", LINKS_SWITCH, 230, 8, 200, 1, 8, 231.6, 2},
    {"C1 H100, one node", LINKS_SWITCH, 480, 8, 400, 1, 8, 478.9, 2},
    {"C5 B200, four nodes", LINKS_SWITCH, 840, 8, 400, 4, 8, 381.8, 3},
    {"C5 H100, 4 x 400, five", LINKS_SWITCH, 480, 4, 400, 5, 8, 190, 3},
    {"C6 A100, 4 x 200", LINKS_SWITCH, 230, 4, 200, 4, 8, 86, 12},
    {"C6 A100, 1 x 200", LINKS_SWITCH, 230, 1, 200, 4, 8, 24, 12},
    {"A100, 8 x 200", LINKS_SWITCH, 230, 8, 200, 4, 8, 192, 2},
};

START_TEST(large_all_reduces_are_as_published)
{
    struct node_traits traits =
        nodes_make(published_rows[_i].links, published_rows[_i].busbw_gbps, NETWORK_INFINIBAND,
                   published_rows[_i].nics, published_rows[_i].nic_gbit, 8);
    double gbps = nodes_gbps(&rules, &traits, 8, published_rows[_i].nodes, published_rows[_i].gpus);
    nodes_within(gbps, published_rows[_i].published, published_rows[_i].percent);
}
END_TEST

/* C2: points of the chart for 64 MiB on H100 machines of eight, without SHARP. */
static const struct {
    int nodes;
    double busbw_gbps;
} size_rows[] = {{4, 217},  {8, 190},   {16, 162},  {32, 152},
                 {64, 137}, {128, 122}, {256, 118}, {512, 112}};

START_TEST(smaller_messages_pay_latency)
{
    struct node_traits traits = nodes_dgx_h100();
    struct perf_part part = nodes_part(&traits, 8, size_rows[_i].nodes, 8);
    struct perf_bandwidth b =
        perf_bandwidth(&rules, &(struct perf_place){.parts = &part, .count = 1}, 1);
    double size_gb = 64 * 1048576 / 1e9, n = size_rows[_i].nodes * 8;
    double busbw = 2 * (n - 1) / n * size_gb / perf_all_reduce_s(&rules, &b, (int)n, size_gb);
    nodes_within(busbw, size_rows[_i].busbw_gbps, 15);
    /* 16 GiB: 340 to 360 GB/s at every scale. */
    size_gb = 16.0 * (1 << 30) / 1e9;
    busbw = 2 * (n - 1) / n * size_gb / perf_all_reduce_s(&rules, &b, (int)n, size_gb);
    nodes_within(busbw, 350, 5);
}
END_TEST

/* An all-reduce over one node takes 1.75 S / B: 8 GB at 230 GB/s, and a latency of 40 us. */
START_TEST(an_all_reduce_is_latency_and_transfer)
{
    struct node_traits traits = nodes_dgx_a100();
    struct perf_part part = nodes_part(&traits, 8, 1, 8);
    struct perf_bandwidth b =
        perf_bandwidth(&rules, &(struct perf_place){.parts = &part, .count = 1}, 1);
    ck_assert_double_eq_tol(perf_all_reduce_s(&rules, &b, 8, 8), 40e-6 + 1.75 * 8 / 230, 1e-12);
    ck_assert_double_eq(perf_all_reduce_s(&rules, &b, 1, 8), 0);
}
END_TEST

static struct perf_bandwidth of(const struct perf_part *parts, size_t count, const double *uplinks,
                                size_t n)
{
    return perf_bandwidth(
        &rules,
        &(struct perf_place){.parts = parts, .count = count, .uplink_gbps = uplinks, .uplinks = n},
        1);
}

/* 7 + 1 has one NIC at the narrow end, 4 + 4 has four: 24 and 96 GB/s. */
START_TEST(the_thinnest_node_rules)
{
    struct node_traits traits = nodes_dgx_a100();
    struct perf_part uneven[] = {nodes_part(&traits, 8, 1, 7), nodes_part(&traits, 8, 1, 1)};
    struct perf_part even[] = {nodes_part(&traits, 8, 2, 4)};
    struct perf_part thin[] = {nodes_part(&traits, 8, 8, 1)};
    ck_assert_double_eq_tol(of(uneven, 2, NULL, 0).gbps, 24, 1e-9);
    ck_assert_double_eq_tol(of(even, 1, NULL, 0).gbps, 96, 1e-9);
    ck_assert_double_eq_tol(of(thin, 1, NULL, 0).gbps, 24, 1e-9);
    ck_assert_int_eq(of(uneven, 2, NULL, 0).limit, PERF_LIMIT_NIC);
    ck_assert_int_eq(of(thin, 1, NULL, 0).devices, 8);
    ck_assert_int_eq(of(thin, 1, NULL, 0).nodes, 8);
}
END_TEST

/* The same job as one part of two nodes or as two parts. */
START_TEST(equal_nodes_may_share_a_part)
{
    struct node_traits traits = nodes_dgx_a100();
    struct perf_part one[] = {nodes_part(&traits, 8, 3, 8)};
    struct perf_part three[] = {nodes_part(&traits, 8, 1, 8), nodes_part(&traits, 8, 1, 8),
                                nodes_part(&traits, 8, 1, 8)};
    ck_assert_double_eq(of(one, 1, NULL, 0).gbps, of(three, 3, NULL, 0).gbps);
    ck_assert_int_eq(of(three, 3, NULL, 0).domains, 3);
}
END_TEST

START_TEST(uplinks_limit_jobs_that_cross_them)
{
    struct node_traits traits = nodes_dgx_a100();
    struct perf_part two[] = {nodes_part(&traits, 8, 4, 8)}, one[] = {nodes_part(&traits, 8, 1, 8)};
    const double shares[] = {400, 27.4};
    ck_assert_double_eq(of(two, 1, shares, 2).gbps, 27.4);
    ck_assert_int_eq(of(two, 1, shares, 2).limit, PERF_LIMIT_UPLINK);
    ck_assert_double_eq_tol(of(two, 1, shares, 1).gbps, 192, 1e-9);
    ck_assert_double_eq(of(one, 1, shares, 2).gbps, 230);
}
END_TEST

/* min(0.9 x 230, 2 x 15/16 x 192) = 207; 2 x 4: min(207, 1.75 x 96) = 168. */
START_TEST(two_nodes_may_use_trees)
{
    struct node_traits traits = nodes_dgx_a100();
    rules.two_node_tree = true;
    ck_assert_double_eq_tol(nodes_gbps(&rules, &traits, 8, 2, 8), 207, 1e-9);
    ck_assert_double_eq_tol(nodes_gbps(&rules, &traits, 8, 2, 4), 168, 1e-9);
    ck_assert_double_eq_tol(nodes_gbps(&rules, &traits, 8, 3, 8), 192, 1e-9);
}
END_TEST

/* 6 rings are 125 GB/s, a ring is 20.8; devices 0 and 5 are not linked. NICs: one for each pair of
 * devices. */
static const struct {
    uint64_t devices;
    double node_gbps, nic_gbps;
} cube_rows[] = {
    {0xff, 125, 48}, {0x09, 125.0 / 3, 24},        {0x03, 125.0 / 6, 12},
    {0x21, 12, 24},  {0x0f, 125 * 4 / 6.0, 24},    {0x55, 125.0 / 3, 48},
    {0x95, 12, 48},  {0x10, (double)INFINITY, 12},
};

START_TEST(a_cube_mesh_goes_by_its_devices)
{
    struct node_traits traits = nodes_dgx1v();
    double gbps = perf_node_gbps(&rules, &traits, 8, cube_rows[_i].devices),
           expected = cube_rows[_i].node_gbps;
    ck_assert_msg(gbps == expected || fabs(gbps - expected) < 1e-9, "%g, expected %g", gbps,
                  expected);
    ck_assert_double_eq_tol(perf_nic_gbps(&traits, 8, cube_rows[_i].devices),
                            cube_rows[_i].nic_gbps, 1e-9);
}
END_TEST

START_TEST(bridges_join_pairs_only)
{
    struct node_traits traits = nodes_pairs();
    ck_assert_double_eq(perf_node_gbps(&rules, &traits, 8, 0x03), 208);
    ck_assert_double_eq(perf_node_gbps(&rules, &traits, 8, 0x0c), 208);
    ck_assert_double_eq(perf_node_gbps(&rules, &traits, 8, 0x06), 20);
    ck_assert_double_eq(perf_node_gbps(&rules, &traits, 8, 0x07), 20);
}
END_TEST

/* Four devices with a third of each one's links to each of the others; and a table for fewer
 * devices. */
START_TEST(fewer_devices_may_have_less)
{
    struct node_traits mesh = nodes_make(LINKS_MESH, 240, NETWORK_INFINIBAND, 4, 200, 4);
    ck_assert_double_eq_tol(perf_node_gbps(&rules, &mesh, 4, 0x0f), 240, 1e-9);
    ck_assert_double_eq_tol(perf_node_gbps(&rules, &mesh, 4, 0x07), 160, 1e-9);
    ck_assert_double_eq_tol(perf_node_gbps(&rules, &mesh, 4, 0x05), 80, 1e-9);
    struct node_traits h100 = nodes_dgx_h100();
    h100.busbw_of[4] = 370;
    ck_assert_double_eq(perf_node_gbps(&rules, &h100, 8, 0xf0), 370);
    ck_assert_double_eq(perf_node_gbps(&rules, &h100, 8, 0xff), 480);
}
END_TEST

/* Eight trays of one rack are one domain; partitions of 4 and 8 in three racks have 196.9 and 393.7
 * (NVIDIA/nccl#1801). */
START_TEST(nvlink_domains_of_several_nodes)
{
    struct node_traits traits = nodes_gb200();
    struct perf_part rack[] = {nodes_part(&traits, 4, 17, 4), nodes_part(&traits, 4, 1, 2)};
    struct perf_bandwidth b = of(rack, 2, NULL, 0);
    ck_assert_double_eq(b.gbps, 840);
    ck_assert_int_eq(b.domains, 1);
    ck_assert_int_eq(b.nodes, 18);
    ck_assert_int_eq(b.devices, 70);
    struct perf_part three[] = {nodes_part(&traits, 4, 1, 4), nodes_part(&traits, 4, 1, 4),
                                nodes_part(&traits, 4, 1, 4)};
    three[1].domain = 1;
    three[2].domain = 2;
    nodes_within(of(three, 3, NULL, 0).gbps, 196.9, 2);
    three[0].nodes = three[1].nodes = three[2].nodes = 2;
    nodes_within(of(three, 3, NULL, 0).gbps, 393.7, 2);
    ck_assert_int_eq(of(three, 3, NULL, 0).domains, 3);
    struct perf_part alike[] = {nodes_part(&traits, 4, 2, 4)};
    alike[0].domains = 3;
    ck_assert_double_eq(of(alike, 1, NULL, 0).gbps, of(three, 3, NULL, 0).gbps);
    ck_assert_int_eq(of(alike, 1, NULL, 0).devices, 24);
    ck_assert_double_eq(nodes_gbps(&rules, &traits, 4, 1, 4), 680);
}
END_TEST

/* Whole racks: 820 over two, 405 over twenty, never less beyond. */
START_TEST(racks_fall_short_of_their_nics)
{
    struct node_traits traits = nodes_gb200();
    struct perf_part rack[] = {nodes_part(&traits, 4, 18, 4)};
    static const struct {
        int racks;
        double gbps;
    } rows[] = {{1, 840}, {2, 820}, {20, 405}, {40, 405}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rack[0].domains = rows[i].racks;
        ck_assert_double_eq_tol(of(rack, 1, NULL, 0).gbps, rows[i].gbps, 1e-9);
    }
}
END_TEST

/* TP8 on DGX A100: each of eight rings has one NIC. TP2: four. */
START_TEST(rings_side_by_side_share_the_nics)
{
    struct node_traits traits = nodes_dgx_a100();
    struct perf_part part = nodes_part(&traits, 8, 4, 8);
    struct perf_place place = {.parts = &part, .count = 1};
    ck_assert_double_eq_tol(perf_bandwidth(&rules, &place, 8).gbps, 24, 1e-9);
    ck_assert_double_eq_tol(perf_bandwidth(&rules, &place, 2).gbps, 96, 1e-9);
    ck_assert_double_eq_tol(perf_bandwidth(&rules, &place, 16).gbps, 24, 1e-9);
}
END_TEST

/* With TCP one device uses all NICs of the node; a NIC on the other socket and other jobs reduce
 * that. */
START_TEST(nics_by_network_and_neighbours)
{
    struct node_traits t4 = nodes_t4(), a100 = nodes_dgx_a100();
    ck_assert_double_eq_tol(nodes_gbps(&rules, &t4, 4, 4, 1), 50 / 8.0 * 0.75, 1e-9);
    struct perf_part part = nodes_part(&a100, 8, 4, 1);
    part.nics_remote = true;
    ck_assert_double_eq_tol(of(&part, 1, NULL, 0).gbps, 24 * 0.67, 1e-9);
    part.nic_share = 0.5;
    ck_assert_double_eq_tol(of(&part, 1, NULL, 0).gbps, 24 * 0.67 / 2, 1e-9);
}
END_TEST

START_TEST(unknown_values_limit_nothing)
{
    struct node_traits traits = {.links = LINKS_PCIE, .nvlink_nodes = 1};
    struct perf_part part = nodes_part(&traits, 8, 4, 8);
    struct perf_bandwidth b = of(&part, 1, NULL, 0);
    ck_assert(isinf(b.gbps));
    ck_assert_str_eq(perf_limit_name(b.limit), "none");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bandwidth");
    TCase *tcase = tcase_create("placement");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_loop_test(tcase, large_all_reduces_are_as_published, 0, ROWS(published_rows));
    tcase_add_loop_test(tcase, smaller_messages_pay_latency, 0, ROWS(size_rows));
    tcase_add_test(tcase, an_all_reduce_is_latency_and_transfer);
    tcase_add_test(tcase, the_thinnest_node_rules);
    tcase_add_test(tcase, equal_nodes_may_share_a_part);
    tcase_add_test(tcase, uplinks_limit_jobs_that_cross_them);
    tcase_add_test(tcase, two_nodes_may_use_trees);
    tcase_add_loop_test(tcase, a_cube_mesh_goes_by_its_devices, 0, ROWS(cube_rows));
    tcase_add_test(tcase, bridges_join_pairs_only);
    tcase_add_test(tcase, fewer_devices_may_have_less);
    tcase_add_test(tcase, nvlink_domains_of_several_nodes);
    tcase_add_test(tcase, racks_fall_short_of_their_nics);
    tcase_add_test(tcase, rings_side_by_side_share_the_nics);
    tcase_add_test(tcase, nics_by_network_and_neighbours);
    tcase_add_test(tcase, unknown_values_limit_nothing);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
