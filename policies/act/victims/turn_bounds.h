/* SPDX-License-Identifier: MIT */
/*
 * What victims take back before the job's turn in a trial. A trial places the job and its victims
 * queue by queue in the usual order. Where the chains of the job's queue and of a victim's queue
 * diverge, two siblings are compared: X, at or above the job's queue, and Y, the bearer, at or
 * above the victim's. So the jobs below Y take their places back, in the order of the leaves below
 * it, until Y comes after X, whatever happens elsewhere in the tree. Only what they have not taken
 * back by then can be lost, plus jobs that find no room although the job would. If all request the
 * same, jobs of the same leaf after the job take back what it leaves.
 */
#ifndef POLICY_ACT_VICTIMS_TURN_BOUNDS_H
#define POLICY_ACT_VICTIMS_TURN_BOUNDS_H

#include "act/victims/victims.h"

/* Returns true if the tasks are equal, request whole devices, and are bound by no topology. */
bool pc_is_plain(const struct pc_shape *);

/* Returns true if the order of turns in trials can be predicted. */
bool pc_turns_are_known(const struct pc_search *);

/* Returns true if the job has all its tasks, and a trial that evicts all of them places all again
 * or none, regardless of quota; and if it weighs the same everywhere. */
bool pc_returns_whole(const struct pc_cluster *, uint32_t job);

/*
 * Returns true if all victims in c->evicted are whole gangs whose tasks request the same as the
 * job's, on nodes that are up: then there is room for all of them, whatever goes where.
 */
bool pc_victims_alike(const struct pc_search *);

/* Jobs that may be lost, in thousandths of devices: all together, and the largest. */
struct pc_late {
    int64_t milli, largest;
};

/*
 * The most that the bearer may lose in an accepted trial with the victims in c->evicted, counting
 * tasks with at least `least` devices. INT64_MAX twice: no bound. `alike`: result of
 * pc_victims_alike().
 *
 * Victims are taken from a leaf last in the order of jobs first. So those of one leaf are lost no
 * sooner if more of them are taken. Those of another leaf make the bearer's first turn come sooner,
 * so with several leaves there is no bound for s->superset.
 */
struct pc_late pc_most_late(const struct pc_search *, uint32_t bearer, int32_t least, bool alike);

#endif
