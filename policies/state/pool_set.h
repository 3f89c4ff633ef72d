/* SPDX-License-Identifier: MIT */
/* What a set of pools, and a pool, know; see pool_sets.h. */
#ifndef POLICY_STATE_POOL_SET_H
#define POLICY_STATE_POOL_SET_H

#include "base/bits.h"

struct pc_pool_set {
    uint32_t *pools; /* in rising order; pool_count 0: every pool */
    uint32_t pool_count;
    struct pc_bits nodes; /* by rank: all of these pools, whatever their state */
    int64_t soon_milli;   /* thousandths of devices free soon on nodes that are up, without MIG
                             instances */

    uint32_t *tiers; /* pool sets that are parts of it, the one to be used first in front; none: all
                        nodes are alike. See place/pool_tiers.h */
    uint32_t tier_count, tier_capacity;

    /* scratch: thousandths of devices kept for build sessions, free beside them, and by how much
     * less would have to be kept once the task at hand has its devices */
    int64_t kept, spare, relief;

    /* The rest only with pc_traits.by_free. */
    struct pc_bits up; /* by rank: of these, nodes that take new tasks, */
    struct pc_bits
        by_free[POLICY_MAX_DEVICES + 1]; /* with so many wholly free devices (pc_free_whole()), */
    uint64_t filled;       /* which of these lists have nodes; bit 63: that of 63 or of 64 */
    struct pc_bits shared; /* and with a shared device that has room (after release) */
    int32_t most_devices,
        fewest_devices; /* on any node it ever had that has some; 0 and 0 before the first */
    int64_t whole;      /* wholly free devices of nodes that are up */
    int64_t milli; /* idle thousandths of devices there (see pc_idle_milli()), less those that are
                      counted as taken */
    int64_t milli_of_type[POLICY_MAX_TYPES]; /* the same by type of the node, without what is only
                                                counted */
    int64_t installed_devices;
    int64_t unusable_milli; /* idle on nodes and devices that cannot be used now */
    bool freed;             /* something was since the last decision, on nodes with at most */
    int32_t freed_whole;    /* so many wholly free devices, and */
    int32_t freed_room;     /* so much room on one device after release, in thousandths */
};

/* True if the list of nodes with so many wholly free devices may have any. */
static inline bool pc_lists_free(const struct pc_pool_set *s, int32_t whole)
{
    return (s->filled >> (whole < 63 ? whole : 63) & 1) != 0;
}

/* A node leaves the list, or enters it. */
static inline void pc_pool_set_unlist(struct pc_pool_set *s, int32_t whole, uint32_t rank)
{
    pc_bits_remove(&s->by_free[whole], rank);
    if (whole < 63 && pc_bits_is_empty(&s->by_free[whole]))
        s->filled &= ~(UINT64_C(1) << whole);
}

static inline void pc_pool_set_list(struct pc_pool_set *s, int32_t whole, uint32_t rank)
{
    pc_bits_add(&s->by_free[whole], rank);
    s->filled |= UINT64_C(1) << (whole < 63 ? whole : 63);
}

/* A pool: the sets that contain it, and what it has in all. Thousandths of devices. */
struct pc_pool {
    uint32_t *sets;
    uint32_t set_count, set_capacity;
    int64_t nodes, installed_milli;
    int64_t dependents;    /* see place/pool_tiers.h */
    int64_t counted_milli; /* taken without a node */
    int64_t free_milli; /* idle on nodes that are up, less that; idle is kept with pc_traits.by_free
                           only */
};

#endif
