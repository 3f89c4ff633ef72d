/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decisions that never settle: a policy that starts and evicts the same jobs again and again. Such
 * a run would never end, so it is stopped, with the cycle in the message. Counted since the last
 * event that no decision caused ("news": a job arrived or ended) are
 *
 *     decisions at one instant of simulated time, and
 *     decisions that evict, at any time.
 *
 * A sound policy needs that many decisions at one instant only to start or move as many tasks, so
 * the limit is UNSETTLED_LEAST plus two for each task of the present jobs. Over time a policy may
 * evict more often (time slicing): the owner checks whether any job makes progress before it
 * reports a cycle.
 */
#ifndef SIM_UNSETTLED_H
#define SIM_UNSETTLED_H

#include "policies/policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNSETTLED_LEAST 1000
#define UNSETTLED_STEPS 256 /* steps remembered */

/* A start or an eviction; further tasks of the same job are not steps of their own. */
struct unsettled_step {
    policy_job job, other; /* the job it is evicted for; i = POLICY_NO_ID: none */
    int32_t kind, action, reason;
};

struct unsettled {
    uint64_t news;    /* the owner's count of news at the last step */
    int64_t at_ms;    /* of the last decision */
    int64_t since_ms; /* of the first counted decision that evicts */
    uint64_t here;    /* decisions at at_ms */
    uint64_t evicting;
    uint64_t limit; /* as last computed; 0: UNSETTLED_LEAST */
    int64_t kept;   /* total work that jobs would keep, when the owner last checked, */
    bool looked;    /* if it did */
    struct unsettled_step steps[UNSETTLED_STEPS]; /* ring buffer of the latest steps */
    uint64_t step_count;
};

/* Counts a decision. Returns true if it exceeds the limit, which the owner may raise. */
bool unsettled_decided(struct unsettled *, int64_t at_ms, uint64_t news,
                       const struct policy_decision *, size_t count);
void unsettled_limit(struct unsettled *, uint64_t tasks);
bool unsettled_here(const struct unsettled *);          /* beyond the limit at this instant */
bool unsettled_ever(const struct unsettled *);          /* or with evictions since the last news */
void unsettled_go_on(struct unsettled *, int64_t kept); /* not a cycle: evictions are counted
                                                           afresh */

/*
 * The cycle in words: "reclaim evicts 'u' for 'b' (RECLAIM_OVER_SHARE); allocate starts 'o'; ...".
 * If no cycle is found among the remembered steps, the last steps. Returns text.
 */
const char *unsettled_words(const struct unsettled *, const char *(*name)(void *self, policy_job),
                            void *self, char *text, size_t size);

#endif
