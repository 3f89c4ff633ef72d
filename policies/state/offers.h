/* SPDX-License-Identifier: MIT */
/*
 * Offers: pools whose nodes may be ordered, with their nodes by state. Told by policy_set_offer(),
 * kept true by pc_offers_note() whenever a node changes its state.
 */
#ifndef POLICY_STATE_OFFERS_H
#define POLICY_STATE_OFFERS_H

#include "state/state.h"

/* The offer of a pool; NULL: none. */
struct pc_offer *pc_offer_of(const struct pc_cluster *, uint32_t pool);

/* Room for nodes of every known rank; false: no memory. */
bool pc_offers_reserve(struct policy *);

/* The node stands in the lists of its pool's offer from now on, or no more. */
void pc_offers_note(struct policy *, const struct pc_node *, bool stands);

void pc_offers_free(struct policy *);

/* What is paid for an hour of all nodes that were ordered and not given back, micro-USD. */
int64_t pc_offers_rate(const struct pc_cluster *);

/* Nodes that are there or on their way. */
static inline int32_t pc_offer_held(const struct pc_offer *o)
{
    return o->up_count + o->ordered_count;
}

#endif
