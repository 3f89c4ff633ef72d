/* SPDX-License-Identifier: MIT */
/*
 * A guaranteed share that the trials on single nodes do not reach: the queue may use few pools, and
 * jobs hold these that could run elsewhere, if others made room there. So a chain of jobs is looked
 * for, as an augmenting path of a flow through the pools:
 *
 *     the job takes a place in pool A of one that moves to pool B, where another one gives its
 *     place, which moves to pool C, where there is room, or where something may be taken
 *
 * Each pool is looked at once. Only jobs that may use a pool which was not looked at yet, or that
 * the purpose may take something of, give their places. Where tasks want single devices and nothing
 * else, a chain is found whenever there is one.
 */
#ifndef POLICY_ACT_VICTIMS_POOL_CHAIN_H
#define POLICY_ACT_VICTIMS_POOL_CHAIN_H

#include "act/victims/victims.h"

/* True if there may be a chain: the job's queue may use some pools only, and others more. */
bool pc_may_chain(const struct pc_search *);

/*
 * Makes room for the job's tasks, with what earlier steps settled on, as a trial that the purpose
 * accepts: c->evicted. False: nothing changed.
 */
bool pc_solve_by_chain(struct pc_search *, const struct pc_tasks *);

#endif
