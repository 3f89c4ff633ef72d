/* SPDX-License-Identifier: MIT */
/*
 * What victims take back before the job has its turn in a trial. A trial places the job and its
 * victims queue by queue in the usual order. Where the chains of the job's queue and of a victim's
 * part, two queues are compared with each other: X above the job, or its own, and Y, the bearer,
 * above the victim. So the jobs below Y take their places back, in the order of the leaves below
 * it, until Y stands behind X, whatever happens elsewhere in the tree. Only what they have not
 * taken back by then can be lost, and jobs that find no room although the job would. Where all want
 * the same, those of one leaf behind the job take back what it leaves.
 */
#ifndef POLICY_ACT_VICTIMS_TURN_BOUNDS_H
#define POLICY_ACT_VICTIMS_TURN_BOUNDS_H

#include "act/victims/victims.h"

/*
 * True if all victims in c->evicted are whole gangs whose tasks ask for what the job's ask for, on
 * nodes that are up: there is room for all of them, whoever goes where.
 */
bool pc_victims_alike(const struct pc_search *);

/* Of jobs that may be lost, in thousandths of devices: all together, and the largest of them. */
struct pc_late {
    int64_t milli, largest;
};

/*
 * What the bearer may lose at most in an accepted trial with the victims in c->evicted, of tasks
 * with at least so many devices. INT64_MAX twice: nothing can be said. `alike`: as
 * pc_victims_alike() said.
 */
struct pc_late pc_most_late(const struct pc_search *, uint32_t bearer, int32_t least, bool alike);

#endif
