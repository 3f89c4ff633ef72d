/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spare nodes: of each pool the last ones are kept apart, powered and idle, and the policy is told
 * that they drain. When a node of the pool goes down a spare steps in for it, `swap_ms` later; when
 * that node is repaired it is the spare.
 *
 *               a node serves ------ goes down ------> out ------ repaired ------+
 *                    ^                                                           | all places are
 *                      taken: a spare,
 *                    | swap_ms                                                   | else it serves
 *                      again at once
 *               stepping in <-- a place is free -- spare <-----------------------+
 *
 * A pool has as many places as nodes that are no spares. A place without a node is given to the
 * spare of the lowest number; when there is none it stays empty until a node comes back. A node
 * that is back before the spare that was to step in for it takes the place itself. Spares fail like
 * all nodes, and are missing then.
 *
 * The devices of spares count as drained (sim_site.milli_drained). A gang that would need them can
 * never start; to the policy these nodes may come back some day, so it would be waited for forever:
 * such a job is an error of the input.
 */
#ifndef SIM_SPARE_NODES_H
#define SIM_SPARE_NODES_H

#include <stdint.h>

/* As configured; the array is the caller's and outlives the sim. */
struct sim_spares {
    const uint32_t *of_pool; /* spare nodes of each pool, fewer than it has; NULL: there are none */
    int64_t swap_ms;
};

enum sim_spare_role {
    SIM_NODE_SERVES = 0,
    SIM_NODE_SPARE,
    SIM_NODE_STEPPING,
    SIM_NODE_OUT,
    SIM_NODE_ROLES
};

/* Nodes of a pool by their role; places: how many are to serve, so many or fewer serve or are
 * stepping in. */
struct sim_spare_pool {
    uint32_t places, spares;
    int64_t spare_milli; /* devices of nodes that were spares at first */
    uint32_t count[SIM_NODE_ROLES];
};

struct sim_spare_book {
    struct sim_spare_pool *pools;
    uint32_t pool_count;
    uint8_t *role;   /* of each node */
    int64_t *due_ms; /* of each node that is stepping in */
    uint64_t swaps;  /* begun so far */
};

/* Places that neither a node nor a spare on its way has. */
static inline uint32_t sim_spares_missing(const struct sim_spare_pool *pool)
{
    return pool->places - pool->count[SIM_NODE_SERVES] - pool->count[SIM_NODE_STEPPING];
}

#endif
