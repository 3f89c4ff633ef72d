/* SPDX-License-Identifier: MIT */
/*
 * Ordered sets of numbered things, say the pending jobs of one class in the order of their lane.
 * Each member has a `value` (how long the job declares to run) and, where the set is `timed`, a
 * `time` (when it is to start); each subtree knows its least value and its earliest and latest
 * time. So "the first job behind this one that runs at most so long" takes O(log n), and with a
 * bound on times, too, about as long in practice.
 *
 * The nodes of all trees of a kind stand in one array, by the number of the thing; a thing is in
 * one tree at most. A tree is the number of its root, PC_NONE when it is empty. The array belongs
 * to the caller's pc_order_nodes.
 */
#ifndef POLICY_BASE_ORDER_TREE_H
#define POLICY_BASE_ORDER_TREE_H

#include "base/treap.h"

/* Where something stands in an order: smaller major first, then smaller minor, then smaller rank.
 */
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
    struct pc_order_node node; /* first of all members */
    int64_t time, earliest, latest;
};

/* What is looked for: time > after, and value <= most or time <= until. */
struct pc_order_bounds {
    int64_t most, after, until;
};

struct pc_order_nodes {
    void *of; /* pc_order_node, or pc_order_timed_node */
    uint32_t capacity;
    bool timed; /* set before the first use; the time of all others is 0 */
};

/* nothing stands before it */
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

/* Room for things 0..count-1; false: no memory. */
bool pc_order_reserve(struct pc_order_nodes *, const struct pc_memory *, uint32_t count);
void pc_order_free(struct pc_order_nodes *, const struct pc_memory *);

/* A thing that is in no tree joins one; of two that stand at the same place the smaller number is
 * first. */
void pc_order_add(struct pc_order_nodes *, uint32_t *root, uint32_t id, struct pc_order_place,
                  int64_t value, int64_t time);
void pc_order_remove(struct pc_order_nodes *, uint32_t *root, uint32_t id);

/* A member's value and time are others now. */
void pc_order_set(struct pc_order_nodes *, uint32_t id, int64_t value, int64_t time);

uint32_t pc_order_first(const struct pc_order_nodes *, uint32_t root);
uint32_t pc_order_next(const struct pc_order_nodes *, uint32_t id);

#define PC_ORDER_ANY ((struct pc_order_bounds){INT64_MAX, INT64_MIN, INT64_MIN})

/* The first member strictly behind that place within these bounds; PC_NONE: none. */
uint32_t pc_order_find(const struct pc_order_nodes *, uint32_t root, struct pc_order_place,
                       struct pc_order_bounds);

/* The first strictly behind that place with a value up to `most`. */
static inline uint32_t pc_order_find_up_to(const struct pc_order_nodes *n, uint32_t root,
                                           struct pc_order_place place, int64_t most)
{
    return pc_order_find(n, root, place, (struct pc_order_bounds){most, INT64_MIN, INT64_MIN});
}

/* What is wrong with the tree, or NULL; and how many members it has. */
const char *pc_order_check(const struct pc_order_nodes *, uint32_t root, uint32_t *count);

#endif
