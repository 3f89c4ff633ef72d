/* SPDX-License-Identifier: MIT */
/*
 * What is free on nodes, now and after release, and what fits there. pc_node_change() is the only
 * function that changes it; it also maintains the lists of nodes by free devices.
 */
#ifndef POLICY_STATE_NODES_H
#define POLICY_STATE_NODES_H

#include "state/devices.h"
#include "state/state.h"

/*
 * Returns true if what the task holds counts as used: it is running, or it is being released and
 * the configuration never nominates devices that are not idle, so they are not free before the task
 * has ended.
 */
static inline bool pc_keeps(const struct pc_cluster *c, const struct pc_place *place)
{
    return place->holding == PC_RUNS || (place->holding == PC_RELEASING && !c->traits.nominates);
}

/* Adds (sign 1) or removes (-1) what a task with this request at this place uses of its nodes. */
void pc_node_change(struct pc_cluster *, const struct pc_request *, const struct pc_place *,
                    int sign);

/* Sets the node's state and updates everything that depends on it. */
void pc_node_set_state(struct policy *, uint32_t node, int32_t state);

/* Recomputes the node's device sets and list positions after a change of the whole node. */
void pc_node_settle(struct pc_cluster *, uint32_t node);
void pc_node_unlist(struct pc_cluster *, uint32_t node);

/* Returns true if the node's type allows such a task, regardless of what is free. */
bool pc_node_suits(const struct pc_cluster *, const struct pc_node *, const struct pc_request *);

/* Freely created instances occupy one device each, so a task may request only one. */
bool pc_is_one_instance(const struct pc_request *);

/* Returns true if the task fits after release, or now. It fits now only if it also fits after
 * release. */
bool pc_fits_soon(const struct pc_cluster *, const struct pc_node *, const struct pc_request *);
bool pc_fits_now(const struct pc_cluster *, const struct pc_node *, const struct pc_request *);

/* Returns true if an already shared device has room for the share after release. */
bool pc_fits_shared(const struct pc_node *, const struct pc_request *);

/* Returns true if each of these devices has room for the share after release; sets *now to whether
 * it has room at once. */
bool pc_shares_fit_on(const struct pc_cluster *, const struct pc_node *, const struct pc_request *,
                      uint64_t devices, bool *now);

/* Returns true if an instance could begin at this memory slice of the device after release; sets
 * *now to whether it could at once. */
bool pc_instance_fits_at(const struct pc_cluster *, const struct pc_node *,
                         const struct pc_request *, uint64_t device, uint8_t slice, bool *now);

/* The `count` lowest of the devices. */
uint64_t pc_lowest_devices(uint64_t among, int32_t count);

/*
 * Chooses the devices for a task on a node that it fits after release. *now tells whether it may
 * start on them at once; otherwise they are a nomination. Nominated whole devices are only counted,
 * so the set is empty. `spread`: the emptiest device first instead of the fullest.
 */
uint64_t pc_choose_devices(const struct pc_cluster *, const struct pc_node *,
                           const struct pc_request *, bool spread, bool promise_only, bool *now,
                           uint8_t *slice);

/*
 * Creates counters for parts of the node's devices; a node without shared or split devices has
 * none. Required before a task gets part of a device. Returns false if out of memory.
 */
bool pc_devices_make(struct policy *, uint32_t node);
void pc_devices_free(struct pc_cluster *, struct pc_node *);

/* Frees what the node owns: devices, labels and MIG instances. */
void pc_node_free(struct policy *, struct pc_node *);

/* How many tasks of `devices` whole devices each (above 0) fit after release, counted node by
 * node. */
static inline int64_t pc_whole_room(const struct pc_cluster *c, int32_t devices)
{
    int64_t room = 0;
    for (int32_t soon = devices; soon <= c->most_devices; soon++)
        room += (int64_t)c->listed[soon] * (soon / devices);
    return room;
}

/* Units of one device for that much of its memory, MiB above 0; more than the capacity if it
 * exceeds the device. */
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

/* The task's weight in the shares of its queue: on a node (memory as a share of its devices), or
 * pending. */
struct pc_amounts pc_weigh_memory_on(const struct pc_node *, const struct pc_request *);
struct pc_amounts pc_weigh_memory(const struct pc_cluster *, const struct pc_request *);

/* The weight of a request without device memory: the same everywhere. */
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

/* The weight of an active task: on a node, or PC_NONE if its devices are only counted. */
static inline struct pc_amounts pc_weigh_at(const struct pc_cluster *c, const struct pc_request *r,
                                            uint32_t node)
{
    return node == PC_NONE ? pc_weigh_pending(c, r) : pc_weigh_on(&c->nodes[node], r);
}

#endif
