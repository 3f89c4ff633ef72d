/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decisions that never settle: a policy that starts and evicts the same jobs again and again. Such
 * a run would not end by itself, so it is ended, with the circle in the message. Counted are, since
 * something else than a decision happened ("news": a job came or ended),
 *
 *     decisions at one instant of simulated time, and
 *     decisions that evict, at any time.
 *
 * A sound policy makes as many at one instant only if it starts or moves as many tasks; so the
 * limit is UNSETTLED_LEAST and two for each task of the jobs that are there. Over time a policy may
 * well evict more often than that (time slices): the owner finds out whether any job gets further
 * before it calls that a circle.
 */
#ifndef SIM_UNSETTLED_H
#define SIM_UNSETTLED_H

#include "policies/policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNSETTLED_LEAST 1000
#define UNSETTLED_STEPS 256 /* that are remembered */

/* A start or an eviction; further tasks of the same job are no steps of their own. */
struct unsettled_step {
    policy_job job, other; /* for which it is evicted; i = POLICY_NO_ID: none */
    int32_t kind, action, reason;
};

struct unsettled {
    uint64_t news;    /* the owner's count when something happened last */
    int64_t at_ms;    /* of the last decision */
    int64_t since_ms; /* of the first decision that evicts and is counted */
    uint64_t here;    /* decisions at at_ms */
    uint64_t evicting;
    uint64_t limit; /* as it was asked for last; 0: UNSETTLED_LEAST */
    int64_t kept;   /* what the jobs had done and would keep when the owner last looked, */
    bool looked;    /* if it did */
    struct unsettled_step steps[UNSETTLED_STEPS]; /* the newest, round and round */
    uint64_t step_count;
};

/* Counts a decision. True: it is one beyond the limit, which the owner sets if it is a higher one
 * by now. */
bool unsettled_decided(struct unsettled *, int64_t at_ms, uint64_t news,
                       const struct policy_decision *, size_t count);
void unsettled_limit(struct unsettled *, uint64_t tasks);
bool unsettled_here(const struct unsettled *);          /* beyond the limit: at this instant, */
bool unsettled_ever(const struct unsettled *);          /* or with evictions since the last news */
void unsettled_go_on(struct unsettled *, int64_t kept); /* it is none; evictions are counted anew */

/*
 * The circle in words: "reclaim evicts 'u' for 'b' (RECLAIM_OVER_SHARE); allocate starts 'o'; ...".
 * Where none is found in what is remembered, the last steps. Returns text.
 */
const char *unsettled_words(const struct unsettled *, const char *(*name)(void *self, policy_job),
                            void *self, char *text, size_t size);

#endif
