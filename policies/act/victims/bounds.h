/* SPDX-License-Identifier: MIT */
/*
 * Quick checks that a trial of the search for victims (victims.h) is worthwhile. They return false
 * only if the trial would fail, judging by sums of devices and by which victims take their places
 * back before the job's turn (turn_bounds.h); everything else (CPU, memory, selectors, topology) is
 * assumed to fit. They end nearly all trials of a long search.
 */
#ifndef POLICY_ACT_VICTIMS_BOUNDS_H
#define POLICY_ACT_VICTIMS_BOUNDS_H

#include "act/victims/victims.h"

/*
 * Returns true if a search for the job with this request can succeed when other jobs lose at most
 * `lost` thousandths of devices: its devices must be free or given up. For a job that requests
 * whole devices, only devices that can be whole on single nodes count as free (state/room.h).
 */
bool pc_has_prospect(struct policy *, uint32_t job, const struct pc_amounts *asks, int64_t lost);

/*
 * Returns false if no trial of a step can be accepted. Nodes and victims of acceptable trials are
 * known. If there are few, they are marked and the search is narrowed to them. `patient`: also if
 * there are many, provided that only gangs can give enough.
 */
bool pc_some_trial_may_do(struct pc_search *, const struct pc_tasks *, bool patient);

/* Returns true if the victims on the node free no room that this step needs: together with the
 * recorded ones not enough (pc_frees_enough()). */
bool pc_frees_nothing(const struct pc_search *, uint32_t node);

/*
 * Returns true if the victims in c->evicted free enough whole devices on single nodes for the job's
 * tasks. If not, the trial would find no room.
 */
bool pc_frees_enough(const struct pc_search *, const struct pc_tasks *);

/*
 * Returns true if enough whole devices on single nodes are left for the job's tasks after the
 * victims got places again, or were evicted as far as the rules allow. If that is known
 * (pc_room_is_known()), room comes from victims that request fewer devices, wherever they move, and
 * from others that are evicted.
 */
bool pc_leaves_room(const struct pc_search *, const struct pc_tasks *);

/*
 * Returns true if the capacity free after release plus what the listed victims may lose covers the
 * job's request. If not, a task would be lost that must not be, or the job would find no room:
 * whatever is placed must be free or given up.
 *
 * Free capacity counts only as far as the current tasks (of the job and of the victims) could use
 * it. On a node without victims this means tasks for which the node has enough devices. So
 * fragments of up to 7 devices are useless when gangs on whole nodes are moved, and parts of
 * devices count only as far as tasks request parts.
 */
bool pc_gives_enough(const struct pc_search *, const struct pc_tasks *);

/*
 * The same for a trial on this node in which at most `lost` thousandths of devices are lost,
 * judging by the sizes of all evictable tasks there: much cheaper, as no victims are listed. Each
 * must be all that its job gives, or belong to a job that is no victim. Lists the recorded victims
 * in c->evicted.
 */
bool pc_singles_give_enough(struct pc_search *, const struct pc_tasks *, uint32_t node,
                            int64_t lost);

/* All of the above: returns true if a trial with the victims in c->evicted could be accepted. */
bool pc_is_worth_trying(const struct pc_search *, const struct pc_tasks *);

/* Devices per node requested by each of the job's tasks if all request the same and nothing else;
 * else 0. */
int32_t pc_wanted_alike(const struct pc_search *, const struct pc_tasks *);

/* The smallest number of devices requested by a task; 0 if undefined: some request parts or
 * none. */
int32_t pc_least_wanted(const struct pc_search *, const struct pc_tasks *);

/*
 * Number of tasks of `devices` whole devices that single nodes could hold without the listed
 * victims that request fewer than `below` or parts of devices.
 */
int64_t pc_room_without(const struct pc_cluster *, int32_t devices, int32_t below);

/*
 * The same victim by victim: how many more such tasks fit when this listed victim leaves after the
 * earlier ones. Victims without devices add nothing; pc_forget_left() must follow.
 */
int64_t pc_leave_room(const struct pc_cluster *, const struct pc_victim *, int32_t devices);
void pc_forget_left(const struct pc_cluster *);

#endif
