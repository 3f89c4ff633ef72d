/* SPDX-License-Identifier: MIT */
/* The tree of skyline.h: a treap of changes, by time. */
#include "base/skyline.h"

static bool step_before(const void *a, const void *b)
{
    return ((const struct pc_step *)a)->time < ((const struct pc_step *)b)->time;
}

static void pull(void *node, const void *left, const void *right)
{
    struct pc_step *s = node;
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
}

static const struct pc_treap_type type = {sizeof(struct pc_step), step_before, pull};

void pc_skyline_init(struct pc_skyline *s, int64_t begin, int64_t first)
{
    *s = (struct pc_skyline){.free = PC_NONE, .root = PC_NONE, .begin = begin, .first = first};
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

/* The amount changes by so much (more) at this time. */
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
    if (s->steps[at].change == 0)
        take_out(s, at);
    else
        pc_treap_pull_up(&type, s->steps, at);
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
    for (uint32_t at = pc_treap_first(&type, s->steps, s->root); at != PC_NONE && s->steps[at].time <= begin;
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
        *amount += here->change + (here->links.left != PC_NONE ? s->steps[here->links.left].sum : 0);
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

/* What is looked for: an amount below the need, or one that is not. */
struct wanted {
    int64_t need;
    bool below;
};

static bool is_it(const struct wanted *w, int64_t amount)
{
    return (amount < w->need) == w->below;
}

static bool may_have(const struct pc_skyline *s, const struct wanted *w, uint32_t root, int64_t amount)
{
    if (root == PC_NONE)
        return false;
    return is_it(w, amount + (w->below ? s->steps[root].least : s->steps[root].most));
}

/* The first in a subtree that has one; `amount` is that before the subtree, and then that from the found one on. */
static uint32_t first_within(const struct pc_skyline *s, const struct wanted *w, uint32_t at, int64_t *amount)
{
    for (;;) {
        const struct pc_step *here = &s->steps[at];
        if (may_have(s, w, here->links.left, *amount)) {
            at = here->links.left;
            continue;
        }
        *amount += here->change + (here->links.left != PC_NONE ? s->steps[here->links.left].sum : 0);
        if (is_it(w, *amount))
            return at;
        at = here->links.right;
    }
}

static int64_t search(const struct pc_skyline *s, int64_t time, const struct wanted *w)
{
    int64_t amount;
    uint32_t at = last_until(s, time, &amount);
    if (at == PC_NONE) {
        if (!may_have(s, w, s->root, s->first))
            return INT64_MAX;
        return s->steps[first_within(s, w, s->root, &amount)].time;
    }
    for (;;) {
        uint32_t right = s->steps[at].links.right;
        if (may_have(s, w, right, amount))
            return s->steps[first_within(s, w, right, &amount)].time;
        amount += right != PC_NONE ? s->steps[right].sum : 0;
        uint32_t child = at;
        for (at = s->steps[at].links.parent; at != PC_NONE && s->steps[at].links.right == child;
             at = s->steps[at].links.parent)
            child = at;
        if (at == PC_NONE)
            return INT64_MAX;
        amount += s->steps[at].change;
        if (is_it(w, amount))
            return s->steps[at].time;
    }
}

int64_t pc_skyline_next_below(const struct pc_skyline *s, int64_t time, int64_t need)
{
    return search(s, time, &(struct wanted){need, true});
}

int64_t pc_skyline_next_enough(const struct pc_skyline *s, int64_t time, int64_t need)
{
    return search(s, time, &(struct wanted){need, false});
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
    int64_t at = from;
    if (pc_skyline_at(s, at) < need)
        at = pc_skyline_next_enough(s, at, need);
    while (at < before && at < INT64_MAX) {
        int64_t dip = pc_skyline_next_below(s, at, need);
        if (dip == INT64_MAX || (duration < INT64_MAX && dip - at >= duration))
            return at;
        at = pc_skyline_next_enough(s, dip, need);
    }
    return INT64_MAX;
}
