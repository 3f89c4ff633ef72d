/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The work that must be served (report/plan/offered.h) on the nodes of a variant: that of the
 * scenario with one replica, as `run` has it, as recorded, without jitter or resampling.
 */
#ifndef SIM_PLAN_OFFERED_H
#define SIM_PLAN_OFFERED_H

#include "report/plan/capacity.h"
#include "sim/plan/world.h"

/* What nodes of a variant bring, pool by pool; more than 63 pools are counted together. */
struct plan_shape {
    struct offered_pool pools[OFFERED_POOLS];
    size_t count;
};

/* The work: fills c->offered and the shape. Not true either when a signal stopped it, which sets
 * *interrupted. */
bool plan_offered(struct capacity *c, const struct plan_world *, const struct variant *,
                  struct plan_shape *, bool *interrupted, struct err *err);

/* Nodes of the variant that give the fleet at least that many GPUs beyond its spares; `spares` of
 * the growing nodes are spares. */
int64_t plan_nodes_for(const struct plan_shape *, int64_t spares, int64_t gpu_milli);

/*
 * Where the search starts: at the whole nodes of the work that must be served, or at `least` if
 * that is unknown or the targets do not say how long jobs may wait.
 */
int64_t plan_start(const struct capacity *, int64_t least, int64_t spares);

#endif
