/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keys of a fabric: a row of the catalogue, or a fabric given in a scenario's pool.
 * sim/fabric/spec.h defines them.
 */
#ifndef SCENARIOS_SCHEMA_FABRICS_H
#define SCENARIOS_SCHEMA_FABRICS_H

#include "scenarios/schema/schema.h"

extern const struct schema_row schema_fabric; /* one fabric, in the catalogue or in a scenario */
extern const struct schema_row schema_fabrics_catalog; /* scenarios/catalog/fabrics.json */

#endif
