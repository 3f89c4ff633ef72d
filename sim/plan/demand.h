/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The demand in a replica of a scenario: which jobs are submitted when, their minimum, and where
 * they may run. It is learnt by simulating the replica, since begin times, dependencies and the
 * window depend on the simulator. Run times are those on the fastest devices that a job may use.
 */
#ifndef SIM_PLAN_DEMAND_H
#define SIM_PLAN_DEMAND_H

#include "report/measure/waits.h"
#include "report/plan/bound.h"
#include "report/plan/offered.h"
#include "scenarios/scenario.h"
#include "sim/sim.h"

struct plan_request {
    struct bound_job job;     /* for the lower bound */
    struct offered_job whole; /* all of its work */
    enum waits_size size;
    uint32_t queue;
    uint8_t class;
    bool counted, lost; /* lost: it never fits */
};

struct plan_demand {
    struct plan_request *requests; /* in order of submission */
    size_t count, capacity;
    uint32_t *kinds; /* nodes of the fleet, one of each kind */
    size_t kind_count;
    bool speeds_differ; /* of the nodes that some job may run on */
};

/*
 * `use` receives the demand and the finished simulation. Returns false with err set if it failed.
 */
bool plan_demand(const struct scenario *, int replica,
                 void (*use)(void *self, const struct plan_demand *, const struct sim *),
                 void *self, struct err *err);

#endif
