/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The smallest number of nodes that meets all targets, when every number that is tried costs
 * simulations. Meeting a target is no monotone function of the number: with one node more a list of
 * jobs may end later (R. L. Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Applied
 * Mathematics 17, 1969), samples scatter, and some targets bound the fleet from above (utilization
 * at least so much). So:
 *
 *     bracket   for each target that is missed at `start`: upward by an eighth of it, then twice as
 *               far each time, until it is met
 *     bisect    between the last miss and the first hit, each target by itself; the largest of
 *               their numbers is the candidate
 *     join      from there on up, a few numbers: the first at which all targets are met; where each
 *               is met but not all together, in steps that double while each is, and back by
 *               bisecting
 *     verify    down: as long as one of the `window` numbers below meets all targets too, it is the
 *               candidate; and the number above, which is only reported
 *
 * A miss that stands alone further away than the window stays unseen; every number that was tried
 * is reported.
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
    int64_t low, high;   /* tried numbers lie between, both inclusive */
    int64_t start;       /* between them: nothing below is expected to do */
    size_t target_count; /* 1..SEARCH_TARGETS */
    bool together; /* meeting each target is not yet meeting all of them: bit target_count says that
                    */
    /*
     * Which targets a number meets, a bit each. Asked again for the same number it has to answer
     * the same, at once. False ends the search.
     */
    bool (*try)(void *self, int64_t number, uint32_t *met, struct err *err);
    void (*expect)(void *self,
                   size_t numbers); /* about so many are still to be tried; NULL: not needed */
    void *self;
};

struct search_result {
    int64_t answer;                /* 0: none was found */
    bool above_tried, above_meets; /* answer + 1 */
    uint32_t unreachable;          /* targets that no number of the range that was tried meets */
    int64_t conflict; /* 0, or the number at which each missed target is met, but others are not, or
                         not all together */
};

/* False when `try` said so. */
bool search_smallest(const struct search *, struct search_result *, struct err *err);

#endif
