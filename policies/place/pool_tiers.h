/* SPDX-License-Identifier: MIT */
/*
 * Which of its pools a queue's jobs use first. A queue that may use few pools depends on them; one
 * that may use many should leave those alone as long as others will do. A queue with a quota and n
 * pools counts as 1/n of a dependent of each; jobs prefer the pools with the fewest dependents:
 *     dependents of a pool = sum of 1 / (number of its pools) over the leaves with a quota that
 *                            are bound to it and others
 *
 * Pools with equal dependents form one tier. If no queue is bound to pools, none has dependents and
 * there is no preference.
 *
 * A queue whose pools are in an order of preference (policy_queue_spec.ordered_pools) uses pools
 * with equal dependents in this order, or all its pools if the order is strict (strict_order).
 *
 * Example: a queue is bound to pool A, another one may use A and B. A has 1.5 dependents, B 0.5:
 * jobs of the second queue use B first.
 */
#ifndef POLICY_PLACE_POOL_TIERS_H
#define POLICY_PLACE_POOL_TIERS_H

#include "state/state.h"

/* Updates the tiers of all queues' pool sets. `spares`: queues without an order of their own prefer
 * pools with few dependents, too. Returns false if out of memory, with no tiers. */
bool pc_tiers_refresh(struct policy *, bool spares);

#endif
