/* SPDX-License-Identifier: MIT */
/* Ordered sets: treaps with two bounds; see order_tree.h. */
#include "base/order_tree.h"

static bool node_before(const void *a, const void *b)
{
    const struct pc_order_node *x = a;
    const struct pc_order_node *y = b;
    return pc_stands_before(&x->place, &y->place) ||
           (!pc_stands_before(&y->place, &x->place) && x < y);
}

static bool pull(void *node, const void *left, const void *right)
{
    struct pc_order_node *n = node;
    const int64_t before = n->least;
    n->least = n->value;
    for (int side = 0; side < 2; side++) {
        const struct pc_order_node *child = side == 0 ? left : right;
        if (child != NULL)
            n->least = child->least < n->least ? child->least : n->least;
    }
    return n->least != before;
}

static bool pull_timed(void *node, const void *left, const void *right)
{
    struct pc_order_timed_node *n = node;
    const int64_t earliest = n->earliest;
    const int64_t latest = n->latest;
    bool changed = pull(node, left, right);
    n->earliest = n->latest = n->time;
    for (int side = 0; side < 2; side++) {
        const struct pc_order_timed_node *child = side == 0 ? left : right;
        if (child == NULL)
            continue;
        n->earliest = child->earliest < n->earliest ? child->earliest : n->earliest;
        n->latest = child->latest > n->latest ? child->latest : n->latest;
    }
    return changed || n->earliest != earliest || n->latest != latest;
}

static const struct pc_treap_type plain = {sizeof(struct pc_order_node), node_before, pull};
static const struct pc_treap_type timed = {sizeof(struct pc_order_timed_node), node_before,
                                           pull_timed};

bool pc_order_reserve(struct pc_order_nodes *n, const struct pc_memory *memory, uint32_t count)
{
    return count <= n->capacity ||
           pc_grow(memory, &n->of, &n->capacity, count, n->timed ? timed.size : plain.size);
}

void pc_order_free(struct pc_order_nodes *n, const struct pc_memory *memory)
{
    pc_release(memory, n->of, n->capacity, n->timed ? timed.size : plain.size);
    *n = (struct pc_order_nodes){.timed = n->timed};
}

void pc_order_add(struct pc_order_nodes *n, uint32_t *root, uint32_t id,
                  struct pc_order_place place, int64_t value, int64_t time)
{
    const struct pc_order_node node = {.place = place, .value = value};
    *pc_order_at(n, id) = node;
    if (n->timed) {
        pc_order_timed_at(n, id)->time = time;
        pc_treap_add(&timed, n->of, root, id);
    } else {
        pc_treap_add(&plain, n->of, root, id);
    }
}

void pc_order_remove(struct pc_order_nodes *n, uint32_t *root, uint32_t id)
{
    if (n->timed)
        pc_treap_remove(&timed, n->of, root, id);
    else
        pc_treap_remove(&plain, n->of, root, id);
}

void pc_order_set(struct pc_order_nodes *n, uint32_t id, int64_t value, int64_t time)
{
    pc_order_at(n, id)->value = value;
    if (n->timed) {
        pc_order_timed_at(n, id)->time = time;
        pc_treap_pull_up(&timed, n->of, id);
    } else {
        pc_treap_pull_up(&plain, n->of, id);
    }
}

uint32_t pc_order_first(const struct pc_order_nodes *n, uint32_t root)
{
    return n->timed ? pc_treap_first(&timed, n->of, root) : pc_treap_first(&plain, n->of, root);
}

uint32_t pc_order_next(const struct pc_order_nodes *n, uint32_t id)
{
    return n->timed ? pc_treap_next(&timed, n->of, id) : pc_treap_next(&plain, n->of, id);
}

static bool may_have(const struct pc_order_nodes *n, uint32_t root, const struct pc_order_bounds *b)
{
    if (root == PC_NONE)
        return false;
    int64_t earliest = n->timed ? pc_order_timed_at(n, root)->earliest : 0;
    int64_t latest = n->timed ? pc_order_timed_at(n, root)->latest : 0;
    return latest > b->after && (pc_order_at(n, root)->least <= b->most || earliest <= b->until);
}

static bool is_within(const struct pc_order_nodes *n, uint32_t id, const struct pc_order_bounds *b)
{
    int64_t time = n->timed ? pc_order_timed_at(n, id)->time : 0;
    return time > b->after && (pc_order_at(n, id)->value <= b->most || time <= b->until);
}

/* Descends to the left while the left subtree may contain a match. */
static uint32_t leftmost(const struct pc_order_nodes *n, uint32_t at,
                         const struct pc_order_bounds *b)
{
    while (may_have(n, pc_order_at(n, at)->links.left, b))
        at = pc_order_at(n, at)->links.left;
    return at;
}

/* The nearest ancestor that has the node in its left subtree, or PC_NONE. */
static uint32_t next_above(const struct pc_order_nodes *n, uint32_t at)
{
    uint32_t child = at;
    for (at = pc_order_at(n, at)->links.parent;
         at != PC_NONE && pc_order_at(n, at)->links.right == child;
         at = pc_order_at(n, at)->links.parent)
        child = at;
    return at;
}

uint32_t pc_order_find(const struct pc_order_nodes *n, uint32_t root, struct pc_order_place place,
                       struct pc_order_bounds b)
{
    if (!may_have(n, root, &b))
        return PC_NONE;
    uint32_t last = PC_NONE; /* the last one not after the place */
    for (uint32_t at = root; at != PC_NONE;) {
        bool behind = pc_stands_before(&place, &pc_order_at(n, at)->place);
        last = behind ? last : at;
        at = behind ? pc_order_at(n, at)->links.left : pc_order_at(n, at)->links.right;
    }
    bool behind = last == PC_NONE;
    uint32_t at = behind ? pc_order_first(n, root) : last;
    while (at != PC_NONE && !(behind && is_within(n, at, &b))) {
        uint32_t below = pc_order_at(n, at)->links.right;
        at = may_have(n, below, &b) ? leftmost(n, below, &b) : next_above(n, at);
        behind = true;
    }
    return at;
}

/* Checks the node's summary against its children. */
static const char *check_node(const struct pc_order_nodes *n, uint32_t at)
{
    struct pc_order_timed_node expected = {.node = *pc_order_at(n, at)};
    const struct pc_treap_links *l = &expected.node.links;
    const void *left = l->left == PC_NONE ? NULL : pc_order_at(n, l->left);
    const void *right = l->right == PC_NONE ? NULL : pc_order_at(n, l->right);
    if (n->timed)
        expected.time = pc_order_timed_at(n, at)->time;
    (void)(n->timed ? pull_timed : pull)(&expected, left, right);
    if (expected.node.least != pc_order_at(n, at)->least ||
        (n->timed && (expected.latest != pc_order_timed_at(n, at)->latest ||
                      expected.earliest != pc_order_timed_at(n, at)->earliest)))
        return "the bounds of an ordered set";
    if ((l->left != PC_NONE && pc_order_at(n, l->left)->links.parent != at) ||
        (l->right != PC_NONE && pc_order_at(n, l->right)->links.parent != at))
        return "the links of an ordered set";
    return NULL;
}

const char *pc_order_check(const struct pc_order_nodes *n, uint32_t root, uint32_t *count)
{
    const char *wrong = NULL;
    uint32_t before = PC_NONE;
    *count = 0;
    for (uint32_t at = pc_order_first(n, root); at != PC_NONE && wrong == NULL;
         at = pc_order_next(n, at)) {
        wrong = check_node(n, at);
        if (wrong == NULL && before != PC_NONE &&
            !node_before(pc_order_at(n, before), pc_order_at(n, at)))
            wrong = "the order of an ordered set";
        before = at;
        ++*count;
    }
    return wrong;
}
