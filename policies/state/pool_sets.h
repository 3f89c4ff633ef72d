/* SPDX-License-Identifier: MIT */
/*
 * Pool sets: the pools that some queue may use, with their nodes indexed. Queues that name the same pools share one set;
 * those that name none share the set of all pools.
 *
 *     pool 0 ─┬─ set {0, 1}     a pool knows the sets that contain it, so that a change of a node
 *     pool 1 ─┴─ set {1}        visits these and no other
 *
 * A set always knows its nodes. Where the configuration wants it (pc_traits.by_free) it also knows what is idle on them:
 * the nodes by the number of their wholly free devices, those with a shared device that has room, sums, and what was
 * freed since the last decision. pq_pool_sets_settle() is the only function that brings these up to date when a node has
 * changed; sums of a node are kept on the node, so that it costs nothing where nothing changed.
 *
 * Where devices are only counted (placement `count`) tasks have no node: their devices are taken from a pool, and from
 * the sums of the sets that contain it.
 *
 * Pools and sets belong to `struct cluster`, and live as long.
 */
#ifndef POLICY_STATE_POOL_SETS_H
#define POLICY_STATE_POOL_SETS_H

#include "base/bits.h"

struct cluster;
struct pq_node;

struct pq_pool_set {
    uint32_t *pools; /* in rising order; pool_count 0: every pool */
    uint32_t pool_count;
    struct pc_bits nodes; /* by rank: all of these pools, whatever their state */

    /* scratch: thousandths of devices kept for build sessions, free beside them, and by how much less would have to be
     * kept once the task at hand has its devices */
    int64_t kept, spare, relief;

    /* The rest only with pc_traits.by_free. */
    struct pc_bits up;                              /* by rank: of these, nodes that take new tasks, */
    struct pc_bits by_free[POLICY_MAX_DEVICES + 1]; /* with so many wholly free devices (pq_free_whole()), */
    struct pc_bits shared; /* and with a shared device that has room (after release) */
    int32_t most_devices,
        fewest_devices; /* on any node it ever had that has some; 0 and 0 before the first */
    int64_t whole;      /* wholly free devices of nodes that are up */
    int64_t
        milli; /* idle thousandths of devices there (see pq_idle_milli()), less those that are counted as taken */
    int64_t milli_of_type[POLICY_MAX_TYPES]; /* the same by type of the node, without what is only counted */
    int64_t installed_devices;
    int64_t unusable_milli; /* idle on nodes and devices that cannot be used now */
    bool freed;             /* something was since the last decision, on nodes with at most */
    int32_t freed_whole;    /* so many wholly free devices, and */
    int32_t freed_room;     /* so much room on one device after release, in thousandths */
};

/* A pool: the sets that contain it, and what it has in all. Thousandths of devices. */
struct pq_pool {
    uint32_t *sets;
    uint32_t set_count, set_capacity;
    int64_t nodes, installed_milli;
    int64_t counted_milli; /* taken without a node */
    int64_t free_milli; /* idle on nodes that are up, less that; idle is kept with pc_traits.by_free only */
};

/* The set of these pools (in rising order; none: all), made when there is none yet; PC_NONE: no memory. */
uint32_t pq_pool_set_find(struct policy *, const uint32_t *pools, uint32_t count);

/* Whether the pool is one of the set's. */
bool pq_pool_set_has(const struct pq_pool_set *, uint32_t pool);

/* Makes the pool known, and room in its sets for a node of that rank and so many devices; false: no memory. */
bool pq_pool_sets_reserve(struct policy *, uint32_t pool, uint32_t rank, int32_t devices);

/* The node comes (its sums 0 as yet: settle it next), or goes (settled while it does not exist). */
void pq_pool_sets_add(struct cluster *, const struct pq_node *);
void pq_pool_sets_remove(struct cluster *, const struct pq_node *);

/* Brings the indexes and sums of the node's sets up to date after any change of it. */
void pq_pool_sets_settle(struct cluster *, struct pq_node *);

/* Something that pending jobs may use was freed on the node, or it came up: its sets remember that. */
void pq_pool_sets_freed(struct cluster *, const struct pq_node *);

/* So many thousandths of devices of the pool are taken from now on without a node; less than 0: given back. */
void pq_pool_count(struct cluster *, uint32_t pool, int64_t gpu_milli);

/* Something that is counted there was given back, and pending jobs may use it. */
void pq_pool_freed(struct cluster *, uint32_t pool);

/* The most thousandths that one pool of the set has idle, or at all (-1: it has no pool). */
int64_t pq_pool_most_free(const struct cluster *, uint32_t set);
int64_t pq_pool_most_installed(const struct cluster *, uint32_t set);

/* The decision is over: what was freed before it has been looked at. */
void pq_pool_sets_close(struct cluster *);

/* Wholly free devices of the node: idle ones, or those after release where places are nominated. At least 0. */
int32_t pq_free_whole(const struct cluster *, const struct pq_node *);

/*
 * Idle thousandths of the node's usable devices, as quotas weigh them: a device that may be cut freely counts once for
 * each compute slice that is left of it, instances of fixed counts by their slices. Without what is promised.
 */
int64_t pq_idle_milli(const struct cluster *, const struct pq_node *);

/* Idle thousandths that cannot be used: all of a node that is not up, else those of its unhealthy devices. */
int64_t pq_unusable_milli(const struct pq_node *);

void pq_pool_sets_free(struct policy *);

#endif
