/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The present state, kept from facts and decisions, so that it can be reported again: the facts
 * that give another core the same nodes, queues and jobs, with what runs where. Its size depends on
 * what exists now, not on what has happened.
 *
 * Whatever else the core remembers (policy_history(): service attained, past use, nominations,
 * draws, what the last decision saw) is requested from the core.
 *
 *     a start that was decided and neither confirmed nor taken back    runs
 *     tasks of a gang that returns as a whole, if none holds           pending again
 *       anything and one was evicted
 */
#ifndef SIM_SERVE_STATE_H
#define SIM_SERVE_STATE_H

#include "policies/facts/fields.h"
#include "policies/facts/map.h"
#include "policies/facts/text.h"

struct state_item;

struct service_state {
    bool requeues_whole;                              /* POLICY_TRAIT_WHOLE */
    struct state_item *world, *nodes, *queues, *jobs; /* hashes, in the order of their facts */
};

void service_state_fini(struct service_state *);

/* A fact that the core has taken; a decision, in the speaker's numbers. */
void service_state_fact(struct service_state *, const struct fact *);
void service_state_decision(struct service_state *, const struct fact_decision *);

/* True if the fact is known already, unchanged: an added node, queue or job, or started tasks. */
bool service_state_has(const struct service_state *, const struct fact *);

/* Writes the facts as lines without their chain, "{...", in an order that the policy accepts.
 * Returns their number. */
struct state_sink {
    void (*line)(void *, struct text *);
    void *self;
};
uint64_t service_state_tell(const struct service_state *, const struct policy *,
                            const struct fact_map *, policy_time now, struct state_sink);

#endif
