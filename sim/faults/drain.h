/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When a node has to go. What a class says is a rule; what happens follows from it, from what the
 * operator does, and from whether the same was seen on the node before.
 */
#ifndef SIM_FAULTS_DRAIN_H
#define SIM_FAULTS_DRAIN_H

#include "sim/faults/classes.h"

/*
 * What is done: FAULT_DRAIN_NO, _AFTER_JOB or _NOW. `repeated`: the class struck the same node
 * within the window before. `patient`: an operator who lets jobs finish wherever they still run (a
 * fault that killed the job empties the node anyway).
 */
enum fault_drain fault_drain_decide(enum fault_drain rule, bool repeated, bool patient);

#endif
