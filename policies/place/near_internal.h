/* SPDX-License-Identifier: MIT */
/* What near.c (domains and their counts) and near_gang.c (the search) share; see near.h. */
#ifndef POLICY_PLACE_NEAR_INTERNAL_H
#define POLICY_PLACE_NEAR_INTERNAL_H

#include "cluster/state.h"
#include "place/near.h"

struct pc_near_labels {
    struct policy_label *of;
    uint32_t count;
};

struct pc_near {
    struct pq_topology topology;
    uint32_t number;               /* of it; 0: none was told */
    struct pc_near_labels *labels; /* by id of the node */
    uint32_t label_capacity;
    uint32_t *paths; /* scratch of making domains */
    uint32_t path_capacity;
    struct pc_site trial; /* the nodes of the domain that is being tried; empty otherwise */
};

/* Where a domain's cells begin, and which is which. */
enum { PC_CELL_WHOLE, PC_CELL_MILLI, PC_CELL_NODES };

static inline const int64_t *pc_cells(const struct pc_site *s, uint32_t domain)
{
    return s->domains.cells + (size_t)domain * s->domains.step;
}

/* Makes domains and counts true again; false: no memory. A topology has to be known. */
bool pc_near_refresh(struct policy *);

#endif
