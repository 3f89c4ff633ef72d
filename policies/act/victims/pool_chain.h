/* SPDX-License-Identifier: MIT */
/*
 * Finds room that trials on single nodes cannot: the job's queue may use few pools, and these are
 * held by jobs that could run elsewhere if others made room there. The search looks for a chain of
 * jobs, like an augmenting path of a flow through the pools:
 *     the job takes, in pool A, the place of one that moves to pool B, where another gives its
 *     place and moves to pool C, where there is room, or where something may be taken
 *
 * Each pool is visited once. Only jobs that may use an unvisited pool, or that the purpose may take
 * something from, give their places, and at most pc_jobs_left() of them. If that is unlimited and
 * tasks request single devices and nothing else, a chain is found whenever one exists.
 */
#ifndef POLICY_ACT_VICTIMS_POOL_CHAIN_H
#define POLICY_ACT_VICTIMS_POOL_CHAIN_H

#include "act/victims/victims.h"

/* Returns true if there may be a chain: the job's queue is confined to some pools, and others to
 * more. */
bool pc_may_chain(const struct pc_search *);

/*
 * Makes room for the job's tasks, on top of what earlier steps recorded, by a trial that the
 * purpose accepts: c->evicted. Returns false with nothing changed.
 */
bool pc_solve_by_chain(struct pc_search *, const struct pc_tasks *);

#endif
