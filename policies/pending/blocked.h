/* SPDX-License-Identifier: MIT */
/*
 * Blocked job classes, waiting in their pool set until something that they could use is released.
 * They are sorted by need (the fewest whole devices that one of their tasks asks of a node: 0 for
 * shares, instances and tasks without devices; 63 and more count as one need) and within a need by
 * job order. When two devices are free on a node, only classes that need at most two are tried,
 * first in order first, and none once those devices are taken: the work grows with the number of
 * starts, not with the number of kinds of pending jobs.
 *
 * A class that was tried and failed again is set aside until the decision is over.
 */
#ifndef POLICY_PENDING_BLOCKED_H
#define POLICY_PENDING_BLOCKED_H

#include "pending/pending.h"

/*
 * Makes room for one more class of that pool set and need, and for setting it aside; false: out of
 * memory.
 */
bool pc_blocked_reserve(struct policy *, uint32_t set, int32_t need);

/* Returns the need of a class of jobs of this shape. */
int32_t pc_blocked_need(const struct pc_shape *);

/* Returns the largest need that the idle devices of the pool set may meet. */
int32_t pc_blocked_met(const struct policy *, uint32_t set);

void pc_blocked_aside(struct policy *, uint32_t class); /* just failed; joins the other blocked
                                                           classes when the decision ends */
void pc_blocked_forget(struct policy *,
                       uint32_t class); /* no longer set aside: the class is freed */
void pc_blocked_remove(struct policy *, uint32_t class); /* from among the others */
void pc_blocked_moved(struct policy *, uint32_t class);  /* its first job has changed */
void pc_blocked_rekeyed(struct policy *); /* the first jobs of all classes have changed */

/* Returns the first class in order that may use what was released, or PC_NONE. */
uint32_t pc_blocked_first(struct policy *);

/* Returns true if something that the blocked class may use was released since the last decision. */
bool pc_blocked_may_wake(const struct policy *, uint32_t class);

#endif
