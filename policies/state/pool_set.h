/* SPDX-License-Identifier: MIT */
/* The data of pool sets and pools; see pool_sets.h. */
#ifndef POLICY_STATE_POOL_SET_H
#define POLICY_STATE_POOL_SET_H

#include "base/bits.h"

struct pc_pool_set {
    uint32_t *pools; /* ascending; pool_count 0: every pool */
    uint32_t pool_count;
    uint32_t *preferred;  /* the same pools in order of preference; NULL: no order */
    bool strict;          /* that order precedes sparing pools that others depend on */
    struct pc_bits nodes; /* by rank: all nodes of these pools in any state */
    int64_t soon_milli;   /* thousandths of devices free after release on nodes that are up, without
                             MIG instances */

    uint32_t *tiers; /* subsets to try in turn, the preferred one first; none: all nodes are
                        equivalent. See place/pool_tiers.h */
    uint32_t tier_count, tier_capacity;

    uint32_t *parts; /* its part in each group of pools, as a pool set; or PC_NONE */
    uint32_t part_count, part_capacity;

    /* scratch: thousandths of devices reserved for build sessions, free beside them, and by how
     * much the reserve shrinks once the current task has its devices */
    int64_t kept, spare, relief;

    /* The rest is kept only with pc_traits.by_free. */
    struct pc_bits up; /* by rank: nodes of these that accept tasks, */
    struct pc_bits
        by_free[POLICY_MAX_DEVICES + 1]; /* by number of wholly free devices (pc_free_whole()), */
    uint32_t listed[POLICY_MAX_DEVICES + 1]; /* and how many are in each of these lists */
    struct pc_bits shared; /* nodes with room on a shared device (after release) */
    int32_t most_devices,
        fewest_devices; /* over all nodes with devices it ever had; 0 and 0 before the first */
    int64_t whole;      /* wholly free devices of nodes that are up */
    int64_t milli; /* idle thousandths of devices there (see pc_idle_milli()), minus those taken by
                      count */
    int64_t milli_of_type[POLICY_MAX_TYPES]; /* the same by type of the node, without deducting
                                                counted ones */
    int64_t installed_devices;
    int64_t unusable_milli; /* idle on nodes and devices that are unusable now */
    bool freed;          /* something was released since the last decision, on nodes with at most */
    int32_t freed_whole; /* this many wholly free devices, and */
    int32_t freed_room;  /* this much room on one device after release, in thousandths */
};

/* Returns true if some node has that many wholly free devices. */
static inline bool pc_lists_free(const struct pc_pool_set *s, int32_t whole)
{
    return s->listed[whole] > 0;
}

/* Removes a node from the list, or adds it. */
static inline void pc_pool_set_unlist(struct pc_pool_set *s, int32_t whole, uint32_t rank)
{
    pc_bits_remove(&s->by_free[whole], rank);
    s->listed[whole]--;
}

static inline void pc_pool_set_list(struct pc_pool_set *s, int32_t whole, uint32_t rank)
{
    pc_bits_add(&s->by_free[whole], rank);
    s->listed[whole]++;
}

/* The most tasks of `devices` >= 1 whole devices each for which wholly free devices of nodes
 * suffice. */
static inline int64_t pc_most_tasks(const struct pc_pool_set *s, int32_t devices)
{
    int64_t tasks = 0;
    for (int32_t whole = devices; whole <= s->most_devices; whole++)
        tasks += (int64_t)s->listed[whole] * (whole / devices);
    return tasks;
}

/* A pool: the sets that contain it, and its totals in thousandths of devices. */
struct pc_pool {
    uint32_t *sets;
    uint32_t set_count, set_capacity;
    int64_t nodes, installed_milli;
    int64_t capacity_milli; /* on nodes that are up */
    uint32_t group;         /* see state/pool_quotas.h */
    int64_t dependents;     /* see place/pool_tiers.h */
    int64_t counted_milli;  /* taken without a node */
    int64_t free_milli;     /* idle on nodes that are up, minus that; maintained only with
                               pc_traits.by_free */
};

#endif
