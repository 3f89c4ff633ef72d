/* SPDX-License-Identifier: MIT */
/*
 * What victims take back before the job has its turn in a trial. A trial places the job and its
 * victims queue by queue in the usual order, so a queue takes its places back, in the order of its
 * jobs, until it stands behind the job's queue. Only what it has not taken back by then can be
 * lost, and jobs that find no room although the job would.
 */
#ifndef POLICY_ACT_VICTIMS_TURN_BOUNDS_H
#define POLICY_ACT_VICTIMS_TURN_BOUNDS_H

#include "act/victims/victims.h"

/*
 * True if all victims in c->evicted are whole gangs whose tasks ask for what the job's ask for, on
 * nodes that are up: there is room for all of them, whoever goes where.
 */
bool pc_victims_alike(const struct pc_search *);

/*
 * What the queue may lose at most in an accepted trial with the victims in c->evicted, in
 * thousandths of devices, of tasks with at least so many devices. INT64_MAX: nothing can be said.
 * `alike`: as pc_victims_alike() said.
 */
int64_t pc_most_late(const struct pc_search *, uint32_t queue, int32_t least, bool alike);

#endif
