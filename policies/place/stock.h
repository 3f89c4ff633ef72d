/* SPDX-License-Identifier: MIT */
/*
 * What the domains of a topology hold for some tasks, now or soon: copies of the largest task that fit, resources that
 * are idle or being released and not promised. Written into the domains' scratch by one look at each node.
 */
#ifndef POLICY_PLACE_STOCK_H
#define POLICY_PLACE_STOCK_H

#include "cluster/state.h"

/* Nodes that tasks may use: those that are in all of these. */
struct pq_nodes_allowed {
    const struct pc_bits *up, *zone, *offered; /* offered NULL: every node */
};

static inline bool pq_is_allowed(const struct pq_nodes_allowed *a, uint32_t rank)
{
    return pc_bits_has(a->up, rank) && pc_bits_has(a->zone, rank) &&
           (a->offered == NULL || pc_bits_has(a->offered, rank));
}

/* What some tasks of one job want. */
struct pq_demand {
    uint32_t tasks;
    bool alike;                    /* all or none use devices, and all the same MIG profiles */
    const struct pq_request *only; /* when all ask for the same: that; else NULL */
    struct pq_request largest; /* element by element; of share and memory whatever takes more of a device */
    bool whole;                /* some of them take whole devices */
    bool mig;                  /* some of them take MIG instances */
    struct pq_amounts total;   /* INT64_MAX: at least that much */
};

struct pq_demand pq_sum_demand(const struct cluster *, uint32_t job, const uint32_t *tasks, uint32_t count);

/* Fills copies, free and usable of every domain. */
void pq_take_stock(const struct policy *, struct pq_topology *, const struct pq_nodes_allowed *,
                   const struct pq_demand *);

/* The largest of wanted / free over the resources. */
struct pq_ratio pq_scarcest(const struct pq_amounts *wanted, const struct pq_amounts *free);
bool pq_is_tighter(const struct pq_ratio *, const struct pq_ratio *); /* a > b */

#endif
