/* SPDX-License-Identifier: MIT */
/*
 * Which of its pools a queue's jobs go to first. A queue that may use few pools depends on them;
 * one that may use many should leave those alone as long as others do as well. A queue with a quota
 * that may use n pools is an n-th of a dependent of each; jobs go to the pools with the fewest
 * dependents first:
 *
 *     dependents of a pool = sum, over the leaves with a quota that are bound to it and others, of
 *                            1 / number of their pools
 *
 * Pools with equally many are one tier. Where no queue is bound to pools none has dependents, and
 * there is nothing to prefer.
 *
 * Example: a queue is bound to pool A, another one may use A and B. A has 1.5 dependents, B 0.5:
 * jobs of the second queue go to B first.
 */
#ifndef POLICY_PLACE_POOL_TIERS_H
#define POLICY_PLACE_POOL_TIERS_H

#include "state/state.h"

/* Brings the tiers of all queues' pool sets up to date; false: no memory, and they are as before.
 */
bool pc_tiers_refresh(struct policy *);

#endif
