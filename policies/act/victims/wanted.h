/* SPDX-License-Identifier: MIT */
/*
 * The victims that a narrowed search looks for (step_bounds.c), in the order in which the line of
 * victims would come to them, without walking past the thousands that stand between.
 *
 * Leaves side by side are compared by what each has left when it has given a job and all before it.
 * That falls from job to job, so the line is all leaves' jobs merged by it, and where a job stands
 * in the line follows from the sum of its own leaf up to it (state/evictable.h).
 */
#ifndef POLICY_ACT_VICTIMS_WANTED_H
#define POLICY_ACT_VICTIMS_WANTED_H

#include "act/victims/victims.h"

/* A job is wanted in this step; each at most once. False: no memory. */
bool pc_wanted_add(struct pc_search *, uint32_t job);

/*
 * Puts those in order that may be victims. False: the walk has to tell, because leaves stand at
 * several levels, jobs give in parts, the filter passes over others than a few, or their number is
 * bounded; or there was no memory.
 */
bool pc_wanted_sort(struct pc_search *);

/* The next one, or PC_NONE. */
uint32_t pc_wanted_next(struct pc_cluster *);

#endif
