/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The present state of a simulation as a snapshot, with the policy of its scenario. */
#ifndef SIM_WORLD_PRESENT_H
#define SIM_WORLD_PRESENT_H

#include "scenarios/snapshot/snapshot.h"
#include "sim/base/out.h"
#include "sim/world/simulate.h"

/* False with err set where devices are only counted. */
bool present_print(const struct simulation *, struct out *, struct err *);
bool present_snapshot(const struct simulation *, struct snapshot **, struct err *);

#endif
