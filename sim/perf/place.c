/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part without special properties. */
#include "sim/perf/place.h"

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
