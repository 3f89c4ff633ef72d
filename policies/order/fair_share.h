/* SPDX-License-Identifier: MIT */
/*
 * The division of one resource among the children of one queue. Three passes:
 *     quota       every queue gets its quota, as far as it can use it, even if there is less than
 *                 all quotas together
 *     over-quota  the rest goes to the queues that can use more, highest priority first, by
 *                 weight. In rounds: each gets its entitlement (the amount left * weight /
 *                 weights), but no more than it can use, and otherwise in whole units. What is
 *                 left over is divided again among those that can still use more.
 *     remainders  units that could not be divided go one by one to the queues that lost the
 *                 largest fraction of a unit, again highest priority first
 *
 * Example: 11 devices, two queues with quota 2 and equal weights that request 6 each. Quotas: 2 and
 * 2. Left: 7, an entitlement of 3.5 each, 3 in whole devices: 5 and 5. The last device goes to the
 * older queue: 6 and 5.
 *
 * A queue with high past usage counts for less: with w its fraction of the weights and u its
 * fraction of past usage, the weight of its entitlement is max(0, w + k (w - u)). Everything is
 * exact in integers, except that these weights lose low bits, keeping 62, if the sum of all weights
 * exceeds 2^62 / (1 + k) / 10^6 (k a whole number).
 */
#ifndef POLICY_ORDER_FAIR_SHARE_H
#define POLICY_ORDER_FAIR_SHARE_H

#include "policy.h"

#define PC_WEIGHT_MAX (INT64_C(1) << 42)               /* of one queue: 4 billion in thousandths */
#define PC_K_MAX      (INT64_C(1000000) * 1000 * 1000) /* ppm: a million, where it saturates */

/* What one queue can claim of the resource, and its share. */
struct pc_claim {
    int64_t quota;     /* POLICY_UNLIMITED: all of the amount */
    int64_t limit;     /* or POLICY_UNLIMITED */
    int64_t weight;    /* 0..PC_WEIGHT_MAX; 0: gets only its quota */
    int64_t request;   /* running plus pending */
    int64_t usage_ppm; /* past usage, in parts per million of the cluster's capacity */
    policy_time created;
    uint32_t rank; /* tie-break: older first, then the smaller rank; unique among siblings */
    int32_t priority;
    int64_t share; /* output; may exceed what it can use by less than a unit */
    /* working values */
    int64_t wanted;     /* the request within the limit */
    uint64_t part;      /* of the over-quota in this round; 0 for queues that are satisfied */
    uint64_t remainder; /* the fraction of a unit that it was entitled to and did not get: see
                           fair_share.c */
};

/*
 * Divides the amount (POLICY_UNLIMITED: every queue gets what it can use) and returns what is left.
 * Over-quota shares are multiples of `unit`, which is at most 2^15, unless a queue can use no more
 * or no whole unit is left. `order` is scratch memory for `count` (at most 2^20) pointers. O(count
 * log count) per round, nearly always at most three rounds per priority.
 */
int64_t pc_divide(int64_t amount, int64_t unit, int64_t k_ppm, struct pc_claim *claims,
                  uint32_t count, struct pc_claim **order);

/* The allocatable amount: the larger of quota and share, within the limit. */
static inline int64_t pc_allocatable(int64_t quota, int64_t limit, int64_t fair)
{
    if (quota == POLICY_UNLIMITED)
        return limit;
    int64_t most = quota > fair ? quota : fair;
    return limit != POLICY_UNLIMITED && limit < most ? limit : most;
}

#endif
