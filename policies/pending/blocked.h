/* SPDX-License-Identifier: MIT */
/*
 * Blocked job classes, waiting in their pool set until something that they could use is freed. They
 * wait by need: the fewest whole devices that one of their tasks asks of a node (0 for shares,
 * instances and tasks without devices; 63 and more are one), and in each need in their order. So
 * when two devices are free on a node, only classes that need at most two are looked at, the first
 * in order first, and none once those two are taken: the work grows with what is started, not with
 * how many kinds of jobs wait.
 *
 * A class that was looked at and failed again stands aside until the decision is over.
 */
#ifndef POLICY_PENDING_BLOCKED_H
#define POLICY_PENDING_BLOCKED_H

#include "pending/pending.h"

/* Room for one more class of that pool set and need, and for it to stand aside; false: no memory.
 */
bool pc_blocked_reserve(struct policy *, uint32_t set, int32_t need);

/* The need of a class of jobs of this shape. */
int32_t pc_blocked_need(const struct pc_shape *);

/* The largest need that what is idle in the pool set may meet. */
int32_t pc_blocked_met(const struct policy *, uint32_t set);

void pc_blocked_aside(struct policy *,
                      uint32_t class); /* just now; joins the others when the decision ends */
void pc_blocked_forget(struct policy *,
                       uint32_t class); /* stands aside no more, if it did: it is freed */
void pc_blocked_remove(struct policy *, uint32_t class); /* from among the others */
void pc_blocked_moved(struct policy *, uint32_t class);  /* its first job has changed */
void pc_blocked_rekeyed(struct policy *); /* the first jobs of all classes have changed */

/* The first class in order that may use what was freed, or PC_NONE. */
uint32_t pc_blocked_first(struct policy *);

/* True if something was freed since the last decision that the blocked class may use. */
bool pc_blocked_may_wake(const struct policy *, uint32_t class);

#endif
