/* SPDX-License-Identifier: MIT */
/* Which node a task of the quota policy goes to, and which devices there. */
#ifndef POLICY_PLACE_CHOOSE_H
#define POLICY_PLACE_CHOOSE_H

#include "cluster/state.h"
#include "place/topology.h"

/*
 * The best node of the area for the task, with the place it gets there: held at once, or (when it has to wait for what
 * is being released, or `promise_only`) promised. False: none fits. Nodes are compared by, first difference decides:
 * the area's score; a shared device with room (shares); fits now; tasks without devices prefer nodes without; packed
 * or spread; rank. Where tasks are taken one by one: fits now; the score of place/allocated.h; rank.
 */
bool pq_choose(struct policy *, uint32_t job, uint32_t task, const struct pq_area *, bool promise_only,
               struct pq_place *);

/* The same on one node, as a promise. With `place` NULL it is only told whether the task fits there soon. */
bool pq_promise_on(struct policy *, uint32_t job, uint32_t task, uint32_t node, struct pq_place *);

/* The same where it was promised, starting at once if it fits now; shares and instances as promised, if there is room. */
bool pq_choose_promised(struct policy *, const struct pq_promise *, struct pq_place *);

/*
 * Whether the task may be placed on the node, which it fits soon, without delaying the job that has a reservation; see
 * act/reserve.h. Looks on trial, and leaves everything as it was.
 */
bool pq_spares_reservation(struct policy *, uint32_t job, uint32_t task, uint32_t node);

#endif
