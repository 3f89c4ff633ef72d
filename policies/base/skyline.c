/* SPDX-License-Identifier: MIT */
/* A treap of changes by time; see skyline.h. */
#include "base/skyline.h"

static bool step_before(const void *a, const void *b)
{
    return ((const struct pc_step *)a)->time < ((const struct pc_step *)b)->time;
}

static bool pull(void *node, const void *left, const void *right)
{
    struct pc_step *s = node;
    const struct pc_step before = *s;
    const struct pc_step *l = left;
    const struct pc_step *r = right;
    s->sum = s->change + (l != NULL ? l->sum : 0);
    s->least = s->most = s->sum;
    if (l != NULL) {
        s->least = l->least < s->least ? l->least : s->least;
        s->most = l->most > s->most ? l->most : s->most;
    }
    if (r != NULL) {
        s->least = s->sum + r->least < s->least ? s->sum + r->least : s->least;
        s->most = s->sum + r->most > s->most ? s->sum + r->most : s->most;
        s->sum += r->sum;
    }
    return s->sum != before.sum || s->least != before.least || s->most != before.most;
}

static const struct pc_treap_type type = {sizeof(struct pc_step), step_before, pull};

void pc_skyline_init(struct pc_skyline *s, int64_t begin, int64_t first)
{
    *s = (struct pc_skyline){.free = PC_NONE, .root = PC_NONE, .begin = begin, .first = first};
}

void pc_skyline_restart(struct pc_skyline *s, int64_t begin, int64_t first)
{
    s->used = s->count = 0;
    s->free = s->root = PC_NONE;
    s->begin = begin;
    s->first = first;
}

void pc_skyline_free(struct pc_skyline *s, const struct pc_memory *memory)
{
    pc_release(memory, s->steps, s->capacity, sizeof *s->steps);
    *s = (struct pc_skyline){.free = PC_NONE, .root = PC_NONE};
}

bool pc_skyline_reserve(struct pc_skyline *s, const struct pc_memory *memory, uint32_t ranges)
{
    return PC_GROW(memory, s->steps, s->capacity, s->count + 2 * ranges);
}

static uint32_t find(const struct pc_skyline *s, int64_t time)
{
    uint32_t at = s->root;
    while (at != PC_NONE && s->steps[at].time != time)
        at = time < s->steps[at].time ? s->steps[at].links.left : s->steps[at].links.right;
    return at;
}

static void take_out(struct pc_skyline *s, uint32_t at)
{
    pc_treap_remove(&type, s->steps, &s->root, at);
    s->steps[at].links.right = s->free;
    s->free = at;
    s->count--;
}

/* Changes the amount by `amount` from this time on. */
static void change(struct pc_skyline *s, int64_t time, int64_t amount)
{
    if (time <= s->begin) {
        s->first += amount;
        return;
    }
    uint32_t at = find(s, time);
    if (at == PC_NONE) {
        at = s->free != PC_NONE ? s->free : s->used++;
        s->free = s->free != PC_NONE ? s->steps[at].links.right : PC_NONE;
        s->steps[at] = (struct pc_step){.time = time, .change = amount};
        pc_treap_add(&type, s->steps, &s->root, at);
        s->count++;
        return;
    }
    s->steps[at].change += amount;
    pc_treap_pull_up(&type, s->steps, at);
    if (s->steps[at].change == 0)
        take_out(s, at);
}

void pc_skyline_add(struct pc_skyline *s, int64_t from, int64_t to, int64_t amount)
{
    if (amount == 0 || to <= from)
        return;
    change(s, from, amount);
    if (to < INT64_MAX)
        change(s, to, -amount);
}

void pc_skyline_advance(struct pc_skyline *s, int64_t begin)
{
    s->begin = begin;
    for (uint32_t at = pc_treap_first(&type, s->steps, s->root);
         at != PC_NONE && s->steps[at].time <= begin;
         at = pc_treap_first(&type, s->steps, s->root)) {
        s->first += s->steps[at].change;
        take_out(s, at);
    }
}

/* The last change up to that time, or PC_NONE; and the amount from it on. */
static uint32_t last_until(const struct pc_skyline *s, int64_t time, int64_t *amount)
{
    uint32_t last = PC_NONE;
    *amount = s->first;
    for (uint32_t at = s->root; at != PC_NONE;) {
        const struct pc_step *here = &s->steps[at];
        if (here->time > time) {
            at = here->links.left;
            continue;
        }
        last = at;
        *amount +=
            here->change + (here->links.left != PC_NONE ? s->steps[here->links.left].sum : 0);
        at = here->links.right;
    }
    return last;
}

int64_t pc_skyline_at(const struct pc_skyline *s, int64_t time)
{
    int64_t amount;
    last_until(s, time, &amount);
    return amount;
}

int64_t pc_skyline_least(const struct pc_skyline *s)
{
    int64_t less = s->root != PC_NONE ? s->steps[s->root].least : 0;
    return s->first + (less < 0 ? less : 0);
}

/* A range of amounts: at least `low`, and below `high`. */
struct band {
    int64_t low, high;
};

static bool is_it(const struct band *b, int64_t amount)
{
    return amount >= b->low && amount < b->high;
}

/* Returns true if the subtree may contain an amount in the band; exact if the band is unbounded on
 * one side. */
static bool may_have(const struct pc_skyline *s, const struct band *b, uint32_t root,
                     int64_t amount)
{
    return root != PC_NONE && amount + s->steps[root].least < b->high &&
           amount + s->steps[root].most >= b->low;
}

static int64_t sum_of(const struct pc_skyline *s, uint32_t root)
{
    return root != PC_NONE ? s->steps[root].sum : 0;
}

/* Descends to the left while the left subtree may contain a match; `amount` is the one before the
 * node, then from it on. */
static uint32_t leftmost(const struct pc_skyline *s, const struct band *b, uint32_t at,
                         int64_t *amount)
{
    while (may_have(s, b, s->steps[at].links.left, *amount))
        at = s->steps[at].links.left;
    *amount += sum_of(s, s->steps[at].links.left) + s->steps[at].change;
    return at;
}

/* The nearest ancestor that has the node in its left subtree, or PC_NONE. */
static uint32_t next_above(const struct pc_skyline *s, uint32_t at)
{
    uint32_t child = at;
    for (at = s->steps[at].links.parent; at != PC_NONE && s->steps[at].links.right == child;
         at = s->steps[at].links.parent)
        child = at;
    return at;
}

struct pc_skyline_cursor pc_skyline_cursor_at(const struct pc_skyline *s, int64_t time)
{
    struct pc_skyline_cursor c;
    c.at = last_until(s, time, &c.amount);
    return c;
}

/* Advances to the first change after the cursor to an amount in the band, and returns its time;
 * INT64_MAX: none. */
static int64_t search_on(const struct pc_skyline *s, struct pc_skyline_cursor *c, struct band b)
{
    int64_t amount = c->amount;
    uint32_t at = c->at;
    uint32_t below = at != PC_NONE ? s->steps[at].links.right : s->root;
    for (;;) {
        if (may_have(s, &b, below, amount)) {
            at = leftmost(s, &b, below, &amount);
        } else {
            amount += sum_of(s, below);
            at = at != PC_NONE ? next_above(s, at) : PC_NONE;
            if (at == PC_NONE)
                return INT64_MAX;
            amount += s->steps[at].change;
        }
        if (is_it(&b, amount)) {
            *c = (struct pc_skyline_cursor){at, amount};
            return s->steps[at].time;
        }
        below = s->steps[at].links.right;
    }
}

static int64_t search(const struct pc_skyline *s, int64_t time, struct band b)
{
    struct pc_skyline_cursor c = pc_skyline_cursor_at(s, time);
    return search_on(s, &c, b);
}

int64_t pc_skyline_to_below(const struct pc_skyline *s, struct pc_skyline_cursor *c, int64_t need)
{
    return search_on(s, c, (struct band){INT64_MIN, need});
}

int64_t pc_skyline_to_enough(const struct pc_skyline *s, struct pc_skyline_cursor *c, int64_t need)
{
    return search_on(s, c, (struct band){need, INT64_MAX});
}

int64_t pc_skyline_next_below(const struct pc_skyline *s, int64_t time, int64_t need)
{
    return search(s, time, (struct band){INT64_MIN, need});
}

int64_t pc_skyline_next_enough(const struct pc_skyline *s, int64_t time, int64_t need)
{
    return search(s, time, (struct band){need, INT64_MAX});
}

/* The last match in a subtree that may_have() one; `amount` is the one before the subtree. */
static uint32_t last_within(const struct pc_skyline *s, const struct band *b, uint32_t at,
                            int64_t amount)
{
    for (;;) {
        const struct pc_step *here = &s->steps[at];
        uint32_t left = here->links.left;
        int64_t own = amount + here->change + sum_of(s, left);
        if (may_have(s, b, here->links.right, own)) {
            amount = own;
            at = here->links.right;
        } else if (is_it(b, own)) {
            return at;
        } else {
            at = left;
        }
    }
}

int64_t pc_skyline_enough_since(const struct pc_skyline *s, int64_t time, int64_t need)
{
    const struct band b = {INT64_MIN, need};
    int64_t amount;
    uint32_t at = last_until(s, time, &amount);
    uint32_t last = PC_NONE; /* the last one below the need */
    while (at != PC_NONE && last == PC_NONE) {
        uint32_t left = s->steps[at].links.left;
        int64_t before = amount - s->steps[at].change - sum_of(s, left);
        if (is_it(&b, amount)) {
            last = at;
        } else if (may_have(s, &b, left, before)) {
            last = last_within(s, &b, left, before);
        } else {
            uint32_t child = at;
            for (at = s->steps[at].links.parent; at != PC_NONE && s->steps[at].links.left == child;
                 at = s->steps[at].links.parent)
                child = at;
            amount = before;
        }
    }
    if (last != PC_NONE)
        return pc_skyline_next(s, s->steps[last].time);
    return s->first < need ? pc_skyline_next(s, s->begin) : s->begin;
}

int64_t pc_skyline_next(const struct pc_skyline *s, int64_t time)
{
    int64_t next = INT64_MAX;
    for (uint32_t at = s->root; at != PC_NONE;) {
        bool behind = s->steps[at].time > time;
        next = behind ? s->steps[at].time : next;
        at = behind ? s->steps[at].links.left : s->steps[at].links.right;
    }
    return next;
}

int64_t pc_skyline_fit(const struct pc_skyline *s, int64_t from, int64_t before, int64_t need,
                       int64_t duration)
{
    const struct band less = {INT64_MIN, need};
    const struct band enough = {need, INT64_MAX};
    struct pc_skyline_cursor c = pc_skyline_cursor_at(s, from);
    int64_t at = from;
    if (duration > 0 && c.amount < need)
        at = search_on(s, &c, enough);
    while (at < before && at < INT64_MAX) {
        int64_t dip = duration > 0 ? search_on(s, &c, less) : INT64_MAX;
        if (dip == INT64_MAX || (duration < INT64_MAX && dip - at >= duration))
            return at;
        at = search_on(s, &c, enough);
    }
    return INT64_MAX;
}
