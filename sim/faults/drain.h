/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When a node has to leave. The class has a rule; the outcome also depends on the operator, and on
 * whether the same fault was seen on the node before.
 */
#ifndef SIM_FAULTS_DRAIN_H
#define SIM_FAULTS_DRAIN_H

#include "sim/faults/classes.h"

/*
 * The outcome: FAULT_DRAIN_NO, _AFTER_JOB or _NOW. `repeated`: the class struck the same node
 * within the preceding window. `patient`: an operator who lets jobs finish wherever they still run
 * (a fault that kills the job empties the node anyway).
 */
enum fault_drain fault_drain_decide(enum fault_drain rule, bool repeated, bool patient);

#endif
