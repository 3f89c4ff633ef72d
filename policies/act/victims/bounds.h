/* SPDX-License-Identifier: MIT */
/*
 * True if a trial of the search for victims (victims.h) is worth while. These say no only when the
 * trial would fail, from sums of devices and from which victims take their places back before the
 * job has its turn (turn_bounds.h), and take for granted all that these do not show: processors,
 * memory, selectors, topology. Nearly all trials of a search that takes long end here.
 */
#ifndef POLICY_ACT_VICTIMS_BOUNDS_H
#define POLICY_ACT_VICTIMS_BOUNDS_H

#include "act/victims/victims.h"

/*
 * Returns true if a search for the job with this request can succeed when other jobs lose at most
 * `lost` thousandths of devices: its devices have to be free or given up. For a job that wants
 * whole devices, only devices that can be whole on single nodes count as free (state/room.h).
 */
bool pc_has_prospect(struct policy *, uint32_t job, const struct pc_amounts *asks, int64_t lost);

/*
 * False if no trial of a step can be accepted: on which nodes and with which victims one can be is
 * known. Where these are few, they are marked and the search is narrowed to them.
 */
bool pc_some_trial_may_do(struct pc_search *, const struct pc_tasks *);

/*
 * True if the victims listed in c->evicted free enough whole devices on single nodes for the job's
 * tasks. If not, the trial would find no room.
 */
bool pc_frees_enough(const struct pc_search *, const struct pc_tasks *);

/*
 * Returns true if enough whole devices on single nodes are left for the job's tasks after the
 * victims got their places back, or were evicted as far as the rules allow. If that is known
 * (pc_room_is_known()), room comes from victims that want fewer devices, wherever they move, and
 * from others that are evicted.
 */
bool pc_leaves_room(const struct pc_search *, const struct pc_tasks *);

/*
 * True if what is free soon and what of the listed victims may be lost is as much as the job wants.
 * If not, a task would be lost that must not be, or the job would find no room: as much as is
 * placed has to be free or given up.
 *
 * Of what is free soon only that counts which the tasks at hand (those of the job, and of the
 * victims) could use. On a node on which none of the victims stands that takes a task for which it
 * has devices enough. So fragments of up to 7 devices are of no use where gangs on whole nodes are
 * moved about, and parts of devices only for as much as tasks want parts of them.
 */
bool pc_gives_enough(const struct pc_search *, const struct pc_tasks *);

/* All of these: whether a trial with the victims in c->evicted could be accepted. */
bool pc_is_worth_trying(const struct pc_search *, const struct pc_tasks *);

/* Devices of a node that each of the job's tasks wants, when all want the same and nothing else;
 * else 0. */
int32_t pc_wanted_alike(const struct pc_search *, const struct pc_tasks *);

/* The fewest devices of a node that one of the tasks wants; 0 when that says nothing: some want
 * parts, or none. */
int32_t pc_least_wanted(const struct pc_search *, const struct pc_tasks *);

/*
 * For how many tasks that want so many devices there would be room on single nodes without the
 * listed victims that want fewer than `below`, and those with parts of devices.
 */
int64_t pc_room_without(const struct pc_cluster *, int32_t devices, int32_t below);

/*
 * The same victim by victim: for how many more such tasks a listed one leaves room beside those
 * before it. It takes what wants no devices for a victim of no use, and pc_forget_left() has to
 * follow.
 */
int64_t pc_leave_room(const struct pc_cluster *, const struct pc_victim *, int32_t devices);
void pc_forget_left(const struct pc_cluster *);

#endif
