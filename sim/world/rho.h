/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The second runs of finish-time fairness: each queue alone on its slice of the fleet
 * (report/measure/slices.h), with the same seeds, jobs and faults. The slice is made of the first
 * nodes of each pool that the queue may use (of a list: of each type of GPU), each in proportion,
 * in whole devices: as many whole nodes as it holds, and one smaller node for the rest. Jobs larger
 * than the slice are not submitted there; see report/measure/rho.h.
 */
#ifndef SIM_WORLD_RHO_H
#define SIM_WORLD_RHO_H

#include "report/measure/rho.h"
#include "sim/world/simulate.h"

/* False with err set for a workload that can be read only once. */
bool rho_check(const struct scenario *, struct err *);

/* After the shared run: fills the collector that observed it. The options are those of that run. */
bool rho_measure(struct rho *, const struct simulation *shared, const struct simulation_options *,
                 struct err *);

#endif
