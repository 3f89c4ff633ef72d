/* SPDX-License-Identifier: MIT */
/*
 * What the domains of a topology offer to some tasks, now or after release: copies of the largest
 * task that fit, and resources that are idle or being released and not nominated. Stored in the
 * domains' scratch members by one pass over the nodes.
 */
#ifndef POLICY_PLACE_AREA_SUPPLY_H
#define POLICY_PLACE_AREA_SUPPLY_H

#include "state/state.h"

/* Nodes that tasks may use: the intersection of these sets. */
struct pc_nodes_allowed {
    const struct pc_bits *up, *pool_set, *offered; /* offered NULL: every node */
};

static inline bool pc_is_allowed(const struct pc_nodes_allowed *a, uint32_t rank)
{
    return pc_bits_has(a->up, rank) && pc_bits_has(a->pool_set, rank) &&
           (a->offered == NULL || pc_bits_has(a->offered, rank));
}

/* The combined demand of some tasks of one job. */
struct pc_demand {
    uint32_t tasks;
    bool alike;                    /* all or none use devices, and all the same MIG profiles */
    const struct pc_request *only; /* the common request of all tasks, or NULL */
    struct pc_request
        largest; /* element-wise maximum; of share and memory, whichever takes more of a device */
    bool whole;  /* some tasks request whole devices */
    bool mig;    /* some tasks request MIG instances */
    struct pc_amounts total; /* INT64_MAX: at least that much */
};

struct pc_demand pc_sum_demand(const struct pc_cluster *, uint32_t job, const uint32_t *tasks,
                               uint32_t count);

/* Fills in copies, free and usable of every domain. */
void pc_count_supply(const struct policy *, struct pc_topology *, const struct pc_nodes_allowed *,
                     const struct pc_demand *);

/* The largest wanted / free over the resources. */
struct pc_ratio pc_scarcest(const struct pc_amounts *wanted, const struct pc_amounts *free);
bool pc_is_tighter(const struct pc_ratio *, const struct pc_ratio *); /* a > b */

#endif
