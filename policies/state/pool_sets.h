/* SPDX-License-Identifier: MIT */
/*
 * Pool sets: the pools that some queue may use, with an index of their nodes. Queues that name the
 * same pools share one set; those that name none share the set of all pools.
 *     pool 0 ─┬─ set {0, 1}    a pool knows the sets that contain it, so a change of a node
 *     pool 1 ─┴─ set {1}       updates only these
 *
 * A set always knows its nodes. If the configuration needs it (pc_traits.by_free), it also tracks
 * what is idle on them: nodes by number of wholly free devices, nodes with room on a shared device,
 * sums, and what was released since the last decision. pc_pool_sets_settle() is the only function
 * that updates these after a change of a node; a node stores its own sums, so unchanged nodes cost
 * nothing.
 *
 * If devices are only counted (placement `count`), tasks have no node: their devices are deducted
 * from a pool and from the sums of the sets that contain it.
 *
 * Pools and sets belong to `struct pc_cluster` and live as long.
 */
#ifndef POLICY_STATE_POOL_SETS_H
#define POLICY_STATE_POOL_SETS_H

#include "state/state.h"

/* Returns the set of these pools (ascending; none: all), creating it if needed; PC_NONE if out of
 * memory. */
uint32_t pc_pool_set_find(struct policy *, const uint32_t *pools, uint32_t count);

/* The same of pools in order of preference (place/pool_tiers.h). */
uint32_t pc_pool_set_find_ordered(struct policy *, const uint32_t *pools, uint32_t count,
                                  bool strict);

/* Returns true if the set contains the pool. */
bool pc_pool_set_has(const struct pc_pool_set *, uint32_t pool);

/* Creates all pools up to this one. Returns false if out of memory. */
bool pc_pools_know(struct policy *, uint32_t pool);

/* Creates the pool and reserves memory in its sets for a node of that rank and number of devices.
 * Returns false if out of memory. */
bool pc_pool_sets_reserve(struct policy *, uint32_t pool, uint32_t rank, int32_t devices);

/* Adds a node (its sums are still 0: settle it next), or removes one (settled while it does not
 * exist). */
void pc_pool_sets_add(struct pc_cluster *, const struct pc_node *);
void pc_pool_sets_remove(struct pc_cluster *, const struct pc_node *);

/* Updates the indexes and sums of the node's sets after any change of it. */
void pc_pool_sets_settle(struct pc_cluster *, struct pc_node *);

/* The same for a `plain` node whose only change is `by` more idle devices. */
static inline void pc_pool_sets_shift(struct pc_cluster *c, struct pc_node *n, int32_t by)
{
    const int64_t milli = (int64_t)by * POLICY_WHOLE;
    const int32_t before = n->free_listed;
    struct pc_pool *pool = &c->pools[n->pool];
    if (by == 0)
        return;
    n->free_listed += by;
    n->idle_milli += milli;
    pool->free_milli += milli;
    for (uint32_t i = 0; i < pool->set_count; i++) {
        struct pc_pool_set *s = &c->pool_sets[pool->sets[i]];
        pc_pool_set_unlist(s, before, n->rank);
        pc_pool_set_list(s, before + by, n->rank);
        s->whole += by;
        s->milli += milli;
        s->milli_of_type[n->type] += milli;
    }
}

/* Records in the node's sets that capacity for pending jobs was released on it, or that it came
 * up. */
void pc_pool_sets_freed(struct pc_cluster *, const struct pc_node *);

/* Takes that many thousandths of the pool's devices without a node; negative: releases them. */
void pc_pool_count(struct pc_cluster *, uint32_t pool, int64_t gpu_milli);

/* Records that counted devices of the pool were released for pending jobs. */
void pc_pool_freed(struct pc_cluster *, uint32_t pool);

/* The most thousandths idle, or installed, in one pool of the set (-1: it has no pool). */
int64_t pc_pool_most_free(const struct pc_cluster *, uint32_t set);
int64_t pc_pool_most_installed(const struct pc_cluster *, uint32_t set);

/* Ends the decision: everything released before it has been considered. */
void pc_pool_sets_close(struct pc_cluster *);

/* Wholly free devices of the node: idle ones, or, if the policy nominates, those free after
 * release. At least 0. */
int32_t pc_free_whole(const struct pc_cluster *, const struct pc_node *);

/*
 * Idle thousandths of the node's usable devices, as quotas weigh them: a freely partitioned device
 * counts each free compute slice, instances of fixed counts count by their slices. Nominated
 * amounts are excluded.
 */
int64_t pc_idle_milli(const struct pc_cluster *, const struct pc_node *);

/* Idle thousandths that cannot be used: the whole node if it is not up, else its unhealthy
 * devices. */
int64_t pc_unusable_milli(const struct pc_node *);

void pc_pool_sets_free(struct policy *);

#endif
