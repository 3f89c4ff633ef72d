/* SPDX-License-Identifier: MIT */
/*
 * Treaps over arrays of nodes: binary search trees that are balanced by a hash of the node's number
 * (Aragon and Seidel 1989), so their shape and cost depend on their members alone. The depth is
 * about 2 ln(members). A node begins with its links; `pull` recomputes a node's summary of its
 * subtree wherever the subtree changed, up to the first summary that stays the same. Several trees
 * may share one array. Nothing is allocated here.
 *
 * Written for inlining: each function takes the type of the tree as a constant.
 */
#ifndef POLICY_BASE_TREAP_H
#define POLICY_BASE_TREAP_H

#include "base/bits.h"

#include <stddef.h>

/* Every node begins with these: numbers of nodes, or PC_NONE. */
struct pc_treap_links {
    uint32_t left, right, parent;
};

struct pc_treap_type {
    size_t size;                                  /* of a node, bytes */
    bool (*before)(const void *a, const void *b); /* a total order */
    bool (*pull)(void *node, const void *left,
                 const void *right); /* left, right: children, or NULL; false: nothing changed */
};

/* For nodes without summaries. */
static inline bool pc_treap_pull_nothing(void *node, const void *left, const void *right)
{
    (void)node, (void)left, (void)right;
    return false;
}

static inline void *pc_treap_at(const struct pc_treap_type *type, void *nodes, uint32_t i)
{
    return (char *)nodes + i * type->size;
}

static inline struct pc_treap_links *pc_treap_links(const struct pc_treap_type *type, void *nodes,
                                                    uint32_t i)
{
    return pc_treap_at(type, nodes, i);
}

/* The node with the smaller hash is nearer to the root. */
static inline uint32_t pc_treap_depth_hash(uint32_t i)
{
    i = (i ^ i >> 16) * UINT32_C(0x85ebca6b);
    i = (i ^ i >> 13) * UINT32_C(0xc2b2ae35);
    return i ^ i >> 16;
}

static inline bool pc_treap_pull(const struct pc_treap_type *type, void *nodes, uint32_t i)
{
    const struct pc_treap_links *l = pc_treap_links(type, nodes, i);
    return type->pull(pc_treap_at(type, nodes, i),
                      l->left == PC_NONE ? NULL : pc_treap_at(type, nodes, l->left),
                      l->right == PC_NONE ? NULL : pc_treap_at(type, nodes, l->right));
}

/* Pulls from the node up to the root, or until nothing changes. Must follow any change of a node
 * that its summary depends on, also before the node is removed. */
static inline void pc_treap_pull_up(const struct pc_treap_type *type, void *nodes, uint32_t i)
{
    while (i != PC_NONE && pc_treap_pull(type, nodes, i))
        i = pc_treap_links(type, nodes, i)->parent;
}

/* Puts `new` in the place of `old` below `parent`; PC_NONE: `old` is the root. */
static inline void pc_treap_replace(const struct pc_treap_type *type, void *nodes, uint32_t *root,
                                    uint32_t parent, uint32_t old, uint32_t new)
{
    struct pc_treap_links *above = parent == PC_NONE ? NULL : pc_treap_links(type, nodes, parent);
    if (above == NULL)
        *root = new;
    else if (above->left == old)
        above->left = new;
    else
        above->right = new;
    if (new != PC_NONE)
        pc_treap_links(type, nodes, new)->parent = parent;
}

/* Swaps the node with its parent and pulls both. */
static inline void pc_treap_rotate(const struct pc_treap_type *type, void *nodes, uint32_t *root,
                                   uint32_t i)
{
    struct pc_treap_links *l = pc_treap_links(type, nodes, i);
    uint32_t parent = l->parent;
    struct pc_treap_links *above = pc_treap_links(type, nodes, parent);
    bool left = above->left == i;
    uint32_t moved = left ? l->right : l->left;
    pc_treap_replace(type, nodes, root, above->parent, parent, i);
    *(left ? &above->left : &above->right) = moved;
    *(left ? &l->right : &l->left) = parent;
    above->parent = i;
    if (moved != PC_NONE)
        pc_treap_links(type, nodes, moved)->parent = parent;
    (void)pc_treap_pull(type, nodes, parent);
    (void)pc_treap_pull(type, nodes, i);
}

static inline void pc_treap_add(const struct pc_treap_type *type, void *nodes, uint32_t *root,
                                uint32_t i)
{
    struct pc_treap_links *l = pc_treap_links(type, nodes, i);
    uint32_t parent = PC_NONE;
    bool left = false;
    for (uint32_t at = *root; at != PC_NONE;) {
        const struct pc_treap_links *here = pc_treap_links(type, nodes, at);
        parent = at;
        left = type->before(l, here);
        at = left ? here->left : here->right;
    }
    *l = (struct pc_treap_links){PC_NONE, PC_NONE, parent};
    if (parent == PC_NONE)
        *root = i;
    else if (left)
        pc_treap_links(type, nodes, parent)->left = i;
    else
        pc_treap_links(type, nodes, parent)->right = i;
    (void)pc_treap_pull(type, nodes, i);
    while (l->parent != PC_NONE && pc_treap_depth_hash(i) < pc_treap_depth_hash(l->parent))
        pc_treap_rotate(type, nodes, root, i);
    pc_treap_pull_up(type, nodes, l->parent);
}

static inline void pc_treap_remove(const struct pc_treap_type *type, void *nodes, uint32_t *root,
                                   uint32_t i)
{
    const struct pc_treap_links *l = pc_treap_links(type, nodes, i);
    while (l->left != PC_NONE && l->right != PC_NONE) {
        bool left = pc_treap_depth_hash(l->left) < pc_treap_depth_hash(l->right);
        pc_treap_rotate(type, nodes, root, left ? l->left : l->right);
    }
    uint32_t parent = l->parent;
    pc_treap_replace(type, nodes, root, parent, i, l->left != PC_NONE ? l->left : l->right);
    pc_treap_pull_up(type, nodes, parent);
}

static inline uint32_t pc_treap_first(const struct pc_treap_type *type, void *nodes, uint32_t root)
{
    uint32_t at = root;
    while (at != PC_NONE && pc_treap_links(type, nodes, at)->left != PC_NONE)
        at = pc_treap_links(type, nodes, at)->left;
    return at;
}

/* Returns the next member in order, or PC_NONE. */
static inline uint32_t pc_treap_next(const struct pc_treap_type *type, void *nodes, uint32_t i)
{
    uint32_t right = pc_treap_links(type, nodes, i)->right;
    if (right != PC_NONE)
        return pc_treap_first(type, nodes, right);
    uint32_t parent = pc_treap_links(type, nodes, i)->parent;
    while (parent != PC_NONE && pc_treap_links(type, nodes, parent)->right == i) {
        i = parent;
        parent = pc_treap_links(type, nodes, i)->parent;
    }
    return parent;
}

#endif
