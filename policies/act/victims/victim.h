/* SPDX-License-Identifier: MIT */
/* Accessors for one victim of a search: its request, and its node. */
#ifndef POLICY_ACT_VICTIMS_VICTIM_H
#define POLICY_ACT_VICTIMS_VICTIM_H

#include "state/nodes.h"
#include "state/tasks.h"

static inline const struct pc_request *pc_request_of_victim(const struct pc_cluster *c,
                                                            const struct pc_victim *v)
{
    return pc_request_of(c, v->job, v->task);
}

static inline struct pc_node *pc_node_of_victim(const struct pc_cluster *c,
                                                const struct pc_victim *v)
{
    return &c->nodes[pc_stands_on(&v->before)];
}

/* Returns true if the task requests fewer whole devices, or parts of devices; never for 0. */
static inline bool pc_is_small(const struct pc_request *r, int32_t fewer_than)
{
    return fewer_than > 0 && (pc_shares_devices(r) || (r->devices > 0 && r->devices < fewer_than));
}

#endif
