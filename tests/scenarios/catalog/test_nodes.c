/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The catalogue's rows: figures against those of vendors and measurements, and the figures that
 * every row needs. */
#include "scenarios/scenario.h"
#include "tests/lib/harness.h"

#include <string.h>

/* Memory of a device in GB, cores, host memory in GB (-1 not stated), NVLink GB/s, NICs x Gbit/s,
 * nameplate W. */
static const struct node_row {
    const char *name;
    int gpus;
    const char *gpu_type;
    int gpu_gb, cpus, mem_gb;
    enum traits_links links;
    double nvlink_gbps, busbw_gbps;
    int nics;
    double nic_gbit, peak_w;
} node_rows[] = {
    {"dgx-1v", 8, "v100", 32, 40, 512, LINKS_CUBE_MESH, 300, 125, 4, 100, 3500},
    {"dgx-1v-16", 8, "v100", 16, 40, 512, LINKS_CUBE_MESH, 300, 125, 4, 100, 3500},
    {"dgx-2", 16, "v100", 32, 48, 1536, LINKS_SWITCH, 300, 135, 8, 100, 10000},
    {"dgx-a100", 8, "a100", 80, 128, 2048, LINKS_SWITCH, 600, 230, 8, 200, 6500},
    {"dgx-a100-40", 8, "a100", 40, 128, 1024, LINKS_SWITCH, 600, 230, 8, 200, 6500},
    {"dgx-h100", 8, "h100", 80, 112, 2048, LINKS_SWITCH, 900, 480, 8, 400, 10200},
    {"dgx-h200", 8, "h200", 141, 112, 2048, LINKS_SWITCH, 900, 480, 8, 400, 10200},
    {"dgx-b200", 8, "b200", 180, 112, 2048, LINKS_SWITCH, 1800, 840, 8, 400, 14300},
    {"gb200-nvl72", 4, "gb200", 186, 144, 967, LINKS_SWITCH, 1800, 680, 4, 400, 6667},
    {"hgx-a100-4", 4, "a100", 40, -1, -1, LINKS_MESH, 600, 240, 4, 200, 0},
    {"pcie-8x-a100", 8, "a100-pcie", 80, -1, 1024, LINKS_PAIRS, 600, 20, 2, 100, 4000},
    {"pcie-8x-h100", 8, "h100-pcie", 80, -1, 1024, LINKS_PAIRS, 600, 20, 2, 200, 5000},
    {"pcie-8x-l40s", 8, "l40s", 48, -1, 512, LINKS_PCIE, 0, 20, 1, 100, 4000},
    {"cloud-4x-t4", 4, "t4", 16, 48, 192, LINKS_PCIE, 0, 12, 1, 50, 0},
    {"workstation", 4, "a100", 80, 64, 512, LINKS_MESH, 600, 240, 2, 10, 1500},
};

static struct scen_node *rows_of_catalog(size_t *count)
{
    struct scen_node *nodes = NULL;
    struct err err = {0};
    ck_assert_msg(catalog_nodes(&nodes, count, &err), "%s", err.msg);
    return nodes;
}

static const struct scen_node *find(const struct scen_node *nodes, size_t count, const char *name)
{
    const struct scen_node *found = NULL;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(nodes[i].name, name) != 0)
            continue;
        ck_assert_ptr_null(found);
        found = &nodes[i];
    }
    ck_assert_msg(found != NULL, "no node '%s'", name);
    return found;
}

START_TEST(nodes_have_their_figures)
{
    const struct node_row *row = &node_rows[_i];
    size_t count = 0;
    struct scen_node *nodes = rows_of_catalog(&count);
    const struct scen_node *node = find(nodes, count, row->name);
    ck_assert_int_eq(node->gpus, row->gpus);
    ck_assert_str_eq(node->gpu_type, row->gpu_type);
    ck_assert_int_eq(node->gpu_mem_mib, row->gpu_gb * 1024);
    ck_assert_int_eq(node->cpu_milli, row->cpus < 0 ? -1 : row->cpus * 1000);
    ck_assert_int_eq(node->mem_mib, row->mem_gb < 0 ? -1 : row->mem_gb * 1024);
    ck_assert_int_eq(node->max_tasks, -1);
    ck_assert_int_eq(node->traits->links, row->links);
    ck_assert_double_eq(node->traits->nvlink_gbps, row->nvlink_gbps);
    ck_assert_double_eq(node->traits->busbw_gbps, row->busbw_gbps);
    ck_assert_int_eq(node->traits->nics, row->nics);
    ck_assert_double_eq(node->traits->nic_gbit, row->nic_gbit);
    ck_assert_double_eq(node->traits->peak_w, row->peak_w);
    catalog_free(nodes, count);
}
END_TEST

/* Bandwidth follows from the kind of links; no collective is faster than both directions of the
 * links together. */
static void links_are_complete(const char *name, const struct node_traits *t)
{
    bool nvlink = t->links != LINKS_PCIE;
    ck_assert_msg(t->busbw_gbps > 0, "%s: busbw", name);
    ck_assert_msg((t->nvlink_gbps > 0) == nvlink, "%s: nvlink", name);
    ck_assert_msg(!nvlink || t->busbw_gbps <= t->nvlink_gbps, "%s: busbw above NVLink", name);
    ck_assert_msg((t->pair_gbps > 0) == (t->links == LINKS_PAIRS), "%s: pair", name);
    bool pcie = t->links == LINKS_PCIE || t->links == LINKS_PAIRS || t->links == LINKS_CUBE_MESH;
    ck_assert_msg((t->pcie_gbps > 0) == pcie, "%s: pcie", name);
    ck_assert_msg((t->nvlink_nodes > 1) == (t->nvlink_domain_gbps > 0), "%s: domain", name);
    for (int n = 2; n <= TRAITS_DEVICES; n++)
        ck_assert_msg(t->busbw_of[n] <= t->busbw_gbps, "%s: %d devices beat all of them", name, n);
}

START_TEST(every_node_is_complete)
{
    size_t count = 0;
    struct scen_node *nodes = rows_of_catalog(&count);
    ck_assert_uint_ge(count, 15);
    for (size_t i = 0; i < count; i++) {
        const struct scen_node *node = &nodes[i];
        const struct node_traits *t = node->traits;
        ck_assert_str_ne(node->summary, "");
        ck_assert_str_ne(node->gpu_type, "any");
        ck_assert_msg(node->gpus > 0 && node->gpu_mem_mib > 0, "%s: devices", node->name);
        ck_assert_msg(t->network != NETWORK_NONE && t->nics > 0 && t->nic_gbit > 0, "%s: network",
                      node->name);
        ck_assert_msg(node->gpus % t->nics == 0, "%s: NICs do not divide among devices",
                      node->name);
        for (int d = 0; d < node->gpus; d++)
            ck_assert_msg(t->nic_of[d] == d * t->nics / node->gpus, "%s: NIC of %d", node->name, d);
        ck_assert_msg((t->sockets > 0) == (t->numa > 0), "%s: sockets and NUMA", node->name);
        links_are_complete(node->name, t);
        for (size_t k = 0; k < i; k++)
            ck_assert_str_ne(nodes[i].name, nodes[k].name);
    }
    catalog_free(nodes, count);
}
END_TEST

/* NUMA domain and PCIe switch of devices, and the job sizes, out of 8, with known bandwidth. */
START_TEST(affinity_is_that_of_the_machines)
{
    size_t count = 0;
    struct scen_node *nodes = rows_of_catalog(&count);
    static const int a100_numa[] = {3, 3, 1, 1, 7, 7, 5, 5};
    const struct node_traits *a100 = find(nodes, count, "dgx-a100")->traits;
    const struct node_traits *h100 = find(nodes, count, "dgx-h100")->traits;
    const struct node_traits *dgx1 = find(nodes, count, "dgx-1v")->traits;
    const struct node_traits *b200 = find(nodes, count, "dgx-b200")->traits;
    for (int d = 0; d < 8; d++) {
        ck_assert(a100->numa_of[d] == a100_numa[d] && a100->pcie_of[d] == d / 2);
        ck_assert(h100->numa_of[d] == d / 4 && h100->pcie_of[d] == d && h100->nic_of[d] == d);
        ck_assert(dgx1->numa_of[d] == d / 4 && dgx1->pcie_of[d] == d / 2 &&
                  dgx1->nic_of[d] == d / 2);
        ck_assert(b200->numa_of[d] == d / 4 && b200->pcie_of[d] == d / 2 && b200->nic_of[d] == d);
    }
    ck_assert(a100->sockets == 2 && a100->numa == 8 && h100->numa == 2);
    ck_assert(h100->busbw_of[4] == 370 && h100->busbw_of[5] == 420 && h100->busbw_of[7] == 460);
    const struct node_traits *tray = find(nodes, count, "gb200-nvl72")->traits;
    ck_assert(tray->nvlink_nodes * find(nodes, count, "gb200-nvl72")->gpus == 72);
    ck_assert(tray->nvlink_domain_gbps == 840);
    catalog_free(nodes, count);
}
END_TEST

/* A rack of 18 trays: 120 kW, 17 TB of memory, 3 million USD, 36 CPUs of 72 cores. */
START_TEST(trays_make_a_rack)
{
    size_t count = 0;
    struct scen_node *nodes = rows_of_catalog(&count);
    const struct scen_node *tray = find(nodes, count, "gb200-nvl72");
    ck_assert_double_eq_tol(18 * tray->traits->peak_w, 120e3, 18);
    ck_assert_double_eq_tol(18 * tray->traits->usd, 3.24e6,
                            18); /* of racks for 3.1 and 3.4 million */
    ck_assert_double_eq_tol(18.0 * (double)tray->mem_mib / (1024 * 1024), 17, 0.01);
    ck_assert_int_eq(18 * tray->cpu_milli, 36 * 72 * 1000);
    catalog_free(nodes, count);
}
END_TEST

/*
 * USD per hour are devices times the rent of one; tests/sim/power/test_price.c has the survey's
 * sums. No node has a price that overrides both bases.
 */
static const struct rent_row {
    const char *name;
    int gpus;
    double rent, low, high, spot;
} rent_rows[] = {
    {"dgx-a100-40", 8, 1.75, 0.80, 2.74, 0.625}, {"dgx-a100", 8, 2, 1.39, 3.43, 1.15},
    {"dgx-h100", 8, 3.5, 2.69, 12.29, 2.45},     {"dgx-h200", 8, 4.3, 3.99, 8, 2.62},
    {"dgx-b200", 8, 6.4, 5, 14.24, 4.26},        {"dgx-b300", 8, 7.5, 6, 7.89, 4.48},
    {"gb200-nvl72", 4, 10.5, 4.5, 10.5, 0},      {"dgx-1v", 8, 0.79, 0.79, 3.06, 0.3},
};

START_TEST(rent_is_by_device)
{
    size_t count = 0;
    struct scen_node *nodes = rows_of_catalog(&count);
    const struct rent_row *row = &rent_rows[_i];
    const struct node_traits *traits = find(nodes, count, row->name)->traits;
    ck_assert_double_eq_tol(traits->rent_usd_per_hour, row->gpus * row->rent, 1e-9);
    ck_assert_double_eq_tol(traits->rent_low, row->gpus * row->low, 1e-9);
    ck_assert_double_eq_tol(traits->rent_high, row->gpus * row->high, 1e-9);
    ck_assert_double_eq_tol(traits->spot_usd_per_hour, row->gpus * row->spot, 1e-9);
    for (size_t i = 0; i < count; i++)
        ck_assert_double_eq(nodes[i].traits->usd_per_hour, 0);
    catalog_free(nodes, count);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("catalog");
    TCase *tcase = tcase_create("nodes");
    tcase_add_loop_test(tcase, nodes_have_their_figures, 0, ROWS(node_rows));
    tcase_add_test(tcase, every_node_is_complete);
    tcase_add_test(tcase, affinity_is_that_of_the_machines);
    tcase_add_test(tcase, trays_make_a_rack);
    tcase_add_loop_test(tcase, rent_is_by_device, 0, ROWS(rent_rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
