/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges one JSON object into another by the rules of scenarios (see layers.h). */
#ifndef SCENARIOS_LOAD_MERGE_H
#define SCENARIOS_LOAD_MERGE_H

#include "scenarios/schema/schema.h"

/*
 * Merges the members of `from` into `into`; `row` describes both objects, for keys that exclude one
 * another.
 */
void merge_object(cJSON *into, const cJSON *from, const struct schema_row *row);

/* Merges one member: `value` is copied; null removes the key. */
void merge_member(cJSON *into, const char *key, const cJSON *value, const struct schema_row *row);

#endif
