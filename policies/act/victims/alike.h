/* SPDX-License-Identifier: MIT */
/*
 * Victims that are like others before them in the same step. On a full fleet there are hundreds of
 * gangs of one shape that have whole nodes for themselves, and a step would examine, or try out,
 * each of them with the same result.
 *
 * Two such jobs of one leaf are alike if their nodes are equal and as many recorded jobs of the
 * leaf have their turn before them. The bounds of bounds.h are the same for both. A trial with one
 * of them is a trial with the other in which nodes have changed names, if no task could tell these
 * nodes apart:
 *     All victims are taken and placed as a whole, and request the same whole devices per task, on
 *     any node.
 *     Tasks of whole nodes find room only on nodes that victims leave or that are vacant anyway,
 *     and these are equal: how many there are determines what fits.
 *     Smaller tasks end up on other nodes, where they fit at once. The placement looks there first,
 *     so it chooses the same nodes whichever ones were emptied.
 *
 * The last two are known when a trial is over. If it fails, it fails for all that are alike.
 */
#ifndef POLICY_ACT_VICTIMS_ALIKE_H
#define POLICY_ACT_VICTIMS_ALIKE_H

#include "act/victims/victims.h"

/* Begins a step with these tasks of the job. */
void pc_alike_begin(struct pc_search *, const struct pc_tasks *);

/* Describes a job as a victim. Returns false if it cannot be compared with others. */
bool pc_alike_describe(struct pc_search *, uint32_t job, struct pc_alike *);

/* Returns the index of a job like this one, or PC_NONE. */
uint32_t pc_alike_find(const struct pc_alikes *, const struct pc_alike *);

/* Adds the job, in place of the oldest if there are many. Returns its index. */
uint32_t pc_alike_add(struct pc_alikes *, const struct pc_alike *);

/* Called in a trial when the victims in c->evicted have left, and when all have been placed: clear
 * s->interchangeable if nodes could be told apart. */
void pc_alike_evicted(struct pc_search *);
void pc_alike_placed(struct pc_search *);

#endif
