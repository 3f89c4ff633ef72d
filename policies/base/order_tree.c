/* SPDX-License-Identifier: MIT */
/* The trees of order_tree.h: treaps with two bounds. */
#include "base/order_tree.h"

static bool node_before(const void *a, const void *b)
{
    const struct pc_order_node *x = a;
    const struct pc_order_node *y = b;
    return pc_stands_before(&x->place, &y->place) || (!pc_stands_before(&y->place, &x->place) && x < y);
}

static void pull(void *node, const void *left, const void *right)
{
    struct pc_order_node *n = node;
    n->least = n->value;
    n->earliest = n->latest = n->time;
    for (int side = 0; side < 2; side++) {
        const struct pc_order_node *child = side == 0 ? left : right;
        if (child == NULL)
            continue;
        n->least = child->least < n->least ? child->least : n->least;
        n->earliest = child->earliest < n->earliest ? child->earliest : n->earliest;
        n->latest = child->latest > n->latest ? child->latest : n->latest;
    }
}

static const struct pc_treap_type type = {sizeof(struct pc_order_node), node_before, pull};

bool pc_order_reserve(struct pc_order_nodes *n, const struct pc_memory *memory, uint32_t count)
{
    return PC_GROW(memory, n->of, n->capacity, count);
}

void pc_order_free(struct pc_order_nodes *n, const struct pc_memory *memory)
{
    pc_release(memory, n->of, n->capacity, sizeof *n->of);
    *n = (struct pc_order_nodes){0};
}

void pc_order_add(struct pc_order_nodes *n, uint32_t *root, uint32_t id, struct pc_order_place place,
                  int64_t value, int64_t time)
{
    n->of[id] = (struct pc_order_node){.place = place, .value = value, .time = time};
    pc_treap_add(&type, n->of, root, id);
}

void pc_order_remove(struct pc_order_nodes *n, uint32_t *root, uint32_t id)
{
    pc_treap_remove(&type, n->of, root, id);
}

void pc_order_set(struct pc_order_nodes *n, uint32_t id, int64_t value, int64_t time)
{
    n->of[id].value = value;
    n->of[id].time = time;
    pc_treap_pull_up(&type, n->of, id);
}

uint32_t pc_order_first(const struct pc_order_nodes *n, uint32_t root)
{
    return pc_treap_first(&type, n->of, root);
}

uint32_t pc_order_next(const struct pc_order_nodes *n, uint32_t id)
{
    return pc_treap_next(&type, n->of, id);
}

static bool may_have(const struct pc_order_nodes *n, uint32_t root, const struct pc_order_bounds *b)
{
    return root != PC_NONE && n->of[root].latest > b->after &&
           (n->of[root].least <= b->most || n->of[root].earliest <= b->until);
}

static bool is_within(const struct pc_order_node *node, const struct pc_order_bounds *b)
{
    return node->time > b->after && (node->value <= b->most || node->time <= b->until);
}

/* The first in the subtree that may have one of which the left part has none. */
static uint32_t leftmost(const struct pc_order_nodes *n, uint32_t at, const struct pc_order_bounds *b)
{
    while (may_have(n, n->of[at].links.left, b))
        at = n->of[at].links.left;
    return at;
}

/* The nearest above of which the node is in the left part, or PC_NONE. */
static uint32_t next_above(const struct pc_order_nodes *n, uint32_t at)
{
    uint32_t child = at;
    for (at = n->of[at].links.parent; at != PC_NONE && n->of[at].links.right == child;
         at = n->of[at].links.parent)
        child = at;
    return at;
}

uint32_t pc_order_find(const struct pc_order_nodes *n, uint32_t root, struct pc_order_place place,
                       struct pc_order_bounds b)
{
    if (!may_have(n, root, &b))
        return PC_NONE;
    uint32_t last = PC_NONE; /* the last one that is not behind the place */
    for (uint32_t at = root; at != PC_NONE;) {
        bool behind = pc_stands_before(&place, &n->of[at].place);
        last = behind ? last : at;
        at = behind ? n->of[at].links.left : n->of[at].links.right;
    }
    bool behind = last == PC_NONE;
    uint32_t at = behind ? pc_order_first(n, root) : last;
    while (at != PC_NONE && !(behind && is_within(&n->of[at], &b))) {
        uint32_t below = n->of[at].links.right;
        at = may_have(n, below, &b) ? leftmost(n, below, &b) : next_above(n, at);
        behind = true;
    }
    return at;
}

static const char *check_node(const struct pc_order_nodes *n, uint32_t at)
{
    struct pc_order_node expected = n->of[at];
    const struct pc_treap_links *l = &expected.links;
    pull(&expected, l->left == PC_NONE ? NULL : &n->of[l->left],
         l->right == PC_NONE ? NULL : &n->of[l->right]);
    if (expected.least != n->of[at].least || expected.latest != n->of[at].latest ||
        expected.earliest != n->of[at].earliest)
        return "the bounds of an ordered set";
    if ((l->left != PC_NONE && n->of[l->left].links.parent != at) ||
        (l->right != PC_NONE && n->of[l->right].links.parent != at))
        return "the links of an ordered set";
    return NULL;
}

const char *pc_order_check(const struct pc_order_nodes *n, uint32_t root, uint32_t *count)
{
    const char *wrong = NULL;
    uint32_t before = PC_NONE;
    *count = 0;
    for (uint32_t at = pc_order_first(n, root); at != PC_NONE && wrong == NULL; at = pc_order_next(n, at)) {
        wrong = check_node(n, at);
        if (wrong == NULL && before != PC_NONE && !node_before(&n->of[before], &n->of[at]))
            wrong = "the order of an ordered set";
        before = at;
        ++*count;
    }
    return wrong;
}
