/* SPDX-License-Identifier: MIT */
/*
 * Divides each group of pools (state/pool_quotas.h) among the queues, as order/fair_share.h divides
 * the fleet: over-quota is divided group by group. In a group each queue has
 *     a demand      what it has there, plus all its pending work that may run there; work that may
 *                   run in several groups counts in each
 *     a guarantee   its quota there. A quota without pools follows its queue: first to the groups
 *                   of its jobs, then to groups that may take its pending work, as far as quotas
 *                   by pool leave room there. A parent without quotas by pool is guaranteed the
 *                   sum of its children's guarantees.
 *
 * Its fair share of the fleet is then the sum of its shares, but no more than its request.
 */
#ifndef POLICY_ORDER_POOL_SHARES_H
#define POLICY_ORDER_POOL_SHARES_H

#include "state/state.h"

/* Called after pc_divide_shares() has listed the queues top down; uses its scratch memory. */
void pc_divide_groups(struct policy *);

#endif
