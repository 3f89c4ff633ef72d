/* SPDX-License-Identifier: MIT */
/* Reading the devices of a node, and what a request wants of them. */
#ifndef POLICY_STATE_DEVICES_H
#define POLICY_STATE_DEVICES_H

#include "state/state.h"

/* What is used of one device, in parts and as a whole. */
static inline struct pc_device pc_device_of(const struct pc_node *n, uint32_t device)
{
    struct pc_device d = {0};
    if (n->device != NULL)
        d = n->device[device];
    d.used += (n->held >> device & 1) != 0 ? n->capacity : 0;
    d.releasing += (n->released >> device & 1) != 0 ? n->capacity : 0;
    return d;
}

static inline int32_t pc_soon_whole(const struct pc_node *n)
{
    return pc_popcount(n->idle) + pc_popcount(n->leaving) - n->nominated_whole;
}

/* True if it asks for a part of each device: a share, or some of its memory. */
static inline bool pc_wants_share(const struct pc_request *r)
{
    return r->share > 0 || r->memory > 0;
}

/* True if its devices are known by number also when they are only nominated. */
static inline bool pc_shares_devices(const struct pc_request *r)
{
    return pc_wants_share(r) || r->wants_mig;
}

#endif
