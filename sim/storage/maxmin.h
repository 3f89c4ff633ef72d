/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Max-min fair shares of links. A flow crosses some links and wants a rate; on each link it counts
 * with a weight, since a rate on each of a job's nodes adds up to a multiple of that rate on what
 * the nodes share:
 *
 *     node 0 --1--+
 *     node 1 --1--+--2-- store          two nodes of a job that read at 3 GB/s each take 6 GB/s of
 *                                       the store
 *
 * Rates are fair if none can grow without reducing one that is as low or lower: every flow has what
 * it wants, or crosses a full link on which no flow has more. Rates are whole units and sums are
 * exact, so they depend on the set of flows alone, not on the order of arrival. No link carries
 * more than its capacity.
 *
 * A link that can serve its whole demand is no constraint. Only flows connected to a change through
 * constraining links are recomputed, in O(crossings x log links).
 *
 * Flows and links are numbers; flow numbers are reused. A maxmin owns all its memory.
 */
#ifndef SIM_STORAGE_MAXMIN_H
#define SIM_STORAGE_MAXMIN_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAXMIN_WHOLE 1000000            /* weights are in millionths */
#define MAXMIN_MOST  (INT64_MAX / 1000) /* maximum of capacities and demands */

struct maxmin;

struct maxmin_cross {
    uint32_t link;
    int64_t weight; /* > 0, millionths */
};

struct maxmin *maxmin_create(void);
void maxmin_destroy(struct maxmin *); /* NULL is fine */

/* Links count from 0. */
uint32_t maxmin_add_link(struct maxmin *, int64_t capacity);

/* Adds a flow with that demand, at most once on each link. The crossings are copied. */
uint32_t maxmin_join(struct maxmin *, int64_t want, const struct maxmin_cross *, size_t count);
void maxmin_leave(struct maxmin *, uint32_t flow);

/*
 * Flows whose rate changed since the last call, including new flows, each once, ascending. Valid
 * until the next call of a function that changes the maxmin.
 */
const uint32_t *maxmin_settle(struct maxmin *, size_t *count);

int64_t maxmin_rate(const struct maxmin *, uint32_t flow); /* as settled */

/* Returns false with err set if a link carries too much or a flow could have more. Settled objects
 * only. */
bool maxmin_check(const struct maxmin *, struct err *err);

#endif
