/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lower bound of the nodes that meet the targets of a plan (report/plan/bound.h): each replica
 * is simulated once to learn its demand, and which jobs the targets count. If a fleet meets a
 * target some replica meets it, so the smallest bound over all replicas is valid for the plan.
 */
#ifndef SIM_PLAN_BOUND_H
#define SIM_PLAN_BOUND_H

#include "sim/plan/offered.h"
#include "sim/study/replica_store.h"

/* The lower bound for the plan's targets, on the devices of a variant; simulated with `nodes`
 * nodes. Fills c->bound. */
struct plan_bound_of {
    const struct plan_world *world;
    const struct variant *variant;
    const struct plan_shape *shape;
    int64_t nodes;
};
bool plan_bound(struct capacity *c, const struct plan_bound_of *, struct replica_store *,
                int threads, bool *interrupted, struct err *err);

#endif
