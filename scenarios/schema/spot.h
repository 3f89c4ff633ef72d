/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of spot capacity; sim/faults/spot.h defines them. */
#ifndef SCENARIOS_SCHEMA_SPOT_H
#define SCENARIOS_SCHEMA_SPOT_H

#include "scenarios/schema/schema.h"

extern const struct schema_row schema_spot;         /* one offer, in the catalogue or in a pool */
extern const struct schema_row schema_spot_catalog; /* scenarios/catalog/spot.json */

#endif
