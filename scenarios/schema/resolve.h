/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The resolved scenario: the merged tree with all defaults, keys in the order of the schema, and
 * members that the schema does not list (options, parameters) sorted by name. It is a scenario
 * again: loading its text gives the same tree.
 */
#ifndef SCENARIOS_SCHEMA_RESOLVE_H
#define SCENARIOS_SCHEMA_RESOLVE_H

#include "scenarios/schema/schema.h"
#include "sim/base/json.h"

/* Returns a new tree; release it with cJSON_Delete(). `name` is the scenario's default name. */
cJSON *resolve_scenario(const cJSON *merged, const char *name);

/* The same for any tree and row that passed the check. */
cJSON *resolve_value(const cJSON *value, const struct schema_row *row);

/* Prints JSON text; without file names if `names` is false. */
void resolve_print(const cJSON *resolved, bool names, struct out *out);

/* The same for a part described by `row`, within JSON that the caller writes. */
void resolve_write(struct json *, const char *key, const cJSON *value, const struct schema_row *row,
                   bool names);

/* Returns the shortest text of a number that is exact. */
const char *resolve_number(double value, char buffer[32]);

#endif
