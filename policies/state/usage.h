/* SPDX-License-Identifier: MIT */
/*
 * The history of use of one queue, and in the same way that of the cluster's capacity: what was
 * held, integrated exactly over time. The past use of a queue is its integral over the window
 * divided by that of the capacity.
 *
 *     parts, the oldest first       the open part
 *     [  4 x 30  ][ 6 x 12 ][ 2 x 5 ][ 3 x 8 ......       held x ms
 *         ^ start of the window                   ^ now
 *
 * A part ends when other amounts are held, and when it is as long as a 64th of the window. A
 * sliding window of W ends now and began W ago: of the part in which that was, what lies behind it
 * counts. A tumbling window begins at each multiple of W on the embedder's clock and forgets
 * everything then. With a half-life H what was held t ago counts 0.5^(t / H); the window is cut to
 * 16 H then, where nothing counts more than 1/65536. Use and capacity are weighed alike: a queue
 * that held half of the cluster all the time has used half of it, whatever the window.
 *
 * There is room for PC_USAGE_PARTS parts. When it is used up, neighbours that are shorter than a
 * 128th of the window together become one, in which the same was held in the mean: a sum is exact
 * then but for such a part that leaves the window, or with a half-life by how far the weights
 * within a part differ, at most 4.5 %.
 *
 * What a queue used before its history begins can be reported, as a part of the capacity.
 *
 * Amounts times milliseconds are summed exactly up to 2^63 in a part; more counts as this.
 */
#ifndef POLICY_STATE_USAGE_H
#define POLICY_STATE_USAGE_H

#include "base/int128.h"
#include "policy.h"

#define PC_USAGE_STEPS 64                           /* parts of a window in which nothing changes */
#define PC_USAGE_PARTS 512                          /* of a history, at most, beside the open one */
#define PC_USAGE_MOST  (INT64_C(1000000) * 1000000) /* ppm, the most that can be reported */

/* What all histories of one policy have in common. */
struct pc_usage_window {
    bool tumbling;
    int64_t window_ms;
    int64_t half_life_ms; /* 0: no decay */
    int64_t reach_ms;     /* so far back use counts at most */
    int64_t step_ms;      /* no part is longer */
};

/* What was held from a time on, times ms: GPU, CPU, memory. */
struct pc_usage_part {
    policy_time from;
    int64_t ms;
    uint64_t held[3];
};

/* All zero: a history that has not begun. */
struct pc_usage {
    bool begun;
    bool told;         /* for the owner of the history: a use was reported that is not in it yet */
    bool being_told;   /* by pc_usage_set() */
    bool summed;       /* `total` is right */
    policy_time until; /* accounted for */
    policy_time changed;        /* when it began, or other amounts were held for the last time */
    struct policy_amounts held; /* since `until` */
    struct pc_usage_part open;  /* up to `until` */
    int64_t scale;              /* of `total`, with a half-life: see usage.c */
    struct pc_int128 total[3];  /* of all parts but the open one, weighed */
    uint32_t first, count;      /* of `parts`, a ring */
    struct pc_usage_part parts[PC_USAGE_PARTS];
};

/* kind: POLICY_USAGE_SLIDING or _TUMBLING; window_ms > 0; half_life_ms 0: no decay. */
void pc_usage_window_init(struct pc_usage_window *, int32_t kind, int64_t window_ms,
                          int64_t half_life_ms);

/* From `at` on these amounts are held (negative ones count as 0). An earlier time than before is
 * that one. */
void pc_usage_add(struct pc_usage *, const struct pc_usage_window *, policy_time at,
                  const struct policy_amounts *held);

/* Parts per million of the capacity that were used in the window that ends now, at most
 * PC_USAGE_MOST. */
struct policy_amounts pc_usage_ppm(struct pc_usage *, struct pc_usage *capacity,
                                   const struct pc_usage_window *, policy_time now);

/*
 * Lets pc_usage_ppm() answer `ppm` now, by setting every part of the history to this part of the
 * capacity's. When that has no history itself, what it is now is taken to have been there all the
 * time.
 */
void pc_usage_seed(struct pc_usage *, struct pc_usage *capacity, const struct pc_usage_window *,
                   policy_time now, const struct policy_amounts *ppm);

/* The part that is so many older than the open one; false: there is none, or no history. */
bool pc_usage_get(const struct pc_usage *, uint32_t age, struct pc_usage_part *);

/*
 * Sets one part of a history that is accounted for up to `until`, and whose amounts have been what
 * they are since `changed`: the newest first. What was known otherwise ends with the first one.
 * What of the part is later than `until` is nothing. False: it is longer than a step, counts no
 * more at `until`, or lies over another part; or there are too many.
 */
bool pc_usage_set(struct pc_usage *, const struct pc_usage_window *, policy_time until,
                  policy_time changed, const struct pc_usage_part *);

/*
 * True if the amounts have been the same for as long as the window: from then on the use, divided
 * by a capacity of which that is true as well, stays as it is (but for the instant in which a
 * tumbling window begins, when it is 0).
 */
bool pc_usage_settled(const struct pc_usage *, const struct pc_usage_window *, policy_time now);

#endif
