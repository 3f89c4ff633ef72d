/* SPDX-License-Identifier: MIT */
/*
 * Nodes, their devices, and the indexes of the sites over them. pc_take() and pc_give() are the only functions that
 * change what is free; they keep every index and total true.
 */
#ifndef POLICY_CORE_NODES_H
#define POLICY_CORE_NODES_H

#include "core/state.h"

/* Whether the node takes new tasks and has room for one such task now. */
bool pc_fits(const struct pc_node *, const struct pc_request *);

/* Devices for the task on a node that it fits: the lowest free ones; for a share the fullest that has room. */
uint64_t pc_devices(const struct pc_node *, const struct pc_request *);

/* Takes or gives back CPU, memory, a task's place and its devices on a node. */
void pc_take(struct policy *, uint32_t node, const struct pc_request *, uint64_t devices);
void pc_give(struct policy *, uint32_t node, const struct pc_request *, uint64_t devices);

/* The same for devices that are only counted. */
void pc_count(struct policy *, uint32_t pool, int64_t gpu_milli); /* negative: gives back */

/* A node changed as a whole (it came, went, changed its state or health): moves it in all sites' indexes. */
void pc_reindex(struct policy *, const struct pc_node *before, const struct pc_node *after);
void pc_index_node(struct pc_site *, const struct pc_node *); /* into the index of a new site */
void pc_unindex_node(struct pc_site *, const struct pc_node *);

/* The same for a node that stays up, whose free devices changed. */
void pc_reindex_room(struct pc_site *, const struct pc_node *after, const struct pc_node *before);

/* The node's sets and free amount from the rooms of its usable devices. */
void pc_summarise(struct pc_node *);

/* Idle thousandths that cannot be used: all of a node that is not up, else those of its unhealthy devices. */
int64_t pc_unusable_milli(const struct pc_node *);

/* A node's spec, as all policies check it; and room in the table of ranks (false: no memory). */
int pc_check_node_spec(struct policy *, const struct policy_node_spec *);
bool pc_know_rank(struct policy *, uint32_t rank);

static inline uint64_t pc_all_devices(int32_t devices)
{
    return devices == POLICY_MAX_DEVICES ? ~UINT64_C(0) : (UINT64_C(1) << devices) - 1;
}

/* Tasks with devices by kind: 0 shares, else how many whole devices one has. */
static inline uint32_t pc_kind(const struct pc_request *r)
{
    return r->milli < POLICY_WHOLE ? 0 : (uint32_t)r->devices;
}

/* How many such tasks the node would hold if it were empty and healthy. */
int64_t pc_node_holds(const struct pc_node *, const struct pc_request *);

/* Room on the device of the node that has most, thousandths. */
int32_t pc_most_room(const struct pc_node *);

#endif
