/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The services of a scenario, made ready for its simulation. */
#ifndef SIM_WORLD_SERVICES_H
#define SIM_WORLD_SERVICES_H

#include "scenarios/scenario.h"
#include "sim/services.h"

/* NULL where the scenario has none; released with services_destroy(). The fleet of the simulation
 * is named. */
struct services *cli_services(const struct scenario *, const struct trace_names *, uint64_t seed);

#endif
