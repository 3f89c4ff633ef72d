/* SPDX-License-Identifier: MIT */
/*
 * What the domains of a topology hold for some tasks, now or soon: copies of the largest task that
 * fit, resources that are idle or being released and not nominated. Written into the domains'
 * scratch by one look at each node.
 */
#ifndef POLICY_PLACE_AREA_SUPPLY_H
#define POLICY_PLACE_AREA_SUPPLY_H

#include "state/state.h"

/* Nodes that tasks may use: those that are in all of these. */
struct pc_nodes_allowed {
    const struct pc_bits *up, *pool_set, *offered; /* offered NULL: every node */
};

static inline bool pc_is_allowed(const struct pc_nodes_allowed *a, uint32_t rank)
{
    return pc_bits_has(a->up, rank) && pc_bits_has(a->pool_set, rank) &&
           (a->offered == NULL || pc_bits_has(a->offered, rank));
}

/* What some tasks of one job want. */
struct pc_demand {
    uint32_t tasks;
    bool alike;                    /* all or none use devices, and all the same MIG profiles */
    const struct pc_request *only; /* when all ask for the same: that; else NULL */
    struct pc_request
        largest; /* element by element; of share and memory whatever takes more of a device */
    bool whole;  /* some of them take whole devices */
    bool mig;    /* some of them take MIG instances */
    struct pc_amounts total; /* INT64_MAX: at least that much */
};

struct pc_demand pc_sum_demand(const struct pc_cluster *, uint32_t job, const uint32_t *tasks,
                               uint32_t count);

/* Fills copies, free and usable of every domain. */
void pc_count_supply(const struct policy *, struct pc_topology *, const struct pc_nodes_allowed *,
                     const struct pc_demand *);

/* The largest of wanted / free over the resources. */
struct pc_ratio pc_scarcest(const struct pc_amounts *wanted, const struct pc_amounts *free);
bool pc_is_tighter(const struct pc_ratio *, const struct pc_ratio *); /* a > b */

#endif
