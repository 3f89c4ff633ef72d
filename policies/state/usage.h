/* SPDX-License-Identifier: MIT */
/*
 * The usage history of one queue, and likewise of the cluster's capacity: held amounts, integrated
 * exactly over time. Past usage of a queue is its integral over the window divided by that of the
 * capacity.
 *     parts, the oldest first    the open part
 *     [  4 x 30  ][ 6 x 12 ][ 2 x 5 ][ 3 x 8 ......    held x ms
 *        ^ start of the window             ^ now
 *
 * A part ends when the held amounts change or when it is as long as a 64th of the window. A sliding
 * window of W ends now and began W ago; the part that contains its start counts from there on. A
 * tumbling window begins at each multiple of W on the embedder's clock and then forgets everything.
 * With a half-life H, amounts held t ago count 0.5^(t / H); the window is then cut to 16 H, beyond
 * which nothing counts more than 1/65536. Usage and capacity are weighted alike: a queue that
 * always held half of the cluster has used half of it, whatever the window.
 *
 * There is room for PC_USAGE_PARTS parts. When it is used up, neighbours that together are shorter
 * than a 128th of the window are merged into one with their mean amount. A sum is then still exact,
 * except for such a part at the window's start, or, with a half-life, for the difference of weights
 * within a part, at most 4.5 %.
 *
 * Usage before the start of the history can be reported as a fraction of the capacity.
 *
 * Amounts times milliseconds are summed exactly up to 2^63 per part, where they saturate.
 */
#ifndef POLICY_STATE_USAGE_H
#define POLICY_STATE_USAGE_H

#include "base/int128.h"
#include "policy.h"

#define PC_USAGE_STEPS 64                           /* longest part, as a fraction of the window */
#define PC_USAGE_PARTS 512                          /* at most per history, besides the open one */
#define PC_USAGE_MOST  (INT64_C(1000000) * 1000000) /* ppm, the highest that can be reported */

/* Parameters common to all histories of one policy. */
struct pc_usage_window {
    bool tumbling;
    int64_t window_ms;
    int64_t half_life_ms; /* 0: no decay */
    int64_t reach_ms;     /* how far back usage counts */
    int64_t step_ms;      /* maximum length of a part */
};

/* Amounts held from a time on, times ms: GPU, CPU, memory. */
struct pc_usage_part {
    policy_time from;
    int64_t ms;
    uint64_t held[3];
};

/* All zero: a history that has not begun. */
struct pc_usage {
    bool begun;
    bool told;                  /* for the owner: reported usage is not yet included */
    bool being_told;            /* by pc_usage_set() */
    bool summed;                /* `total` is valid */
    policy_time until;          /* accounted for */
    policy_time changed;        /* when it began, or when the amounts last changed */
    struct policy_amounts held; /* since `until` */
    struct pc_usage_part open;  /* up to `until` */
    int64_t scale;              /* of `total`, with a half-life: see usage.c */
    struct pc_int128 total[3];  /* weighted sum of all parts but the open one */
    uint32_t first, count;      /* of `parts`, a ring */
    struct pc_usage_part parts[PC_USAGE_PARTS];
};

/* kind: POLICY_USAGE_SLIDING or _TUMBLING; window_ms > 0; half_life_ms 0: no decay. */
void pc_usage_window_init(struct pc_usage_window *, int32_t kind, int64_t window_ms,
                          int64_t half_life_ms);

/* Sets the amounts held from `at` on (negative ones count as 0). Times earlier than before are
 * clamped. */
void pc_usage_add(struct pc_usage *, const struct pc_usage_window *, policy_time at,
                  const struct policy_amounts *held);

/* Usage of the capacity in the window that ends now, in parts per million, at most
 * PC_USAGE_MOST. */
struct policy_amounts pc_usage_ppm(struct pc_usage *, struct pc_usage *capacity,
                                   const struct pc_usage_window *, policy_time now);

/*
 * Makes pc_usage_ppm() return `ppm` now, by setting every part of the history to this fraction of
 * the capacity's. If the capacity has no history, its current value is assumed for the whole
 * window.
 */
void pc_usage_seed(struct pc_usage *, struct pc_usage *capacity, const struct pc_usage_window *,
                   policy_time now, const struct policy_amounts *ppm);

/* Returns the part `age` parts before the open one; false: there is none, or no history. */
bool pc_usage_get(const struct pc_usage *, uint32_t age, struct pc_usage_part *);

/*
 * Restores one part of a history accounted for up to `until`, whose amounts have been unchanged
 * since `changed`: the newest first. The first one replaces everything known before. Time later
 * than `until` is ignored. Returns false if the part is longer than a step, no longer counts at
 * `until`, overlaps another part, or if there are too many.
 */
bool pc_usage_set(struct pc_usage *, const struct pc_usage_window *, policy_time until,
                  policy_time changed, const struct pc_usage_part *);

/*
 * Returns true if the amounts have been constant for a whole window: from then on the usage,
 * relative to an equally constant capacity, does not change (except at the instant when a tumbling
 * window begins, when it is 0).
 */
bool pc_usage_settled(const struct pc_usage *, const struct pc_usage_window *, policy_time now);

#endif
