/* SPDX-License-Identifier: MIT */
/*
 * How many tasks of each kind a node has: those that hold devices there, and those that are
 * nominated. A table of all nodes by id, only where the placement wants to know
 * (pc_traits.counts_kinds).
 */
#ifndef POLICY_STATE_KINDS_H
#define POLICY_STATE_KINDS_H

#include "state/state.h"

/* 0 for parts of devices, else how many whole devices one has; PC_NONE: no devices. */
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

/* Room for a node of that id, with no tasks; false: no memory. */
bool pc_kinds_reserve(struct policy *, uint32_t node);
void pc_kinds_free(struct policy *);

/* A task with this request at this place comes (1) or goes (-1). */
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
