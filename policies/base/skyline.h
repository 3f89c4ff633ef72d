/* SPDX-License-Identifier: MIT */
/*
 * An amount over time, such as the free devices: a *skyline* of steps.
 *
 *     free |      ______        ____
 *          |  ___|      |______|         steps: the amount stays from one to the next
 *          |_|_______________________
 *           begin
 *
 * Stored as a balanced tree of the times at which the amount changes, each with its change;
 * subtrees know the sum of their changes and the smallest and largest partial sum. Adding to a
 * range updates two nodes. Every query takes O(log n), except pc_skyline_fit(), which takes that
 * for each dip it passes.
 */
#ifndef POLICY_BASE_SKYLINE_H
#define POLICY_BASE_SKYLINE_H

#include "base/treap.h"

struct pc_step {
    struct pc_treap_links links;
    uint32_t reserved; /* zero */
    int64_t time;
    int64_t change; /* never 0 */
    int64_t sum, least,
        most; /* over the subtree's changes: their sum, and the extremes of its partial sums */
};

struct pc_skyline {
    struct pc_step *steps;
    uint32_t capacity, used, count; /* used: steps[0..used-1] have been in use; count: are in use
                                       now */
    uint32_t free;                  /* unused steps, chained by links.right; PC_NONE */
    uint32_t root;
    int64_t begin, first; /* the amount is `first` until the first change; times before `begin` are
                             never queried */
};

void pc_skyline_init(struct pc_skyline *, int64_t begin, int64_t first);
void pc_skyline_restart(struct pc_skyline *, int64_t begin,
                        int64_t first); /* resets the skyline to this amount, without changes */
void pc_skyline_free(struct pc_skyline *, const struct pc_memory *);

/* Makes room for this many more ranges; false: out of memory. */
bool pc_skyline_reserve(struct pc_skyline *, const struct pc_memory *, uint32_t ranges);

/*
 * Adds an amount (negative: subtracts) between two times; INT64_MAX: forever. Both may be before
 * `begin`; the range then counts from `begin`. There must be room for one range.
 */
void pc_skyline_add(struct pc_skyline *, int64_t from, int64_t to, int64_t amount);

/* Moves `begin` forward to a later time, or leaves it. */
void pc_skyline_advance(struct pc_skyline *, int64_t begin);

/* Returns the amount at a time, `begin` or later. */
int64_t pc_skyline_at(const struct pc_skyline *, int64_t time);

/* Returns the smallest amount from `begin` on. */
int64_t pc_skyline_least(const struct pc_skyline *);

/*
 * Returns the first time after the given one at which the amount changes to less than `need`, or to
 * that at least; INT64_MAX: none.
 */
int64_t pc_skyline_next_below(const struct pc_skyline *, int64_t time, int64_t need);
int64_t pc_skyline_next_enough(const struct pc_skyline *, int64_t time, int64_t need);

/* A position in time: the last change up to it (PC_NONE: before the first), and the amount there.
 * Valid until the next change of the skyline. */
struct pc_skyline_cursor {
    uint32_t at;
    int64_t amount;
};

struct pc_skyline_cursor pc_skyline_cursor_at(const struct pc_skyline *, int64_t time);

/* Moves to the next change to less than `need`, or to that at least, and returns its time;
 * INT64_MAX: there is none, and the cursor stays. */
int64_t pc_skyline_to_below(const struct pc_skyline *, struct pc_skyline_cursor *, int64_t need);
int64_t pc_skyline_to_enough(const struct pc_skyline *, struct pc_skyline_cursor *, int64_t need);

/* Given that the amount is at least `need` at that time, returns since when, `begin` or later. */
int64_t pc_skyline_enough_since(const struct pc_skyline *, int64_t time, int64_t need);

/* Returns the first time after the given one at which the amount changes; INT64_MAX: none. */
int64_t pc_skyline_next(const struct pc_skyline *, int64_t time);

/*
 * Returns the earliest time, `from` or a later change, from which `need` is available for
 * `duration` (INT64_MAX: forever), if that is before `before`; otherwise INT64_MAX. A duration of 0
 * needs nothing.
 */
int64_t pc_skyline_fit(const struct pc_skyline *, int64_t from, int64_t before, int64_t need,
                       int64_t duration);

#endif
