/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From objects of a JSON tree that passed the schema to spans and classes of faults. What an object
 * does not say stays as it was. `check` says where the object stands, and takes the error.
 */
#ifndef SCENARIOS_CATALOG_READ_FAULTS_H
#define SCENARIOS_CATALOG_READ_FAULTS_H

#include "scenarios/schema/check.h"
#include "sim/faults/classes.h"

/* The member `key` of an object: a duration, or an object of span keys. */
bool read_fault_span(struct check *, const cJSON *object, const char *key, struct fault_span *);

bool read_fault_class(struct check *, const cJSON *object, struct fault_class *);

#endif
