/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A random fleet of a few pools and a stream of preemptible jobs of one device, for properties of
 * the quota policy. A test puts the world first in its own struct, draws pools and queues, adds
 * them to the policy, and lets pool_world_play() submit and end jobs and carry out decisions.
 */
#ifndef TESTS_LIB_POOL_WORLD_H
#define TESTS_LIB_POOL_WORLD_H

#include "policies/policy.h"

#include <stdbool.h>
#include <stdint.h>

enum { POOL_WORLD_POOLS = 5, POOL_WORLD_QUEUES = 6, POOL_WORLD_JOBS = 64 };

struct pool_world {
    uint64_t state, seed; /* state of the random numbers, initially the seed */
    struct policy *policy;
    int32_t pools, queues;
    int32_t devices[POOL_WORLD_POOLS];       /* by pool, on nodes of at most 2 */
    uint32_t may_use[POOL_WORLD_QUEUES];     /* bit p: the queue may use pool p */
    uint32_t jobs, alive[POOL_WORLD_QUEUES]; /* submitted; not yet ended */
    uint32_t queue_of[POOL_WORLD_JOBS];
    bool over[POOL_WORLD_JOBS], runs[POOL_WORLD_JOBS];
    policy_job id[POOL_WORLD_JOBS];
    policy_time now;

    void (*check_decision)(struct pool_world *); /* called after each decision; may be NULL */
    void (*check_rest)(struct pool_world *);     /* called when the policy has nothing to do */
};

/* Draws a number below n. */
uint32_t pool_world_below(struct pool_world *, uint32_t n);

/* Draws the number of pools (at least 2) and of queues (at least 2). */
void pool_world_draw_sizes(struct pool_world *);

/* Adds a random pool to those that the queue may use, `count` times. */
void pool_world_draw_may_use(struct pool_world *, int32_t queue, uint32_t count);

void pool_world_add_nodes(struct pool_world *);

/* Adds queue q with a quota of whole devices, bound to the pools that it may use. */
void pool_world_add_queue(struct pool_world *, int32_t q, int64_t quota,
                          const struct policy_pool_quota *by_pool, uint32_t by_pool_count);

/* Four rounds of submissions, ends and decisions; each ends when the policy decides nothing. */
void pool_world_play(struct pool_world *);

struct policy_queue_info pool_world_info(const struct pool_world *, int32_t q);

#endif
