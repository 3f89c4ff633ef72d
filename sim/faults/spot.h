/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spot capacity: nodes whose owner takes them back when needed, after a notice. Reclaims come as
 * Poisson processes, so those of any 30 days are alike, and neither a policy nor a fault moves one
 * of them:
 *
 *     node         |------x----------------x------------->   one node, at rate E (1 - c) / N
 *     pool         |----------------X-------------------->   `together` nodes next to each other,
 *                                                            at rate E c
 *
 * N is the number of nodes, c the share of reclaims that take several. E is such that a node is
 * reclaimed at the rate h = -ln(1 - monthly) / 30 days, whichever way: E = h N / (1 - c + c *
 * together). So a share `monthly` of the nodes is reclaimed at least once in 30 days. (Clouds tell
 * it as bands, such as 5 to 10 %; 7.5 % are 2.6 per 1,000 node-days.) A node that is away is not
 * there to be reclaimed: the time after it came back counts anew, as an exponential gap does.
 *
 * Draws are keyed by (seed, pool and node, k), so nodes that are added to a pool move the reclaims
 * of no other.
 *
 *     struct spot *spot = spot_create(pools, count, horizon_ms, seed);
 *     while (spot_peek(spot) <= until_ms)
 *         reclaim = spot_take(spot);
 *     spot_destroy(spot);
 */
#ifndef SIM_FAULTS_SPOT_H
#define SIM_FAULTS_SPOT_H

#include <stddef.h>
#include <stdint.h>

#define SPOT_MONTH_DAYS 30

struct spot_pool {
    uint32_t first_node, nodes; /* of the fleet; pools do not overlap */
    double monthly;             /* 0 <= monthly < 1 */
    double correlated;          /* 0..1: c above */
    uint32_t together;          /* >= 1; at most all nodes of the pool */
    int64_t notice_ms;          /* from the announcement until the node leaves */
    int64_t away_ms;            /* > 0: from then on until it is back */
};

/* Capacity that is reclaimed: announced at time_ms. */
struct spot_reclaim {
    int64_t time_ms;
    uint32_t pool;         /* index into the pools */
    const uint32_t *nodes; /* rising; of the spot, until the next call */
    uint32_t node_count;   /* at least 1 */
};

struct spot;

/* Pools are copied. Times run from 0 to the horizon. */
struct spot *spot_create(const struct spot_pool *, size_t count, int64_t horizon_ms, uint64_t seed);
void spot_destroy(struct spot *); /* NULL is fine */

/* Time of the next announcement; INT64_MAX if there is none before the horizon. */
int64_t spot_peek(struct spot *);

/* The next one; spot_peek() < INT64_MAX. */
struct spot_reclaim spot_take(struct spot *);

#endif
