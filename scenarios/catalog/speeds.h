/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue of speeds, scenarios/catalog/speeds.json: the speed of GPU types for classes of
 * work. sim/perf/generation.h defines its figures and their use.
 *
 * A catalogue owns all its texts; catalog_speeds_free() releases it.
 */
#ifndef SCENARIOS_CATALOG_SPEEDS_H
#define SCENARIOS_CATALOG_SPEEDS_H

#include "scenarios/schema/check.h"
#include "sim/perf/generation.h"

struct catalog_speeds {
    struct perf_generations table;
    const char **names; /* of types, in one block */
    cJSON *tree;
};

bool catalog_speeds(struct catalog_speeds **, struct err *err);
void catalog_speeds_free(struct catalog_speeds *); /* NULL is allowed */

/* The same from a text in memory, for tests. */
bool catalog_speeds_parse(struct catalog_speeds **, const char *name, const char *text, size_t n,
                          struct err *err);

#endif
