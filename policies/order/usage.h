/* SPDX-License-Identifier: MIT */
/*
 * The history of use of one queue, and in the same way that of the cluster's capacity: what was held, integrated over
 * time, in a ring of buckets of equal length. The past use of a queue is its integral over the window divided by that of
 * the capacity.
 *
 *     ... | 61 | 62 | 63 | 64 | 65 | 66 |      buckets by number: floor(time / step); number modulo 64 is its slot
 *                              ^ now           the newest is being filled; it and the 63 before it count
 *
 * A sliding window of W ends now. It moves by whole buckets of W / 64, so it is between 63/64 W and W long. A tumbling
 * window begins at each multiple of W on the embedder's clock and forgets everything then. With a half-life H a bucket
 * counts 0.5^(age / H), its age being the time between its start and that of the newest; buckets are no longer than
 * H / 4 then, so the window is cut to 16 H, where nothing counts more than 1/65536. Use and capacity are weighed alike:
 * who held half of the cluster all the time has used half of it, whatever the window.
 *
 * What a queue used before its history begins can be told, as a part of the capacity.
 *
 * Amounts times milliseconds are summed exactly up to 2^63 in a bucket; more counts as this.
 */
#ifndef POLICY_ORDER_USAGE_H
#define POLICY_ORDER_USAGE_H

#include "base/wide.h"
#include "policy.h"

#define PC_USAGE_BUCKETS 64
#define PC_USAGE_MOST    (INT64_C(1000000) * 1000000) /* ppm that are told at most */

/* What all histories of one policy have in common. */
struct pc_usage_window {
    bool tumbling;
    int64_t window_ms, step_ms;
    uint32_t weight[PC_USAGE_BUCKETS]; /* of a bucket by its age in buckets; 2^31 is 1 */
};

/* All zero: a history that has not begun. */
struct pc_usage {
    bool begun;
    bool told;           /* free for who keeps the history: a use was told that does not stand in it yet */
    policy_time until;   /* accounted for */
    policy_time changed; /* when it began, or other amounts were held for the last time */
    int64_t number;      /* of the newest bucket */
    struct policy_amounts held; /* since `until` */
    struct pc_wide before[3];   /* GPU, CPU, memory: all buckets but the newest, weighed */
    uint64_t buckets[PC_USAGE_BUCKETS][3];
};

/* kind: POLICY_USAGE_SLIDING or _TUMBLING; window_ms > 0; half_life_ms 0: no decay. */
void pc_usage_window_init(struct pc_usage_window *, int32_t kind, int64_t window_ms, int64_t half_life_ms);

/* From `at` on these amounts are held (negative ones count as 0). An earlier time than before is that one. */
void pc_usage_add(struct pc_usage *, const struct pc_usage_window *, policy_time at,
                  const struct policy_amounts *held);

/* Parts per million of the capacity that were used in the window that ends now, at most PC_USAGE_MOST. */
struct policy_amounts pc_usage_ppm(struct pc_usage *, struct pc_usage *capacity,
                                   const struct pc_usage_window *, policy_time now);

/*
 * Lets pc_usage_ppm() answer `ppm` now, by setting every bucket of the window to this part of the capacity's. When that
 * has no history itself, what it is now is taken to have been there all the time.
 */
void pc_usage_seed(struct pc_usage *, struct pc_usage *capacity, const struct pc_usage_window *,
                   policy_time now, const struct policy_amounts *ppm);

/* What is in the bucket that is so many older than the newest; false: there is no such bucket, or no history. */
struct pc_usage_bucket {
    policy_time from; /* where it begins */
    uint64_t held[3]; /* GPU, CPU, memory, x ms */
};
bool pc_usage_get(const struct pc_usage *, const struct pc_usage_window *, uint32_t age,
                  struct pc_usage_bucket *);

/*
 * Sets one bucket of a history that is accounted for up to `until`, and whose amounts have been what they are since `changed`.
 * A history of another time ends with that: all its buckets are empty then. False: it begins not where a bucket does, or in none
 * of those that count at `until`.
 */
bool pc_usage_set(struct pc_usage *, const struct pc_usage_window *, policy_time until, policy_time changed,
                  const struct pc_usage_bucket *);

/*
 * Whether the amounts have been the same for longer than the window: from then on the use, divided by a capacity of which
 * that is true as well, stays as it is (but for the instant in which a tumbling window begins, when it is 0).
 */
bool pc_usage_settled(const struct pc_usage *, const struct pc_usage_window *, policy_time now);

#endif
