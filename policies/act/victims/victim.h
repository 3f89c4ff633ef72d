/* SPDX-License-Identifier: MIT */
/* Reading one victim of a search: what it asks for, and where it stood. */
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

/* True if a task wants fewer whole devices, or parts of devices; with 0 none does. */
static inline bool pc_is_small(const struct pc_request *r, int32_t fewer_than)
{
    return fewer_than > 0 && (pc_shares_devices(r) || (r->devices > 0 && r->devices < fewer_than));
}

#endif
