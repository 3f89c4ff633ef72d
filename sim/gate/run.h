/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A running gate: the suite's scenarios under both policies, simulated look by look until the gate
 * (report/gate) has a verdict. Scenarios in which everything is decided are not simulated further.
 */
#ifndef SIM_GATE_RUN_H
#define SIM_GATE_RUN_H

#include "sim/gate/state.h"

/* Reads suite, scenarios and baseline; no code of a policy runs. False with err set; to be closed
 * in any case. */
bool gate_run_open(struct gate_run *, const struct cli *, struct err *);
void gate_run_close(struct gate_run *);

/* Simulates until there is a verdict, or a signal came. False with err set when something else than
 * that failed. */
bool gate_run_decide(struct gate_run *, struct err *);

/* All replicas of the base alone, for a baseline. *failed: there is a verdict instead, as the base
 * failed. */
bool gate_run_base(struct gate_run *, bool *failed, struct err *);

#endif
