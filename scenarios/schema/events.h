/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of planned changes; sim/planned_changes.h defines them. */
#ifndef SCENARIOS_SCHEMA_EVENTS_H
#define SCENARIOS_SCHEMA_EVENTS_H

#include "scenarios/schema/schema.h"

extern const struct schema_row schema_event; /* an element of `events` */

#endif
