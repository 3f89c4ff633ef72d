/* SPDX-License-Identifier: MIT */
/*
 * Ordered sets of numbered items, for example the pending jobs of one class in the order of their
 * lane. Each member has a `value` (its declared run time) and, in a `timed` set, a `time` (its
 * planned start); each subtree knows its smallest value and its earliest and latest time. "The
 * first job after this one that runs at most that long" therefore takes O(log n); with a bound on
 * times as well, about the same in practice.
 *
 * The nodes of all trees of a kind share one array, indexed by item; an item is in at most one
 * tree. A tree is the number of its root, PC_NONE when empty. The array belongs to the caller's
 * pc_order_nodes.
 */
#ifndef POLICY_BASE_ORDER_TREE_H
#define POLICY_BASE_ORDER_TREE_H

#include "base/treap.h"

/* A position in an order: by major, then minor, then rank, all ascending. */
struct pc_order_place {
    int64_t major, minor;
    uint64_t rank;
};

struct pc_order_node {
    struct pc_treap_links links;
    uint32_t reserved; /* zero */
    struct pc_order_place place;
    int64_t value, least;
};

struct pc_order_timed_node {
    struct pc_order_node node; /* must be the first member */
    int64_t time, earliest, latest;
};

/* A search: time > after, and (value <= most or time <= until). */
struct pc_order_bounds {
    int64_t most, after, until;
};

struct pc_order_nodes {
    void *of; /* pc_order_node, or pc_order_timed_node */
    uint32_t capacity;
    bool timed; /* set before the first use; without it every time is 0 */
};

/* before every item */
#define PC_ORDER_START ((struct pc_order_place){INT64_MIN, INT64_MIN, 0})

static inline bool pc_stands_before(const struct pc_order_place *a, const struct pc_order_place *b)
{
    if (a->major != b->major)
        return a->major < b->major;
    return a->minor < b->minor || (a->minor == b->minor && a->rank < b->rank);
}

static inline struct pc_order_timed_node *pc_order_timed_at(const struct pc_order_nodes *n,
                                                            uint32_t id)
{
    return (struct pc_order_timed_node *)n->of + id;
}

static inline struct pc_order_node *pc_order_at(const struct pc_order_nodes *n, uint32_t id)
{
    return n->timed ? &pc_order_timed_at(n, id)->node : (struct pc_order_node *)n->of + id;
}

/* Makes room for items 0..count-1; false: out of memory. */
bool pc_order_reserve(struct pc_order_nodes *, const struct pc_memory *, uint32_t count);
void pc_order_free(struct pc_order_nodes *, const struct pc_memory *);

/*
 * Adds an item that is in no tree. Of two items at the same position the smaller number comes
 * first.
 */
void pc_order_add(struct pc_order_nodes *, uint32_t *root, uint32_t id, struct pc_order_place,
                  int64_t value, int64_t time);
void pc_order_remove(struct pc_order_nodes *, uint32_t *root, uint32_t id);

/* Changes a member's value and time. */
void pc_order_set(struct pc_order_nodes *, uint32_t id, int64_t value, int64_t time);

uint32_t pc_order_first(const struct pc_order_nodes *, uint32_t root);
uint32_t pc_order_next(const struct pc_order_nodes *, uint32_t id);

#define PC_ORDER_ANY ((struct pc_order_bounds){INT64_MAX, INT64_MIN, INT64_MIN})

/* Returns the first member strictly after the position within the bounds, or PC_NONE. */
uint32_t pc_order_find(const struct pc_order_nodes *, uint32_t root, struct pc_order_place,
                       struct pc_order_bounds);

/* Returns the first member strictly after the position with a value of at most `most`. */
static inline uint32_t pc_order_find_up_to(const struct pc_order_nodes *n, uint32_t root,
                                           struct pc_order_place place, int64_t most)
{
    return pc_order_find(n, root, place, (struct pc_order_bounds){most, INT64_MIN, INT64_MIN});
}

/* Returns a description of what is wrong with the tree, or NULL, and its number of members. */
const char *pc_order_check(const struct pc_order_nodes *, uint32_t root, uint32_t *count);

#endif
