/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a job is placed, as far as speed is concerned: its devices on each node, and its share of
 * the uplinks that it crosses.
 *
 *     struct perf_part parts[] = {perf_part(&dgx, 8, 8), perf_part(&dgx, 8, 4)};
 *     struct perf_place place = {.parts = parts, .count = 2};
 *
 * Nodes on which a job has the same devices may share a part (`nodes`), so a job on 2,000 whole
 * nodes costs no more than one on two. Everything is owned by the caller.
 *
 * An NVLink domain of several nodes (an NVL72 rack) is one or more consecutive parts with the same
 * number in `domain`; racks with equal parts may share them (`domains`, equal in each of them).
 * Both are ignored for nodes that are domains by themselves.
 */
#ifndef SIM_PERF_PLACE_H
#define SIM_PERF_PLACE_H

#include "sim/fleet/traits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_part {
    const struct node_traits *traits;
    int node_gpus;    /* devices of such a node, up to TRAITS_DEVICES */
    int gpus;         /* of them the job's, 1 or more */
    uint64_t devices; /* which: `gpus` bits */
    int nodes;        /* so many alike, 1 or more */
    uint32_t domain;  /* NVLink domain */
    int domains;      /* so many alike, 1 or more */
    double
        speed; /* of a device, for this model (perf_ratio_of()); a slow one drags all others down */
    double cores; /* of the job on each node; below 0: not modelled */
    double keeps; /* share of their speed that is left to it on shared devices (share.h), above 0,
                     1: alone */
    double
        nic_share; /* what others leave it of each NIC, and its virtual network; above 0, 1: all */
    bool cores_remote; /* cores on another NUMA domain than the devices */
    bool nics_remote;  /* reaches its NICs through the other socket */
};

struct perf_place {
    const struct perf_part *parts;
    size_t count;
    const double
        *uplink_gbps; /* its share of the uplinks in each tier of the fabric that it crosses */
    size_t uplinks;
};

/* Devices of all nodes of a part. */
static inline int perf_part_devices(const struct perf_part *part)
{
    return part->gpus * part->nodes * (part->traits->nvlink_nodes > 1 ? part->domains : 1);
}

/* The lowest `gpus` of a node's devices, alone, at speed 1, cores not modelled. */
struct perf_part perf_part(const struct node_traits *, int node_gpus, int gpus);

/* The lowest n bits; all for n = 64. */
static inline uint64_t perf_lowest(int n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

#endif
