/* SPDX-License-Identifier: MIT */
/*
 * Pool sets: the pools that some queue may use, with their nodes indexed. Queues that name the same
 * pools share one set; those that name none share the set of all pools.
 *
 *     pool 0 ─┬─ set {0, 1}     a pool knows the sets that contain it, so that a change of a node
 *     pool 1 ─┴─ set {1}        visits these and no other
 *
 * A set always knows its nodes. Where the configuration wants it (pc_traits.by_free) it also knows
 * what is idle on them: the nodes by the number of their wholly free devices, those with a shared
 * device that has room, sums, and what was freed since the last decision. pc_pool_sets_settle() is
 * the only function that brings these up to date when a node has changed; sums of a node are kept
 * on the node, so that it costs nothing where nothing changed.
 *
 * Where devices are only counted (placement `count`) tasks have no node: their devices are taken
 * from a pool, and from the sums of the sets that contain it.
 *
 * Pools and sets belong to `struct pc_cluster`, and live as long.
 */
#ifndef POLICY_STATE_POOL_SETS_H
#define POLICY_STATE_POOL_SETS_H

#include "state/state.h"

/* The set of these pools (in rising order; none: all), made when there is none yet; PC_NONE: no
 * memory. */
uint32_t pc_pool_set_find(struct policy *, const uint32_t *pools, uint32_t count);

/* True if the pool is one of the set's. */
bool pc_pool_set_has(const struct pc_pool_set *, uint32_t pool);

/* Makes the pool known, and room in its sets for a node of that rank and so many devices; false: no
 * memory. */
bool pc_pool_sets_reserve(struct policy *, uint32_t pool, uint32_t rank, int32_t devices);

/* The node comes (its sums 0 as yet: settle it next), or goes (settled while it does not exist). */
void pc_pool_sets_add(struct pc_cluster *, const struct pc_node *);
void pc_pool_sets_remove(struct pc_cluster *, const struct pc_node *);

/* Brings the indexes and sums of the node's sets up to date after any change of it. */
void pc_pool_sets_settle(struct pc_cluster *, struct pc_node *);

/* The same of a node that is `plain` and has only so many more idle devices than before. */
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

/* Something that pending jobs may use was freed on the node, or it came up: its sets remember that.
 */
void pc_pool_sets_freed(struct pc_cluster *, const struct pc_node *);

/* So many thousandths of devices of the pool are taken from now on without a node; less than 0:
 * given back. */
void pc_pool_count(struct pc_cluster *, uint32_t pool, int64_t gpu_milli);

/* Something that is counted there was given back, and pending jobs may use it. */
void pc_pool_freed(struct pc_cluster *, uint32_t pool);

/* The most thousandths that one pool of the set has idle, or at all (-1: it has no pool). */
int64_t pc_pool_most_free(const struct pc_cluster *, uint32_t set);
int64_t pc_pool_most_installed(const struct pc_cluster *, uint32_t set);

/* The decision is over: what was freed before it has been looked at. */
void pc_pool_sets_close(struct pc_cluster *);

/* Wholly free devices of the node: idle ones, or those after release where places are nominated. At
 * least 0. */
int32_t pc_free_whole(const struct pc_cluster *, const struct pc_node *);

/*
 * Idle thousandths of the node's usable devices, as quotas weigh them: a device that may be cut
 * freely counts once for each compute slice that is left of it, instances of fixed counts by their
 * slices. Without what is nominated.
 */
int64_t pc_idle_milli(const struct pc_cluster *, const struct pc_node *);

/* Idle thousandths that cannot be used: all of a node that is not up, else those of its unhealthy
 * devices. */
int64_t pc_unusable_milli(const struct pc_node *);

void pc_pool_sets_free(struct policy *);

#endif
