/* SPDX-License-Identifier: MIT */
/*
 * An amount over time, such as what is free from when to when: a *skyline* of steps.
 *
 *     free |      ______        ____
 *          |  ___|      |______|         steps: the amount stays from one to the next
 *          |_|_______________________
 *           begin
 *
 * It is kept as a balanced tree over the times at which the amount changes, each with the change;
 * subtrees know the sum of their changes and the least and the largest sum on the way. Adding to a
 * range changes two of them. All questions take O(log n), but pc_skyline_fit(), which takes that
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
        most; /* of the subtree's changes: all; and the extremes of its partial sums */
};

struct pc_skyline {
    struct pc_step *steps;
    uint32_t capacity, used, count; /* used: steps[0..used-1] were ever; count: are now */
    uint32_t free; /* steps that are not in the tree, chained by links.right; PC_NONE */
    uint32_t root;
    int64_t begin, first; /* up to the first change the amount is `first`; nothing is asked of the
                             time before `begin` */
};

void pc_skyline_init(struct pc_skyline *, int64_t begin, int64_t first);
void pc_skyline_restart(struct pc_skyline *, int64_t begin,
                        int64_t first); /* without changes, as if new */
void pc_skyline_free(struct pc_skyline *, const struct pc_memory *);

/* Room for so many more ranges; false: no memory. */
bool pc_skyline_reserve(struct pc_skyline *, const struct pc_memory *, uint32_t ranges);

/*
 * So much more (less when negative) from one time to another, INT64_MAX: for ever. Both may lie
 * before `begin`, from then on it counts. There has to be room for one range.
 */
void pc_skyline_add(struct pc_skyline *, int64_t from, int64_t to, int64_t amount);

/* Time has passed: `begin` is later now, or the same. */
void pc_skyline_advance(struct pc_skyline *, int64_t begin);

/* The amount at a time, begin or later. */
int64_t pc_skyline_at(const struct pc_skyline *, int64_t time);

/* The least from `begin` on, for ever. */
int64_t pc_skyline_least(const struct pc_skyline *);

/* The first time behind that one at which the amount changes to less than `need`, or to that at
 * least; INT64_MAX: none. */
int64_t pc_skyline_next_below(const struct pc_skyline *, int64_t time, int64_t need);
int64_t pc_skyline_next_enough(const struct pc_skyline *, int64_t time, int64_t need);

/* There is `need` at that time: since when, `begin` or later. */
int64_t pc_skyline_enough_since(const struct pc_skyline *, int64_t time, int64_t need);

/* The first time behind that one at which the amount changes; INT64_MAX: none. */
int64_t pc_skyline_next(const struct pc_skyline *, int64_t time);

/*
 * The earliest time, `from` or one behind it at which the amount changes, from which on there is
 * `need` for `duration` (INT64_MAX: for ever), if that is before `before`; else INT64_MAX. For no
 * duration nothing is needed.
 */
int64_t pc_skyline_fit(const struct pc_skyline *, int64_t from, int64_t before, int64_t need,
                       int64_t duration);

#endif
