/* SPDX-License-Identifier: MIT */
/*
 * The division of each group of pools (state/pool_quotas.h) among the queues, as order/fair_share.h
 * divides the fleet: over quota is divided group by group. In a group a queue
 *
 *     wants          what it has there, and whatever of its pending work may run there; work that
 *                    may run in several groups is wanted in each
 *     is guaranteed  its quota there. A quota that is not one of pools follows its queue: first to
 *                    where its jobs are, then to groups that may take its pending work, as far as
 *                    quotas by pool leave room there. A queue above others without quotas by pool
 * is guaranteed what they are together.
 *
 * Its fair share of the fleet is then what its shares add up to, but no more than it asks for.
 */
#ifndef POLICY_ORDER_POOL_SHARES_H
#define POLICY_ORDER_POOL_SHARES_H

#include "state/state.h"

/* After pc_divide_shares() has listed the queues from the top down; in scratch that it made. */
void pc_divide_groups(struct policy *);

#endif
