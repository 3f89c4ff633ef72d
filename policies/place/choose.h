/* SPDX-License-Identifier: MIT */
/*
 * Which node a task goes to, and which devices there: one function for all placements and all kinds
 * of requests.
 *
 *     nodes of the area and of the queue's pool set
 *         -> the task fits: node kind, labels, types; devices, shares, memory of devices,
 *         instances; CPU, memory, tasks
 *         -> what is kept for others is spared: limits by memory of devices, session reserves, the
 *         reservation
 *         -> the best by the placement's rating (place/place.h)
 *         -> devices: the lowest whole ones; for a share the fullest with room, or as the placement
 *         or an option says;
 *            for an instance the device that has most instances already
 */
#ifndef POLICY_PLACE_CHOOSE_H
#define POLICY_PLACE_CHOOSE_H

#include "place/place.h"
#include "state/state.h"

/* The question of a job's task, for the area. Its draw is that of the job's first task. */
struct pc_ask pc_ask_for(struct policy *, uint32_t job, uint32_t task, const struct pc_area *,
                         enum pc_when);

/*
 * The best node for the task, with the place that it gets there: held at once, or (when it has to
 * wait for what is being released, or with PC_NOMINATED) nominated. False: none will do.
 */
bool pc_find_place(const struct pc_ask *, enum pc_when, struct pc_place *);

/* The same: at the soonest, or nominated in any case. */
bool pc_choose(struct policy *, uint32_t job, uint32_t task, const struct pc_area *,
               bool promise_only, struct pc_place *);

/* True if a task of the job would have room somewhere now, if it asked for this. */
bool pc_fits_anywhere(struct policy *, uint32_t job, uint32_t task, const struct pc_request *);

/* The same on one node, as a nomination. With `place` NULL it only says whether the task fits there
 * after release. */
bool pc_nomination_on(struct policy *, uint32_t job, uint32_t task, uint32_t node,
                      struct pc_place *);

/* The same where it was nominated, starting at once if it fits now; shares and instances as
 * nominated, if there is room. */
bool pc_choose_nominated(struct policy *, const struct pc_nomination *, struct pc_place *);

/* For indexes of placements: whether the node will do, and the half of that which depends on the
 * job. */
bool pc_will_do(const struct pc_ask *, const struct pc_node *);
/* The same of a node that is up, and one of the area and of the pool set. */
bool pc_offered_will_do(const struct pc_ask *, const struct pc_node *);
bool pc_spares(const struct pc_ask *, const struct pc_node *);

/* True if pc_spares() may be false for some node. */
bool pc_may_bind(const struct pc_ask *);

/* The rank of the best of these nodes by the placement's rating, each looked at; PC_NONE: none will
 * do. */
uint32_t pc_best_among(const struct pc_ask *, const struct pc_bits *nodes);

/* True if the first rating is better than the second, of nodes where the task fits now or after
 * release. */
bool pc_is_better(const struct pc_rating *, bool now, const struct pc_rating *than, bool than_now);

#endif
