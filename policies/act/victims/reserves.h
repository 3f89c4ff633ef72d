/* SPDX-License-Identifier: MIT */
/*
 * What a search for victims (victims.h) leaves to others: the sessions that a queue has in reserve
 * (the part of its quota for interactive sessions), and what is free if the plan of starts holds
 * the job back.
 */
#ifndef POLICY_ACT_VICTIMS_RESERVES_H
#define POLICY_ACT_VICTIMS_RESERVES_H

#include "act/victims/victims.h"

/* Returns true if the job is a session within a reserve that must not be taken. If sessions exceed
 * the reserve, the trial shows which of them may go. Nothing is reserved without fixed_milli. */
bool pc_is_kept(const struct pc_search *, uint32_t job);

/* Returns true if, before the largest lost session of the trial had to go, the sessions of each
 * queue still had more than is reserved for them. */
bool pc_leaves_sessions(const struct pc_search *);

/*
 * A job that the plan of starts holds back in this decision (act/backfill_planned.h) may take what
 * others lose to it, but nothing that is free: that is left to the jobs before it. Returns true if
 * the trial keeps to that.
 */
bool pc_leaves_plan(const struct pc_search *);

#endif
