/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of fault classes and fault profiles; sim/faults/classes.h defines them. */
#ifndef SCENARIOS_SCHEMA_FAULTS_H
#define SCENARIOS_SCHEMA_FAULTS_H

#include "scenarios/schema/schema.h"

extern const struct schema_row schema_faults[]; /* the table of a scenario's key `faults` */
extern const struct schema_row
    schema_fault_profile; /* one profile, in the catalogue or in a scenario */
extern const struct schema_row schema_faults_catalog; /* scenarios/catalog/faults.json */

#endif
