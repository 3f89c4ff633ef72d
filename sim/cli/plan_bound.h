/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a plan needs at least, for a scenario and its targets. The work that must be served (report/plan/offered.h) is that of the
 * scenario with one replica, as `run` has it: as recorded, neither shaken nor resampled. What a perfect system needs (bound.h)
 * is learnt by simulating each replica once: which jobs are submitted when, and which of them the targets
 * count. Run times are those on the fastest devices that a job may use. A fleet that meets a target has replicas that do, so the smallest of all replicas holds for the plan.
 */
#ifndef SIM_CLI_PLAN_BOUND_H
#define SIM_CLI_PLAN_BOUND_H

#include "report/plan/capacity.h"
#include "scenarios/scenario.h"
#include "sim/cli/plan_store.h"
#include "sim/cli/plan_world.h"

/* What nodes of a variant bring, pool by pool; more than 63 pools are counted together. */
struct plan_shape {
    struct offered_pool pools[OFFERED_POOLS];
    size_t count;
};

/* The work: fills c->offered and the shape. Not true either when a signal stopped it, which sets *interrupted. */
bool plan_offered(struct capacity *c, const struct plan_world *, const struct variant *, struct plan_shape *,
                  bool *interrupted, struct err *err);

/* The perfect system, for the plan's targets, on the devices of a variant; simulated with so many nodes. Fills c->bound. */
struct plan_bound_of {
    const struct plan_world *world;
    const struct variant *variant;
    const struct plan_shape *shape;
    int64_t nodes;
};
bool plan_bound(struct capacity *c, const struct plan_bound_of *, struct plan_store *, int threads,
                bool *interrupted, struct err *err);

/* Nodes of the variant, so that the fleet has at least so many GPUs beside its spares, `spares` nodes of those that grow. */
int64_t plan_nodes_for(const struct plan_shape *, int64_t spares, int64_t gpu_milli);

/*
 * Where the search starts: at the whole nodes of the work that must be served, at `least` where that is not known or the targets do
 * not say how long jobs may wait.
 */
int64_t plan_start(const struct capacity *, int64_t least, int64_t spares);

#endif
