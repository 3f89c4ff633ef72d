/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads spans and classes of faults from objects of a checked JSON tree. Missing keys leave their
 * figures unchanged. `check` has the object's location, and receives the error.
 */
#ifndef SCENARIOS_CATALOG_READ_FAULTS_H
#define SCENARIOS_CATALOG_READ_FAULTS_H

#include "scenarios/schema/check.h"
#include "sim/faults/classes.h"

/* Reads the member `key` of an object: a duration, or an object of span keys. */
bool read_fault_span(struct check *, const cJSON *object, const char *key, struct fault_span *);

bool read_fault_class(struct check *, const cJSON *object, struct fault_class *);

#endif
