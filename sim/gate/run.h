/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gate at work: the suite's scenarios with either policy, simulated look by look as long as the gate (report/gate)
 * has no verdict. Scenarios in which everything is decided are not simulated further.
 */
#ifndef SIM_GATE_RUN_H
#define SIM_GATE_RUN_H

#include "report/gate/baseline.h"
#include "report/gate/gate.h"
#include "sim/gate/children.h"
#include "sim/gate/queues.h"
#include "sim/gate/source.h"
#include "sim/program/progress.h"

/* What one side has simulated of a scenario. */
struct gate_simulated {
    struct gate_cost *costs; /* [replica - 1] */
    int count, capacity;
    char *again; /* the summary of replica 1, from another process; NULL: not simulated again */
};

/* A scenario of the suite with either policy; NULL where nobody simulates that side. */
struct gate_world {
    struct scenario *scenario[SIDES];
    struct gate_simulated sides[SIDES];
    struct steady steady; /* the base's, or the baseline's: both sides are measured in the same window */
};

struct gate_run {
    const struct cli *cli;
    struct gate_source source;
    struct gate_baseline baseline; /* source.root NULL: none */
    struct gate gate;
    struct gate_world *worlds; /* [scenario] */
    struct gate_queues queues; /* of all scenarios */
    struct child_limits limits;
    struct progress progress;
    bool noted; /* on which nodes run times count as recorded */
    bool interrupted;
};

/* Reads suite, scenarios and baseline; no code of a policy runs. False with err set; to be closed in any case. */
bool gate_run_open(struct gate_run *, const struct cli *, struct err *);
void gate_run_close(struct gate_run *);

/* Simulates until there is a verdict, or a signal came. False with err set when something else than that failed. */
bool gate_run_decide(struct gate_run *, struct err *);

/* All replicas of the base alone, for a baseline. *failed: there is a verdict instead, as the base failed. */
bool gate_run_base(struct gate_run *, bool *failed, struct err *);

#endif
