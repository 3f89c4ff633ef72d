/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Searches for the smallest number of nodes that meets all targets, when trying a number costs
 * simulations. Meeting a target is not monotone: with one more node a list of jobs may end later
 * (R. L. Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Applied Mathematics 17,
 * 1969), samples vary, and some targets limit the fleet from above (a minimum utilization). So:
 *
 *     bracket   for each target that is missed at `start`: upward by an eighth of it, then twice as
 *               far each time, until it is met
 *     bisect    between the last miss and the first hit, for each target separately; the largest of
 *               their numbers is the candidate
 *     join      upward from there, a few numbers: the first at which all targets are met; if each
 *               is met but not all together, in doubling steps while each is, and back by bisecting
 *     verify    downward: while one of the `window` numbers below also meets all targets, it
 *               becomes the candidate; and the number above, which is only reported
 *
 * An isolated miss beyond the window is not found; every number that was tried is reported.
 */
#ifndef REPORT_PLAN_SEARCH_H
#define REPORT_PLAN_SEARCH_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SEARCH_TARGETS ((size_t)16)
#define SEARCH_WINDOW  INT64_C(3)

struct search {
    int64_t low, high; /* range of the numbers, both inclusive */
    int64_t start; /* start of the search, in the range: no smaller number is expected to suffice */
    size_t target_count; /* 1..SEARCH_TARGETS */
    bool together; /* meeting each target does not imply meeting all together; bit target_count says
                      so */
    /*
     * Sets which targets a number meets, a bit each. A repeated call for a number must return the
     * same, at once. False ends the search.
     */
    bool (*try)(void *self, int64_t number, uint32_t *met, struct err *err);
    void (*expect)(void *self,
                   size_t numbers); /* about this many are still to be tried; NULL: not needed */
    void *self;
};

struct search_result {
    int64_t answer;                /* 0: none */
    bool above_tried, above_meets; /* answer + 1 */
    uint32_t unreachable;          /* targets that no tried number meets */
    int64_t conflict; /* 0, or the number at which each missed target is met, but not all together
                         or others are not */
};

/* Returns false if `try` failed. */
bool search_smallest(const struct search *, struct search_result *, struct err *err);

#endif
