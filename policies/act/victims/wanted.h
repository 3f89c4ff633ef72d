/* SPDX-License-Identifier: MIT */
/*
 * The victims wanted by a narrowed search (step_bounds.c), in the order in which the walk would
 * reach them, without passing the thousands in between.
 *
 * Sibling leaves are compared by what each has left after giving up a job and all before it. That
 * decreases from job to job, so the walk is the merge of all leaves' jobs by it, and a job's
 * position follows from the prefix sum of its own leaf (state/evictable.h).
 */
#ifndef POLICY_ACT_VICTIMS_WANTED_H
#define POLICY_ACT_VICTIMS_WANTED_H

#include "act/victims/victims.h"

/* Adds a job wanted in this step; each at most once. Returns false if out of memory. */
bool pc_wanted_add(struct pc_search *, uint32_t job);

/*
 * Sorts those that may be victims. Returns false if the walk must be used, because leaves are on
 * several levels, jobs give in parts, the filter skips more than a few others, or their number is
 * bounded; or if out of memory.
 */
bool pc_wanted_sort(struct pc_search *);

/* Returns the next one, or PC_NONE. */
uint32_t pc_wanted_next(struct pc_cluster *);

#endif
