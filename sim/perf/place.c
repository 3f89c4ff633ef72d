/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part with nothing special about it. */
#include "sim/perf/place.h"

uint64_t perf_lowest(int n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

int perf_part_devices(const struct perf_part *part)
{
    return part->gpus * part->nodes * (part->traits->nvlink_nodes > 1 ? part->domains : 1);
}

struct perf_part perf_part(const struct node_traits *traits, int node_gpus, int gpus)
{
    return (struct perf_part){
        .traits = traits,
        .node_gpus = node_gpus,
        .gpus = gpus,
        .devices = perf_lowest(gpus),
        .nodes = 1,
        .domains = 1,
        .speed = 1,
        .cores = -1,
        .keeps = 1,
        .nic_share = 1,
    };
}
