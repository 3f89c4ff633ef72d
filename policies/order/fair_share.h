/* SPDX-License-Identifier: MIT */
/*
 * The division of one resource among the queues under one parent. Three passes:
 *
 *   quota       every queue gets its quota, as far as it can use it, even when there is less than
 *               all quotas together
 *   over quota  what remains goes to the queues that can use more, highest priority first, by
 *               weight. In rounds: each gets its entitlement (what was left * weight / weights),
 *               but no more than it can use; less than that only in whole units. What is left over
 *               is divided again among those that still want more.
 *   remainders  units that could not be divided go one by one to those that lost the largest part
 *               of a unit, again highest priority first
 *
 * Example: 11 devices, two queues with quota 2 and equal weights that want 6 each. Quotas: 2 and 2.
 * Left: 7, entitled to 3.5 each, 3 in whole devices: 5 and 5. The device that is left goes to the
 * older queue: 6 and 5.
 *
 * A queue that used much in the past counts for less: with w its part of the weights and u its part
 * of past use, the weight of its entitlement is max(0, w + k (w - u)). Everything is exact in
 * integers; only when the sum of all weights is above 2^62 / (1 + k) / 10^6 (k a whole number) do
 * these weights lose low bits, keeping 62.
 */
#ifndef POLICY_ORDER_FAIR_SHARE_H
#define POLICY_ORDER_FAIR_SHARE_H

#include "policy.h"

#define PC_WEIGHT_MAX (INT64_C(1) << 42)               /* of one queue: 4 billion in thousandths */
#define PC_K_MAX      (INT64_C(1000000) * 1000 * 1000) /* ppm: a million; more counts as this */

/* What one queue can claim of the resource, and what it gets. */
struct pc_claim {
    int64_t quota;     /* POLICY_UNLIMITED: all of the amount */
    int64_t limit;     /* or POLICY_UNLIMITED */
    int64_t weight;    /* 0..PC_WEIGHT_MAX; 0: only its quota */
    int64_t request;   /* what it uses and waits for */
    int64_t usage_ppm; /* of the past, in parts per million of what the cluster had */
    policy_time created;
    uint32_t rank; /* ties: older first, then the smaller rank; unique among the siblings */
    int32_t priority;
    int64_t share; /* the answer; may be above what it can use by less than a unit */
    /* while dividing */
    int64_t wanted;     /* as much as it can use: the request within the limit */
    uint64_t part;      /* of the over quota in this round; 0 for those that want no more */
    uint64_t remainder; /* the part of a unit that it was entitled to and did not get: see
                           fair_share.c */
};

/*
 * Divides the amount (POLICY_UNLIMITED: every queue gets what it can use) and returns what is left.
 * Shares of over quota are in multiples of `unit`, which is at most 2^15, unless a queue can use no
 * more or no whole unit is left. `order` is scratch of `count` (at most 2^20) pointers. Takes
 * O(count log count) a round, nearly always three rounds or fewer a priority.
 */
int64_t pc_divide(int64_t amount, int64_t unit, int64_t k_ppm, struct pc_claim *claims,
                  uint32_t count, struct pc_claim **order);

#endif
