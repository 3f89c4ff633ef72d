/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traits of an unknown node, and when two nodes are equally fast. */
#include "sim/fleet/traits.h"

#include <string.h>

const struct node_traits traits_unknown = {.nvlink_nodes = 1};

/* Figures are as they were read, so equal ones have equal bytes; 0 is never written as -0. */
static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_links(const struct node_traits *a, const struct node_traits *b, int gpus)
{
    for (int i = 0; i <= gpus; i++)
        if (!same(a->busbw_of[i], b->busbw_of[i]))
            return false;
    return a->links == b->links && same(a->busbw_gbps, b->busbw_gbps) &&
           same(a->pair_gbps, b->pair_gbps) && same(a->pcie_gbps, b->pcie_gbps) &&
           a->nvlink_nodes == b->nvlink_nodes && same(a->nvlink_domain_gbps, b->nvlink_domain_gbps);
}

static bool same_network(const struct node_traits *a, const struct node_traits *b, int gpus)
{
    return a->network == b->network && a->nics == b->nics && same(a->nic_gbit, b->nic_gbit) &&
           same(a->nic_efficiency, b->nic_efficiency) &&
           memcmp(a->nic_of, b->nic_of, (size_t)gpus * sizeof *a->nic_of) == 0;
}

bool traits_same_device(const struct node_traits *a, const struct node_traits *b)
{
    return same(a->speed, b->speed) && same(a->gpu_mem_gb, b->gpu_mem_gb) &&
           same(a->bf16_tflops, b->bf16_tflops) && same(a->mem_tb_s, b->mem_tb_s);
}

bool traits_alike(const struct node_traits *a, const struct node_traits *b, int gpus)
{
    return a == b || (same_links(a, b, gpus) && same_network(a, b, gpus) &&
                      a->sockets == b->sockets && a->numa == b->numa && traits_same_device(a, b) &&
                      memcmp(a->numa_of, b->numa_of, (size_t)gpus * sizeof *a->numa_of) == 0);
}

bool traits_know_links(const struct node_traits *t)
{
    bool known = t->busbw_gbps > 0 || t->pair_gbps > 0 || t->pcie_gbps > 0 ||
                 (t->nics > 0 && t->nic_gbit > 0);
    for (int i = 0; i <= TRAITS_DEVICES && !known; i++)
        known = t->busbw_of[i] > 0;
    return known;
}
