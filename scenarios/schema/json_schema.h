/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of keys as a JSON Schema (draft 2020-12), so that editors complete and check files
 * while they are written. Whatever the schema refuses, the program refuses; the program refuses
 * more: contradictory values, unknown names, keys that are missing even after `extends`.
 */
#ifndef SCENARIOS_SCHEMA_JSON_SCHEMA_H
#define SCENARIOS_SCHEMA_JSON_SCHEMA_H

#include "scenarios/schema/schema.h"
#include "sim/base/out.h"

/* Prints the schema of files whose root is this object. */
void json_schema_print(struct out *, const char *title, const struct schema_row *root);

#endif
