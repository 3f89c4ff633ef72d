/* SPDX-License-Identifier: MIT */
/*
 * Which node a task goes to, and which devices there: one function for all placements and all kinds
 * of requests.
 *     nodes of the area and of the queue's pool set
 *     -> feasibility: node type, labels, device types; devices, shares, device memory,
 *        instances; CPU, memory, task slots
 *     -> reserved resources: limits on device memory, session reserves, the reservation
 *     -> the best by the placement's rating (place/place.h)
 *     -> devices: the lowest whole ones; for a share the fullest with room, or as the placement
 *        or an option says; for an instance the device with the most instances
 */
#ifndef POLICY_PLACE_CHOOSE_H
#define POLICY_PLACE_CHOOSE_H

#include "place/place.h"
#include "state/state.h"

/* The query for a job's task in the area. Its random draw is that of the job's first task. */
struct pc_ask pc_ask_for(struct policy *, uint32_t job, uint32_t task, const struct pc_area *,
                         enum pc_when);

/*
 * Finds the best node for the task and its place there: held at once, or (if it must wait for a
 * release, or with PC_NOMINATED) nominated. Returns false if no node is feasible.
 */
bool pc_find_place(const struct pc_ask *, enum pc_when, struct pc_place *);

/* The same: as soon as possible, or (promise_only) always as a nomination. */
bool pc_choose(struct policy *, uint32_t job, uint32_t task, const struct pc_area *,
               bool promise_only, struct pc_place *);

/* Returns true if a task of the job with this request would fit somewhere now. */
bool pc_fits_anywhere(struct policy *, uint32_t job, uint32_t task, const struct pc_request *);

/* The same on one node, as a nomination. With `place` NULL it only tells whether the task fits
 * there after release. */
bool pc_nomination_on(struct policy *, uint32_t job, uint32_t task, uint32_t node,
                      struct pc_place *);

/* The same on the nominated node, starting at once if it fits now; shares and instances on the
 * nominated devices if they have room. */
bool pc_choose_nominated(struct policy *, const struct pc_nomination *, struct pc_place *);

/* For indexes of placements: pc_will_do() tells whether the node is feasible, pc_spares() the part
 * of it that depends on the job. */
bool pc_will_do(const struct pc_ask *, const struct pc_node *);
/* The same for a node that is up and in the area and pool set. */
bool pc_offered_will_do(const struct pc_ask *, const struct pc_node *);
bool pc_spares(const struct pc_ask *, const struct pc_node *);

/* Returns true if pc_spares() may be false for some node. */
bool pc_may_bind(const struct pc_ask *);

/* The rank of the best of these nodes by the placement's rating, evaluating each; PC_NONE: none is
 * feasible. */
uint32_t pc_best_among(const struct pc_ask *, const struct pc_bits *nodes);

/* Returns true if the first rating is better than the second, given whether the task fits now or
 * only after release. */
bool pc_is_better(const struct pc_rating *, bool now, const struct pc_rating *than, bool than_now);

#endif
