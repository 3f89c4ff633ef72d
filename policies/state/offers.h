/* SPDX-License-Identifier: MIT */
/*
 * Offers: pools whose nodes may be ordered, with their nodes by state. Set by policy_set_offer()
 * and kept up to date by pc_offers_note() on each state change of a node.
 */
#ifndef POLICY_STATE_OFFERS_H
#define POLICY_STATE_OFFERS_H

#include "state/state.h"

/* The offer of a pool; NULL: none. */
struct pc_offer *pc_offer_of(const struct pc_cluster *, uint32_t pool);

/* Reserves memory for nodes of every known rank. Returns false if out of memory. */
bool pc_offers_reserve(struct policy *);

/* Adds the node to the lists of its pool's offer, or removes it. */
void pc_offers_note(struct policy *, const struct pc_node *, bool stands);

void pc_offers_free(struct policy *);

/* The hourly price of all nodes ordered and not released, micro-USD. */
int64_t pc_offers_rate(const struct pc_cluster *);

/* Nodes up or on order. */
static inline int32_t pc_offer_held(const struct pc_offer *o)
{
    return o->up_count + o->ordered_count;
}

#endif
