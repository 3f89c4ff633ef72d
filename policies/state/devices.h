/* SPDX-License-Identifier: MIT */
/* Accessors for the devices of a node and for what a request asks of them. */
#ifndef POLICY_STATE_DEVICES_H
#define POLICY_STATE_DEVICES_H

#include "state/state.h"

/* Usage of one device, both whole and in parts. */
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

/* Returns true if the request asks for part of each device: a share, or some of its memory. */
static inline bool pc_wants_share(const struct pc_request *r)
{
    return r->share > 0 || r->memory > 0;
}

/* Returns true if its devices are tracked by number even when only nominated. */
static inline bool pc_shares_devices(const struct pc_request *r)
{
    return pc_wants_share(r) || r->wants_mig;
}

/* Number of devices that a task with the request is on. */
static inline int32_t pc_devices_under(const struct pc_request *r)
{
    return r->wants_mig ? 1 : r->devices;
}

#endif
