/* SPDX-License-Identifier: MIT */
/*
 * Blocked groups, waiting in their site until something that they could use is freed. They wait by need: the fewest
 * whole devices that one of their tasks asks of a node (0 for shares and for tasks without devices; where devices are
 * only counted, the job's whole devices; 63 and more are one), and in each need in their order. So when two devices are free on
 * a node, only groups that need at most two are looked at, the first in order first, and none once those two are taken:
 * the work grows with what is started, not with how many kinds of jobs wait.
 *
 * A group that was looked at and failed again stands aside until the decision is over.
 */
#ifndef POLICY_CORE_WAITING_H
#define POLICY_CORE_WAITING_H

#include "core/state.h"

/* Room for one more group of that site and need; false: no memory. */
bool pc_waiting_reserve(struct policy *, uint32_t site, int32_t need);

/* The need of a group whose roles and totals are set. */
int32_t pc_waiting_need(const struct policy *, const struct pc_group *);

/* The largest need that what is free in the site may meet. */
int32_t pc_waiting_met(const struct policy *, uint32_t site);

void pc_waiting_aside(struct policy *,
                      uint32_t group); /* blocked just now; joins the others when the decision ends */
void pc_waiting_remove(struct policy *, uint32_t group); /* from among the others */
void pc_waiting_moved(struct policy *, uint32_t group);  /* its first job has changed */

/* The first group in order that may use what was freed, or PC_NONE. */
uint32_t pc_waiting_first(struct policy *);

/* Whether something was freed since the last decision that a blocked group may use. */
bool pc_waiting_may_wake(const struct policy *, const struct pc_group *);

void pc_waiting_rekeyed(struct policy *); /* the first jobs of all groups have changed */

/*
 * The decision is over: what stood aside waits again, and nothing counts as freed unless the decision was cut short
 * (no memory), so that the next one looks again.
 */
void pc_waiting_close(struct policy *, bool complete);

#endif
