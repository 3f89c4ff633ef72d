/* SPDX-License-Identifier: MIT */
/*
 * Amounts of the three resources that are shared out, as one vector, and how such vectors compare. In a quota, a limit
 * or a share -1 stands for "unlimited".
 */
#ifndef POLICY_CLUSTER_AMOUNTS_H
#define POLICY_CLUSTER_AMOUNTS_H

#include "policy.h"

enum pq_resource { PQ_GPU = 0, PQ_CPU = 1, PQ_MEM = 2, PQ_RESOURCES = 3 };

/*
 * All jobs together ask for no more than this of a resource: 2 * 10^12 devices or cores, 2 * 10^15 MiB. So sums of what
 * queues have and ask for stay far from the end of int64, also a thousandfold. A node has at most PQ_MOST_ON_NODE of CPU
 * and memory, so that 2^22 of them (the bound of ranks) add up too.
 */
#define PQ_MOST         (INT64_C(1) << 51)
#define PQ_MOST_ON_NODE (INT64_C(1) << 40)

struct pq_amounts {
    int64_t of[PQ_RESOURCES]; /* thousandths of devices, thousandths of cores, MiB */
};

static inline void pq_add(struct pq_amounts *to, const struct pq_amounts *more, int64_t times)
{
    for (int r = 0; r < PQ_RESOURCES; r++)
        to->of[r] += times * more->of[r];
}

static inline struct pq_amounts pq_sum(const struct pq_amounts *a, const struct pq_amounts *b)
{
    struct pq_amounts sum = *a;
    pq_add(&sum, b, 1);
    return sum;
}

/* Whether a <= b, where -1 is infinite on either side. */
static inline bool pq_within_one(int64_t a, int64_t b)
{
    return b == POLICY_UNLIMITED || (a != POLICY_UNLIMITED && a <= b);
}

static inline bool pq_within(const struct pq_amounts *a, const struct pq_amounts *b)
{
    for (int r = 0; r < PQ_RESOURCES; r++)
        if (!pq_within_one(a->of[r], b->of[r]))
            return false;
    return true;
}

/* The first resource in which has + more is above the bound, of those of which more is wanted; PQ_RESOURCES: none. */
static inline int pq_exceeds(const struct pq_amounts *has, const struct pq_amounts *more,
                             const struct pq_amounts *bound)
{
    for (int r = 0; r < PQ_RESOURCES; r++)
        if (more->of[r] > 0 && !pq_within_one(has->of[r] + more->of[r], bound->of[r]))
            return r;
    return PQ_RESOURCES;
}

static inline struct policy_amounts pq_public(const struct pq_amounts *a)
{
    return (struct policy_amounts){a->of[PQ_GPU], a->of[PQ_CPU], a->of[PQ_MEM]};
}

#endif
