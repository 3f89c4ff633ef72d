/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a whole scenario and of a file of scenarios/catalog/ with nodes. */
#ifndef SCENARIOS_SCHEMA_SCENARIO_H
#define SCENARIOS_SCHEMA_SCENARIO_H

#include "scenarios/schema/schema.h"

extern const struct schema_row schema_scenario; /* a whole scenario */
extern const struct schema_row schema_catalog;  /* a file of scenarios/catalog/ */

#endif
