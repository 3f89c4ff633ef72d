/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The modelled fleet: pools of nodes with devices, and what is in use on them. It is the simulator's own picture,
 * kept apart from the policy core's: fleet_take() refuses what is impossible (a device twice, CPU that is not there),
 * so a mistake of a policy is caught where it happens, whatever the core believes.
 */
#ifndef SIM_FLEET_FLEET_H
#define SIM_FLEET_FLEET_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLEET_DEVICES 64 /* on one node, at most: a set of devices is one uint64_t */
#define FLEET_WHOLE   1000

struct fleet_node {
    const char *name;
    uint32_t pool, gpu_type; /* gpu_type: an id of the run's table of types */
    uint32_t rank;           /* tie-break of placements, unique */
    int gpus;
    int64_t cpu_milli, mem_mib; /* -1 not modelled */
    int max_tasks;              /* -1 no bound */
    /* in use now */
    int tasks;
    int64_t cpu_used, mem_used, milli_used;
    uint16_t *used; /* thousandths of each device */
};

struct fleet_pool {
    const char *name;
    uint32_t first_node, node_count;
    int gpus_per_node; /* of its largest node */
    int64_t milli, milli_used;
};

struct fleet {
    struct fleet_node *nodes;
    size_t node_count, node_capacity;
    struct fleet_pool *pools;
    size_t pool_count, pool_capacity;
    int64_t milli, milli_used; /* thousandths of devices, installed and in use */
};

/* What one task takes on a node. */
struct fleet_use {
    uint64_t devices;
    int milli; /* of each device, 1..1000 */
    int64_t cpu_milli, mem_mib;
};

void fleet_init(struct fleet *);
void fleet_fini(struct fleet *);

/* Names are copied. Nodes of a pool are added one behind the other, right after their pool. */
uint32_t fleet_add_pool(struct fleet *, const char *name);
uint32_t fleet_add_node(struct fleet *, const struct fleet_node *); /* pool, what it has, rank */

bool fleet_take(struct fleet *, uint32_t node, const struct fleet_use *, struct err *);
void fleet_give(struct fleet *, uint32_t node, const struct fleet_use *);

/* Devices that are only counted, in a pool. */
bool fleet_count(struct fleet *, uint32_t pool, int64_t milli, struct err *); /* negative gives back */

#endif
