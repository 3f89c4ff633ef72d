/* SPDX-License-Identifier: MIT */
/*
 * Number of tasks of each kind on each node: tasks that hold devices there plus nominated ones.
 * Indexed by node id; kept only if the placement needs it (pc_traits.counts_kinds).
 */
#ifndef POLICY_STATE_KINDS_H
#define POLICY_STATE_KINDS_H

#include "state/state.h"

/* 0 for parts of devices, else the number of whole devices; PC_NONE: no devices. */
static inline uint32_t pc_kind(const struct pc_request *r)
{
    if (r->share > 0 || r->memory > 0 || r->wants_mig)
        return 0;
    return r->devices > 0 ? (uint32_t)r->devices : PC_NONE;
}

static inline const uint16_t *pc_tasks_of_kind(const struct policy *p, const struct pc_node *n)
{
    return p->cluster->kinds[p->node_of_rank[n->rank]];
}

/* Reserves memory for a node of that id, without tasks. Returns false if out of memory. */
bool pc_kinds_reserve(struct policy *, uint32_t node);
void pc_kinds_free(struct policy *);

/* A task with this request arrives at this place (1) or leaves it (-1). */
static inline void pc_kinds_change(struct pc_cluster *c, const struct pc_request *r,
                                   const struct pc_place *place, int sign)
{
    uint32_t kind = c->kinds != NULL ? pc_kind(r) : PC_NONE;
    if (kind == PC_NONE)
        return;
    if (place->node != PC_NONE)
        c->kinds[place->node][kind] = (uint16_t)(c->kinds[place->node][kind] + sign);
    if (place->nominated != PC_NONE)
        c->kinds[place->nominated][kind] = (uint16_t)(c->kinds[place->nominated][kind] + sign);
}

#endif
