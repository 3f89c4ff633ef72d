/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lower bound of a perfect system (report/plan/bound.h) for a scenario and the targets of a plan. What is asked for is
 * learnt by simulating the scenario as it is, once a replica: which jobs are submitted when, and which of them the targets
 * count. A mean over replicas that is within a target needs one replica that is, so the smallest bound of all replicas
 * holds for the plan.
 */
#ifndef SIM_CLI_PLAN_BOUND_H
#define SIM_CLI_PLAN_BOUND_H

#include "report/plan/capacity.h"
#include "scenarios/scenario.h"

/*
 * Fills c->bound, `nodes` as for the pool with that number. Pools other than it are as in the scenario. False with err set
 * when a simulation failed; *interrupted when a signal stopped it.
 */
bool plan_bound(struct capacity *c, const struct scenario *, size_t pool, int threads, bool *interrupted,
                struct err *err);

/* Nodes of a pool that are kept apart until another one of it goes down: at most the others run jobs at a time. */
int64_t plan_spares(const struct scenario *, size_t pool);

#endif
