/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of keys of a gate's suite; see scenarios/load/gate_suite.h. */
#ifndef SCENARIOS_SCHEMA_GATE_H
#define SCENARIOS_SCHEMA_GATE_H

#include "scenarios/schema/schema.h"

extern const struct schema_row schema_gate;

#endif
