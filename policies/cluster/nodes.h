/* SPDX-License-Identifier: MIT */
/*
 * What is free on nodes, now and soon, and what fits there. pq_node_change() is the only function that changes it; it
 * keeps the lists of nodes by free devices true.
 */
#ifndef POLICY_CLUSTER_NODES_H
#define POLICY_CLUSTER_NODES_H

#include "cluster/state.h"

/*
 * Whether what the task holds counts as used: it runs, or is being released where nothing is promised that is not idle, so
 * that nothing is known to be free before the task has gone.
 */
static inline bool pq_keeps(const struct cluster *c, const struct pq_place *place)
{
    return place->holding == PQ_RUNS || (place->holding == PQ_RELEASING && !c->traits.nominates);
}

/* Adds (sign 1) or takes away (-1) what a task with this request at this place uses of its nodes. */
void pq_node_change(struct cluster *, const struct pq_request *, const struct pq_place *, int sign);

/* The node's sets of devices and its place in the lists, after it changed as a whole. */
void pq_node_settle(struct cluster *, uint32_t node);
void pq_node_unlist(struct cluster *, uint32_t node);

/* Whether the node is of a kind that such a task may use, whatever is free there. */
bool pq_node_suits(const struct cluster *, const struct pq_node *, const struct pq_request *);

/* Instances that are made freely lie on one device each, so a task may only want one of them. */
bool pq_is_one_instance(const struct pq_request *);

/* Whether there is room for it with what is being released, or now. A task fits now only if it also fits soon. */
bool pq_fits_soon(const struct cluster *, const struct pq_node *, const struct pq_request *);
bool pq_fits_now(const struct cluster *, const struct pq_node *, const struct pq_request *);

/* Whether a device that is shared already has room for the share, soon. */
bool pq_fits_shared(const struct pq_node *, const struct pq_request *);

/* Whether each of these devices has room for the share, soon; *now tells whether at once. */
bool pq_shares_fit_on(const struct cluster *, const struct pq_node *, const struct pq_request *,
                      uint64_t devices, bool *now);

/* Whether an instance could begin at this memory slice of the device, soon; *now tells whether at once. */
bool pq_instance_fits_at(const struct cluster *, const struct pq_node *, const struct pq_request *,
                         uint64_t device, uint8_t slice, bool *now);

/*
 * The devices for a task on a node that it fits soon. *now tells whether it may start on them at once; otherwise they
 * are a promise. Whole devices that are only promised are counted, so the set is empty then. `spread`: the emptiest
 * device first instead of the fullest.
 */
uint64_t pq_choose_devices(const struct cluster *, const struct pq_node *, const struct pq_request *,
                           bool spread, bool promise_only, bool *now, uint8_t *slice);

/*
 * Counters of the node's devices, for parts of them: there are none while no device of it is shared or cut. Has to be there
 * before a task gets a part of a device; false: no memory.
 */
bool pq_devices_make(struct policy *, uint32_t node);
void pq_devices_free(struct cluster *, struct pq_node *);

/* What is used of one device, in parts and as a whole. */
static inline struct pq_device pq_device_of(const struct pq_node *n, uint32_t device)
{
    struct pq_device d = {0};
    if (n->device != NULL)
        d = n->device[device];
    d.used += (n->held >> device & 1) != 0 ? n->capacity : 0;
    d.releasing += (n->released >> device & 1) != 0 ? n->capacity : 0;
    return d;
}

static inline int32_t pq_soon_whole(const struct pq_node *n)
{
    return pc_popcount(n->idle) + pc_popcount(n->leaving) - n->promised_whole;
}

/* For how many tasks that want so many whole devices each (above 0) nodes have room soon, each node by itself. */
static inline int64_t pq_whole_room(const struct cluster *c, int32_t devices)
{
    int64_t room = 0;
    for (int32_t soon = devices; soon <= c->most_devices; soon++)
        room += (int64_t)c->listed[soon] * (soon / devices);
    return room;
}

static inline bool pq_wants_share(const struct pq_request *r)
{
    return r->share > 0 || r->memory > 0;
}

/* Its devices are known by number also when they are only promised. */
static inline bool pq_shares_devices(const struct pq_request *r)
{
    return pq_wants_share(r) || r->wants_mig;
}

/* Units of one device that so much of its memory is on the node, MiB above 0; more than it has: more than any device. */
static inline int32_t pq_memory_units(const struct pq_node *n, int64_t memory)
{
    if (memory > n->memory)
        return n->capacity + 1;
    return n->in_memory ? (int32_t)memory : (int32_t)((memory * POLICY_WHOLE + n->memory - 1) / n->memory);
}

/* Units of one device that a share takes on the node. */
static inline int32_t pq_units(const struct pq_node *n, const struct pq_request *r)
{
    if (r->memory > 0)
        return pq_memory_units(n, r->memory);
    return (int32_t)((int64_t)r->share * n->capacity / POLICY_WHOLE);
}

/* What the task counts for in the shares of its queue: on a node (memory as a share of its devices), or pending. */
struct pq_amounts pq_weigh_on(const struct pq_node *, const struct pq_request *);
struct pq_amounts pq_weigh_pending(const struct cluster *, const struct pq_request *);

/* The same of a task that is active: on a node, or PC_NONE where its devices are only counted. */
static inline struct pq_amounts pq_weigh_at(const struct cluster *c, const struct pq_request *r,
                                            uint32_t node)
{
    return node == PC_NONE ? pq_weigh_pending(c, r) : pq_weigh_on(&c->nodes[node], r);
}

#endif
