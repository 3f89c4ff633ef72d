/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The work of one moment for `plan --method compaction`: a snapshot, or the state of a scenario's
 * run at a time, by default the first at which its jobs in the system request most GPUs (--at).
 */
#ifndef SIM_PLAN_WORK_H
#define SIM_PLAN_WORK_H

#include "scenarios/snapshot/snapshot.h"
#include "sim/program/command.h"

/* *at_s: on the trace's clock, nan for a snapshot; *seed: the scenario's, else 1 or --seed. False
 * with err set. */
bool plan_work(const struct cli *, struct snapshot **, double *at_s, uint64_t *seed,
               struct err *err);

#endif
