/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spare nodes: the last nodes of each pool are set apart, powered and idle, and the policy sees
 * them as draining. When a node of the pool goes down, a spare replaces it `swap_ms` later; when
 * that node is repaired, it becomes the spare.
 *
 *     a node serves ------ goes down ------> out ------ repaired --+
 *          ^                                                       | all places are taken:
 *          | swap_ms                                               | a spare, else it serves
 *          |                                                       | again at once
 *     stepping in <-- a place is free -- spare <-------------------+
 *
 * A pool has as many places as non-spare nodes. An empty place goes to the spare with the lowest
 * index; without a spare it stays empty until a node returns. A node that returns before its
 * replacement has stepped in takes the place itself. Spares fail like all nodes, and are missing
 * then.
 *
 * The devices of spares count as drained (sim_site.milli_drained). A gang that needs them can never
 * start, but the policy would wait for it forever, since these nodes may return as far as it knows:
 * such a job is an input error.
 */
#ifndef SIM_SPARE_NODES_H
#define SIM_SPARE_NODES_H

#include <stdint.h>

/* Configuration; the array belongs to the caller and outlives the sim. */
struct sim_spares {
    const uint32_t *of_pool; /* spare nodes of each pool, fewer than its nodes; NULL: none */
    int64_t swap_ms;
};

enum sim_spare_role {
    SIM_NODE_SERVES = 0,
    SIM_NODE_SPARE,
    SIM_NODE_STEPPING,
    SIM_NODE_OUT,
    SIM_NODE_ROLES
};

/* Nodes of a pool by role; places: the number that should serve; at most that many serve or are
 * stepping in. */
struct sim_spare_pool {
    uint32_t places, spares;
    int64_t spare_milli; /* devices of the initial spare nodes */
    uint32_t count[SIM_NODE_ROLES];
};

struct sim_spare_book {
    struct sim_spare_pool *pools;
    uint32_t pool_count;
    uint8_t *role;   /* of each node */
    int64_t *due_ms; /* of each node stepping in */
    uint64_t swaps;  /* swaps begun so far */
};

/* Places without a node or a spare on its way. */
static inline uint32_t sim_spares_missing(const struct sim_spare_pool *pool)
{
    return pool->places - pool->count[SIM_NODE_SERVES] - pool->count[SIM_NODE_STEPPING];
}

#endif
