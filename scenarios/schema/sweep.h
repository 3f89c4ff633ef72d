/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keys of a sweep plan. The values of `grid` and `points` are those of any key of a scenario.
 */
#ifndef SCENARIOS_SCHEMA_SWEEP_H
#define SCENARIOS_SCHEMA_SWEEP_H

#include "scenarios/schema/schema.h"

#define SWEEP_SEEDS_MAX 1000000

extern const struct schema_row schema_sweep;

#endif
