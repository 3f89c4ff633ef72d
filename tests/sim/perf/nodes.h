/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of nodes for tests of speed: the figures of published machines, as few as the arithmetic
 * needs. */
#ifndef TESTS_SIM_PERF_NODES_H
#define TESTS_SIM_PERF_NODES_H

#include "sim/perf/step.h"
#include "tests/lib/harness.h"

#include <math.h>

static inline struct node_traits nodes_make(enum traits_links links, double busbw_gbps,
                                            enum traits_network network, int nics, double nic_gbit,
                                            int gpus)
{
    struct node_traits traits = {.links = links,
                                 .busbw_gbps = busbw_gbps,
                                 .nvlink_nodes = 1,
                                 .network = network,
                                 .nics = nics,
                                 .nic_gbit = nic_gbit};
    for (int i = 0; i < gpus; i++)
        traits.nic_of[i] = i * nics / gpus;
    return traits;
}

/* 8 x 200 Gbit/s: efficiency 0.96 gives 192 GB/s, of 190 in the preset. */
static inline struct node_traits nodes_dgx_a100(void)
{
    return nodes_make(LINKS_SWITCH, 230, NETWORK_INFINIBAND, 8, 200, 8);
}

/* Its collectives across the fleet reach 352 of 400 GB/s. */
static inline struct node_traits nodes_dgx_h100(void)
{
    struct node_traits traits = nodes_make(LINKS_SWITCH, 480, NETWORK_INFINIBAND, 8, 400, 8);
    traits.nic_efficiency = 0.88;
    return traits;
}

static inline struct node_traits nodes_dgx1v(void)
{
    return nodes_make(LINKS_CUBE_MESH, 125, NETWORK_INFINIBAND, 4, 100, 8);
}

static inline struct node_traits nodes_pairs(void)
{
    struct node_traits traits = nodes_make(LINKS_PAIRS, 20, NETWORK_INFINIBAND, 2, 100, 8);
    traits.pair_gbps = 208;
    traits.pcie_gbps = 20;
    return traits;
}

/* A tray of an NVL72 rack. */
static inline struct node_traits nodes_gb200(void)
{
    struct node_traits traits = nodes_make(LINKS_SWITCH, 680, NETWORK_INFINIBAND, 4, 400, 4);
    traits.nic_efficiency = 0.98;
    traits.nvlink_nodes = 18;
    traits.nvlink_domain_gbps = 840;
    return traits;
}

/* g4dn.12xlarge: four T4 on PCIe, 50 Gbit/s. 6 GB/s among them is an assumption. */
static inline struct node_traits nodes_t4(void)
{
    struct node_traits traits = nodes_make(LINKS_PCIE, 0, NETWORK_TCP, 1, 50, 4);
    traits.pcie_gbps = 6;
    return traits;
}

/* `nodes` nodes with `gpus` devices of the job each. */
static inline struct perf_part nodes_part(const struct node_traits *traits, int node_gpus,
                                          int nodes, int gpus)
{
    struct perf_part part = perf_part(traits, node_gpus, gpus);
    part.nodes = nodes;
    return part;
}

static inline double nodes_step_s(const struct perf_rules *rules, const struct perf_model *model,
                                  const struct node_traits *traits, int node_gpus, int nodes,
                                  int gpus, struct perf_step *step)
{
    struct perf_part part = nodes_part(traits, node_gpus, nodes, gpus);
    return perf_step(rules, model, &(struct perf_place){.parts = &part, .count = 1}, step);
}

static inline double nodes_gbps(const struct perf_rules *rules, const struct node_traits *traits,
                                int node_gpus, int nodes, int gpus)
{
    struct perf_part part = nodes_part(traits, node_gpus, nodes, gpus);
    return perf_bandwidth(rules, &(struct perf_place){.parts = &part, .count = 1}, 1).gbps;
}

/* Within this many percent of the published value. */
#define nodes_within(got, published, percent)                                                      \
    ck_assert_msg(fabs((got) / (published)-1) <= (percent) / 100.0,                                \
                  "%g is %+.2f %% from %g, more than %g %%", (double)(got),                        \
                  ((got) / (published)-1) * 100, (double)(published), (double)(percent))

#endif
