/* SPDX-License-Identifier: MIT */
/*
 * Vectors of the three shared resources, and comparisons of them. In a quota, limit or share, -1
 * means unlimited.
 */
#ifndef POLICY_STATE_AMOUNTS_H
#define POLICY_STATE_AMOUNTS_H

#include "policy.h"

enum pc_resource { PC_GPU = 0, PC_CPU = 1, PC_MEM = 2, PC_RESOURCES = 3 };

/*
 * Upper bound on what all jobs together may request of a resource: 2 * 10^12 devices or cores, 2 *
 * 10^15 MiB. It keeps sums over queues far from the int64 limit, even times a thousand. A node has
 * at most PC_MOST_ON_NODE of CPU and memory, so 2^22 nodes (the bound on ranks) can be summed.
 */
#define PC_MOST         (INT64_C(1) << 51)
#define PC_MOST_ON_NODE (INT64_C(1) << 40)

struct pc_amounts {
    int64_t of[PC_RESOURCES]; /* thousandths of devices, thousandths of cores, MiB */
};

static inline void pc_add(struct pc_amounts *to, const struct pc_amounts *more, int64_t times)
{
    for (int r = 0; r < PC_RESOURCES; r++)
        to->of[r] += times * more->of[r];
}

static inline struct pc_amounts pc_scaled(const struct pc_amounts *a, int64_t times)
{
    return (struct pc_amounts){
        {times * a->of[PC_GPU], times * a->of[PC_CPU], times * a->of[PC_MEM]}};
}

static inline struct pc_amounts pc_sum(const struct pc_amounts *a, const struct pc_amounts *b)
{
    struct pc_amounts sum = *a;
    pc_add(&sum, b, 1);
    return sum;
}

static inline bool pc_equal_amounts(const struct pc_amounts *a, const struct pc_amounts *b)
{
    return a->of[PC_GPU] == b->of[PC_GPU] && a->of[PC_CPU] == b->of[PC_CPU] &&
           a->of[PC_MEM] == b->of[PC_MEM];
}

/* Returns true if a <= b, where -1 is infinite on either side. */
static inline bool pc_within_one(int64_t a, int64_t b)
{
    return b == POLICY_UNLIMITED || (a != POLICY_UNLIMITED && a <= b);
}

static inline bool pc_within(const struct pc_amounts *a, const struct pc_amounts *b)
{
    for (int r = 0; r < PC_RESOURCES; r++)
        if (!pc_within_one(a->of[r], b->of[r]))
            return false;
    return true;
}

/* Returns the first resource with more > 0 in which has + more exceeds the bound; PC_RESOURCES:
 * none. */
static inline int pc_exceeds(const struct pc_amounts *has, const struct pc_amounts *more,
                             const struct pc_amounts *bound)
{
    for (int r = 0; r < PC_RESOURCES; r++)
        if (more->of[r] > 0 && !pc_within_one(has->of[r] + more->of[r], bound->of[r]))
            return r;
    return PC_RESOURCES;
}

static inline struct policy_amounts pc_public(const struct pc_amounts *a)
{
    return (struct policy_amounts){a->of[PC_GPU], a->of[PC_CPU], a->of[PC_MEM]};
}

#endif
