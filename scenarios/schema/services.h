/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of inference services; sim/services.h and sim/services/ define them. */
#ifndef SCENARIOS_SCHEMA_SERVICES_H
#define SCENARIOS_SCHEMA_SERVICES_H

#include "scenarios/schema/schema.h"

extern const struct schema_row schema_service; /* an element of the list */

#endif
