/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bandwidth by placement: one walk over the parts, domain by domain. */
#include "sim/perf/bandwidth.h"

#include <math.h>
#include <string.h>

#define GBIT_PER_GB   8.0
#define TREE_OF_NODE  0.9
#define MAX_NIC_INDEX 64

const struct perf_hockney perf_hockney[] = {
    {"a100", 58, 208}, {"h100", 41, 441},
    {"h200", 36, 442}, {"gb200", 24, 625}, /* a tray of four */
    {NULL, 0, 0},
};

void perf_rules_init(struct perf_rules *rules)
{
    *rules = (struct perf_rules){.latency = {40, 60, 87}, .two_node_tree = true};
    rings_count(rings_dgx1v_links, rules->rings);
}

const char *perf_limit_name(enum perf_limit limit)
{
    static const char *const names[PERF_LIMITS] = {"none", "node", "nic", "uplink"};
    return names[limit];
}

/* ---- inside a node */

/* By halves; the compiler's own needs a call where the processor may lack the instruction. */
static int count_bits(uint64_t set)
{
    set -= set >> 1 & UINT64_C(0x5555555555555555);
    set = (set & UINT64_C(0x3333333333333333)) + (set >> 2 & UINT64_C(0x3333333333333333));
    set = (set + (set >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)(set * UINT64_C(0x0101010101010101) >> 56);
}

static double known(double gbps)
{
    return gbps > 0 ? gbps : (double)INFINITY;
}

/* A set is bridged when it is one pair: devices 2i and 2i + 1. */
static bool is_pair(uint64_t devices, int n)
{
    uint64_t even = UINT64_C(0x5555555555555555) & devices;
    return n == 2 && devices == (even | even << 1);
}

static double cube_mesh_gbps(const struct perf_rules *rules, const struct node_traits *traits,
                             uint64_t devices)
{
    int rings = devices < RINGS_SETS ? rules->rings[devices] : 0;
    if (rings > 0)
        return known(traits->busbw_gbps * rings / RINGS_MOST);
    return traits->pcie_gbps > 0 ? traits->pcie_gbps : PERF_PCIE3_GBPS;
}

double perf_node_gbps(const struct perf_rules *rules, const struct node_traits *traits,
                      int node_gpus, uint64_t devices)
{
    int n = count_bits(devices);
    if (n < 2)
        return (double)INFINITY;
    if (n <= TRAITS_DEVICES && traits->busbw_of[n] > 0 && traits->links != LINKS_CUBE_MESH)
        return traits->busbw_of[n];
    switch (traits->links) {
    case LINKS_PCIE:
        return known(traits->pcie_gbps > 0 ? traits->pcie_gbps : traits->busbw_gbps);
    case LINKS_PAIRS:
        return known(is_pair(devices, n) ? traits->pair_gbps : traits->pcie_gbps);
    case LINKS_CUBE_MESH:
        return cube_mesh_gbps(rules, traits, devices);
    case LINKS_MESH: /* each device has as many links to each other one */
        return known(traits->busbw_gbps * (n - 1) / (node_gpus > n ? node_gpus - 1 : n - 1));
    case LINKS_SWITCH:
    case LINKS_KINDS:
        break;
    }
    return known(traits->busbw_gbps);
}

/* ---- towards other nodes */

static double nic_rate(const struct node_traits *traits)
{
    static const double usual[NETWORK_KINDS] = {
        [NETWORK_NONE] = 1,
        [NETWORK_INFINIBAND] = PERF_EFFICIENCY_INFINIBAND,
        [NETWORK_ROCE] = PERF_EFFICIENCY_ROCE,
        [NETWORK_TCP] = PERF_EFFICIENCY_TCP,
    };
    double efficiency =
        traits->nic_efficiency > 0 ? traits->nic_efficiency : usual[traits->network];
    return traits->nic_gbit / GBIT_PER_GB * efficiency;
}

/* How many NICs stand next to these devices. More NICs than devices are dealt out evenly. */
static double nics_of(const struct node_traits *traits, int node_gpus, uint64_t devices)
{
    int n = count_bits(devices);
    if (n >= node_gpus || traits->network == NETWORK_TCP)
        return traits->nics;
    if (traits->nics >= node_gpus)
        return (double)traits->nics * n / node_gpus;
    uint64_t nics = 0;
    for (uint64_t rest = devices; rest; rest &= rest - 1)
        nics |= UINT64_C(1) << (traits->nic_of[__builtin_ctzll(rest)] & (MAX_NIC_INDEX - 1));
    return count_bits(nics);
}

double perf_nic_gbps(const struct node_traits *traits, int node_gpus, uint64_t devices)
{
    if (traits->nics <= 0 || traits->nic_gbit <= 0)
        return (double)INFINITY;
    return nics_of(traits, node_gpus, devices) * nic_rate(traits);
}

/* Of one of the rings that run side by side through a node of the part. */
static double part_net_gbps(const struct perf_part *part, int group)
{
    double gbps = perf_nic_gbps(part->traits, part->node_gpus, part->devices) * part->nic_share;
    if (part->nics_remote)
        gbps *= PERF_NIC_REMOTE;
    return group > 1 ? gbps / (part->gpus < group ? part->gpus : group) : gbps;
}

/* ---- domains */

/* An NVLink domain, or several alike: what its parts hold, or the nodes of one part that are
 * domains each. */
struct domain {
    double node_gbps, net_gbps; /* of the slowest, where there are several */
    int devices, nodes;
    int domains;
    double domain_gbps; /* of a whole domain of several nodes; infinite for single nodes */
};

/*
 * Reads the domain at the front of the parts; returns how many parts it has. The NICs of a domain's
 * nodes add up: NVLink brings the data to the right tray.
 */
static size_t read_domain(const struct perf_rules *rules, const struct perf_part *parts,
                          size_t count, int group, struct domain *domain)
{
    const struct perf_part *part = &parts[0];
    const struct node_traits *traits = part->traits;
    *domain = (struct domain){
        .node_gbps = perf_node_gbps(rules, traits, part->node_gpus, part->devices),
        .net_gbps = part_net_gbps(part, group),
        .devices = perf_part_devices(part),
        .nodes = part->nodes,
        .domains = part->nodes,
        .domain_gbps = (double)INFINITY,
    };
    if (traits->nvlink_nodes <= 1)
        return 1;
    size_t n = 1;
    domain->net_gbps *= part->nodes;
    for (; n < count && parts[n].domain == part->domain && parts[n].traits->nvlink_nodes > 1; n++) {
        domain->net_gbps += part_net_gbps(&parts[n], group) * parts[n].nodes;
        domain->devices += perf_part_devices(&parts[n]);
        domain->nodes += parts[n].nodes;
    }
    domain->domains = part->domains;
    domain->domain_gbps = known(traits->nvlink_domain_gbps);
    if (domain->nodes > 1)
        domain->node_gbps = domain->domain_gbps;
    domain->nodes *= part->domains;
    return n;
}

/*
 * All-reduces over several NVL72 racks fall short of their NICs: 820 GB/s over two and 405 over
 * twenty, against 840 within one (coreweave/nccl-tests, 17 GB). Interpolated by the logarithm of
 * the number of racks; beyond twenty nothing is known.
 */
static double between_domains(double domain_gbps, int domains)
{
    const double two = 820.0 / 840, twenty = 405.0 / 840;
    double step = log2(domains / 2.0) / log2(20 / 2.0);
    return domain_gbps * (two - (two - twenty) * (step < 1 ? step : 1));
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* Takes a limit into account that is lower than those before it. */
static void limit(struct perf_bandwidth *bandwidth, double gbps, enum perf_limit by)
{
    if (gbps < bandwidth->gbps) {
        bandwidth->gbps = gbps;
        bandwidth->limit = by;
    }
}

/* A tree over two domains carries in both directions what a ring carries in one. */
static double tree_gbps(const struct perf_bandwidth *bandwidth, int group)
{
    double ranks = (double)bandwidth->devices / group;
    double net = ranks > 1 ? 2 * (ranks - 1) / ranks * bandwidth->net_gbps : bandwidth->net_gbps;
    return smaller(TREE_OF_NODE * bandwidth->node_gbps, net);
}

struct perf_bandwidth perf_bandwidth(const struct perf_rules *rules, const struct perf_place *place,
                                     int group)
{
    struct perf_bandwidth all = {
        .gbps = (double)INFINITY, .node_gbps = (double)INFINITY, .net_gbps = (double)INFINITY};
    double domain_gbps = (double)INFINITY;
    struct domain domain;
    for (size_t i = 0; i < place->count;) {
        i += read_domain(rules, &place->parts[i], place->count - i, group, &domain);
        all.node_gbps = smaller(all.node_gbps, domain.node_gbps);
        all.net_gbps = smaller(all.net_gbps, domain.net_gbps);
        domain_gbps = smaller(domain_gbps, domain.domain_gbps);
        all.devices += domain.devices;
        all.nodes += domain.nodes;
        all.domains += domain.domains;
    }
    limit(&all, all.node_gbps, PERF_LIMIT_NODE);
    if (all.domains == 1) {
        all.net_gbps = (double)INFINITY;
        return all;
    }
    limit(&all, all.net_gbps, PERF_LIMIT_NIC);
    if (isfinite(domain_gbps))
        limit(&all, between_domains(domain_gbps, all.domains), PERF_LIMIT_NIC);
    if (rules->two_node_tree && all.domains == 2 && isinf(domain_gbps))
        all.gbps = fmax(all.gbps, tree_gbps(&all, group));
    for (size_t i = 0; i < place->uplinks; i++)
        limit(&all, place->uplink_gbps[i], PERF_LIMIT_UPLINK);
    return all;
}

double perf_all_reduce_s(const struct perf_rules *rules, const struct perf_bandwidth *bandwidth,
                         int n, double size_gb)
{
    const struct perf_latency *latency = &rules->latency;
    double latency_us = bandwidth->domains > 1
                            ? latency->base_us + latency->log2_us * log2(bandwidth->domains)
                            : latency->domain_us;
    return n > 1 ? latency_us * 1e-6 + 2.0 * (n - 1) / n * size_gb / bandwidth->gbps : 0;
}
