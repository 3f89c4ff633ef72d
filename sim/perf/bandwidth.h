/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast a placement reduces gradients: the "busbw" of a large all-reduce as nccl-tests reports
 * it, in GB/s. An all-reduce of S over n ranks takes 2(n-1)/n S / busbw.
 *
 * A domain is a set of devices joined by NVLink: a node, or the trays of an NVL72 rack. Within a
 * domain a job has the bandwidth of its devices there; between domains each device reaches the
 * network through the NIC next to it, and the domain with the fewest NICs is the bottleneck:
 *
 *     B_net = min over domains (NICs next to the job's devices x rate x efficiency x share)
 *     B     = min(B_node, B_net, its share of the uplinks of each tier that it crosses)
 *
 * This is why 7+1 devices are eight times slower than 4+4 on nodes with one NIC per device. Nodes
 * on TCP use their NICs with any number of devices. Where several rings run side by side (one for
 * each device of a tensor or pipeline group), they divide the NICs.
 *
 * Rules and presets come from published nccl-tests runs on A100, H100, B200, GB200 and DGX-1V
 * machines (Azure, NVIDIA/nccl and nccl-tests issues, CoreWeave), which this reproduces within 12
 * %. Weaker evidence is noted at each constant below.
 */
#ifndef SIM_PERF_BANDWIDTH_H
#define SIM_PERF_BANDWIDTH_H

#include "sim/perf/place.h"
#include "sim/perf/rings.h"

/* Share of a NIC's rate that a large all-reduce reaches, unless the node has its own. */
#define PERF_EFFICIENCY_INFINIBAND 0.96 /* 0.95 to 0.98 measured */
#define PERF_EFFICIENCY_ROCE       0.80 /* 0.75 to 0.85 */
/* assumed: the lower end of RoCE; single flows may be far slower */
#define PERF_EFFICIENCY_TCP 0.75

/* Of a NIC on the other socket: 16 of 24 GB/s (NVIDIA/nccl#412). */
#define PERF_NIC_REMOTE 0.67

/* DGX-1V devices without a common NVLink ring, unless the node has its own figure: PCIe 3 x16. */
#define PERF_PCIE3_GBPS 12.0

/* Latency of one all-reduce, microseconds: within a domain; between k domains base_us + log2_us
 * log2 k. */
struct perf_latency {
    double domain_us, base_us, log2_us;
};

/* Rules common to all jobs. */
struct perf_rules {
    uint8_t rings[RINGS_SETS]; /* of DGX-1V */
    struct perf_latency
        latency; /* 40, 60, 87: fits 40 measured points of H100 machines (4 to 512 nodes) to 5 % */
    bool two_node_tree; /* over two nodes NCCL uses trees: up to min(0.9 B_node, 2(n-1)/n B_net),
                           +-25 % */
};

void perf_rules_init(struct perf_rules *); /* with trees */

/*
 * Latencies and bandwidths measured on single machines, for all-reduces of 1 MB and more (+-15 to
 * 35 %; busbw of small messages is m / (latency + m / busbw)).
 */
struct perf_hockney {
    const char *name;
    double latency_us, busbw_gbps;
};
extern const struct perf_hockney perf_hockney[]; /* ends with a row without name */

/* What an all-reduce waits for. */
enum perf_limit {
    PERF_LIMIT_NONE = 0, /* one device, or no known limit */
    PERF_LIMIT_NODE,     /* links inside a node or NVLink domain */
    PERF_LIMIT_NIC,
    PERF_LIMIT_UPLINK,
    PERF_LIMITS
};
const char *perf_limit_name(enum perf_limit); /* "node"; "none" for none */

struct perf_bandwidth {
    double gbps;      /* B; infinite if unlimited */
    double node_gbps; /* B_node: the slowest domain's; infinite where no domain has two devices */
    double net_gbps;  /* B_net; infinite within one domain */
    int devices;      /* of the job */
    int domains;      /* k */
    int nodes;
    enum perf_limit limit;
};

/*
 * All rings of a job whose model groups `group` devices (tensor times pipeline parallel; 1: plain
 * data parallel), running side by side. At least one part, each with at least one device.
 */
struct perf_bandwidth perf_bandwidth(const struct perf_rules *, const struct perf_place *,
                                     int group);

/* Among a set of devices of one node; infinite for one device or if unknown. */
double perf_node_gbps(const struct perf_rules *, const struct node_traits *, int node_gpus,
                      uint64_t devices);

/* From these devices of one node to other nodes, if they alone use its NICs. */
double perf_nic_gbps(const struct node_traits *, int node_gpus, uint64_t devices);

/* One all-reduce of size_gb over n ranks: latency and transfer, seconds. */
double perf_all_reduce_s(const struct perf_rules *, const struct perf_bandwidth *, int n,
                         double size_gb);

#endif
