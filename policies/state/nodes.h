/* SPDX-License-Identifier: MIT */
/*
 * What is free on nodes, now and soon, and what fits there. pc_node_change() is the only function
 * that changes it; it keeps the lists of nodes by free devices true.
 */
#ifndef POLICY_STATE_NODES_H
#define POLICY_STATE_NODES_H

#include "state/devices.h"
#include "state/state.h"

/*
 * True if what the task holds counts as used: it runs, or is being released where nothing is
 * nominated that is not idle, so that nothing is known to be free before the task has gone.
 */
static inline bool pc_keeps(const struct pc_cluster *c, const struct pc_place *place)
{
    return place->holding == PC_RUNS || (place->holding == PC_RELEASING && !c->traits.nominates);
}

/* Adds (sign 1) or takes away (-1) what a task with this request at this place uses of its nodes.
 */
void pc_node_change(struct pc_cluster *, const struct pc_request *, const struct pc_place *,
                    int sign);

/* Another state, and all that follows from it. */
void pc_node_set_state(struct policy *, uint32_t node, int32_t state);

/* The node's sets of devices and its place in the lists, after it changed as a whole. */
void pc_node_settle(struct pc_cluster *, uint32_t node);
void pc_node_unlist(struct pc_cluster *, uint32_t node);

/* True if the node is of a kind that such a task may use, whatever is free there. */
bool pc_node_suits(const struct pc_cluster *, const struct pc_node *, const struct pc_request *);

/* Instances that are made freely lie on one device each, so a task may only want one of them. */
bool pc_is_one_instance(const struct pc_request *);

/* True if there is room for it with what is being released, or now. A task fits now only if it also
 * fits soon. */
bool pc_fits_soon(const struct pc_cluster *, const struct pc_node *, const struct pc_request *);
bool pc_fits_now(const struct pc_cluster *, const struct pc_node *, const struct pc_request *);

/* True if a device that is shared already has room for the share after release. */
bool pc_fits_shared(const struct pc_node *, const struct pc_request *);

/* True if each of these devices has room for the share after release; *now says whether it has at
 * once. */
bool pc_shares_fit_on(const struct pc_cluster *, const struct pc_node *, const struct pc_request *,
                      uint64_t devices, bool *now);

/* True if an instance could begin at this memory slice of the device after release; *now says
 * whether it could at once. */
bool pc_instance_fits_at(const struct pc_cluster *, const struct pc_node *,
                         const struct pc_request *, uint64_t device, uint8_t slice, bool *now);

/* The lowest of the devices, so many. */
uint64_t pc_lowest_devices(uint64_t among, int32_t count);

/*
 * The devices for a task on a node that it fits soon. *now says whether it may start on them at
 * once; otherwise they are a nomination. Whole devices that are only nominated are counted, so the
 * set is empty then. `spread`: the emptiest device first instead of the fullest.
 */
uint64_t pc_choose_devices(const struct pc_cluster *, const struct pc_node *,
                           const struct pc_request *, bool spread, bool promise_only, bool *now,
                           uint8_t *slice);

/*
 * Counters of the node's devices, for parts of them: there are none while no device of it is shared
 * or cut. Has to be there before a task gets a part of a device; false: no memory.
 */
bool pc_devices_make(struct policy *, uint32_t node);
void pc_devices_free(struct pc_cluster *, struct pc_node *);

/* For how many tasks that want so many whole devices each (above 0) nodes have room soon, each node
 * by itself. */
static inline int64_t pc_whole_room(const struct pc_cluster *c, int32_t devices)
{
    int64_t room = 0;
    for (int32_t soon = devices; soon <= c->most_devices; soon++)
        room += (int64_t)c->listed[soon] * (soon / devices);
    return room;
}

/* Units of one device that so much of its memory is on the node, MiB above 0; more than it has:
 * more than any device. */
static inline int32_t pc_memory_units(const struct pc_node *n, int64_t memory)
{
    if (memory > n->memory)
        return n->capacity + 1;
    return n->in_memory ? (int32_t)memory
                        : (int32_t)((memory * POLICY_WHOLE + n->memory - 1) / n->memory);
}

/* Units of one device that a share takes on the node. */
static inline int32_t pc_units(const struct pc_node *n, const struct pc_request *r)
{
    if (r->memory > 0)
        return pc_memory_units(n, r->memory);
    return (int32_t)((int64_t)r->share * n->capacity / POLICY_WHOLE);
}

/* What the task counts for in the shares of its queue: on a node (memory as a share of its
 * devices), or pending. */
struct pc_amounts pc_weigh_memory_on(const struct pc_node *, const struct pc_request *);
struct pc_amounts pc_weigh_memory(const struct pc_cluster *, const struct pc_request *);

/* Of a request that asks for no memory of devices: the same everywhere. */
static inline struct pc_amounts pc_weigh_fixed(const struct pc_request *r)
{
    int64_t milli = (int64_t)r->devices * (r->share > 0 ? r->share : POLICY_WHOLE);
    return (struct pc_amounts){{r->wants_mig ? r->mig_milli : milli, r->cpu, r->mem}};
}

static inline struct pc_amounts pc_weigh_on(const struct pc_node *n, const struct pc_request *r)
{
    return r->memory > 0 && !r->wants_mig ? pc_weigh_memory_on(n, r) : pc_weigh_fixed(r);
}

static inline struct pc_amounts pc_weigh_pending(const struct pc_cluster *c,
                                                 const struct pc_request *r)
{
    return r->memory > 0 && !r->wants_mig ? pc_weigh_memory(c, r) : pc_weigh_fixed(r);
}

/* The same of a task that is active: on a node, or PC_NONE where its devices are only counted. */
static inline struct pc_amounts pc_weigh_at(const struct pc_cluster *c, const struct pc_request *r,
                                            uint32_t node)
{
    return node == PC_NONE ? pc_weigh_pending(c, r) : pc_weigh_on(&c->nodes[node], r);
}

#endif
