/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of a running gate (run.h). */
#ifndef SIM_GATE_STATE_H
#define SIM_GATE_STATE_H

#include "report/gate/baseline.h"
#include "report/gate/gate.h"
#include "sim/gate/children.h"
#include "sim/gate/queues.h"
#include "sim/gate/source.h"
#include "sim/study/replica_store.h"

/* What one side has simulated of a scenario. */
struct gate_simulated {
    struct gate_cost *costs; /* [replica - 1] */
    int count, capacity;
    char *again; /* the summary of replica 1, from another process; NULL: not simulated again */
};

/* A scenario of the suite with either policy; NULL if that side is not simulated. */
struct gate_world {
    struct scenario *scenario[SIDES];
    struct gate_simulated sides[SIDES];
    struct steady
        steady; /* the base's, or the baseline's: both sides are measured in the same window */
};

struct gate_run {
    const struct cli *cli;
    struct gate_source source;
    struct gate_baseline baseline; /* source.root NULL: none */
    struct gate gate;
    struct gate_world *worlds; /* [scenario] */
    struct gate_queues queues; /* of all scenarios */
    struct child_limits limits;
    struct replica_store store; /* finished replicas; without -o nothing is stored */
    struct gate_progress progress;
    size_t simulated, recalled; /* replicas; recalled: from the store */
    bool noted;                 /* on which nodes run times count as recorded */
    bool interrupted;
};

#endif
