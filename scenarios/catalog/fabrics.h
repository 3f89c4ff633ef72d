/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue of fabrics, scenarios/catalog/fabrics.json. A fabric may also be an object in a
 * scenario, which is read by a separate function.
 *
 *     "fabrics": {"superpod-b200": {"unit_nodes": 32, "rails": 8, "radix": 64, "nodes_per":
 *     {"rack": 4}, ...},
 *                 "meta-24k": {"nodes_per": {"pod": 384, "core": 3072}, "oversubscription": {"pod":
 *                 7}, ...}}
 *
 * A catalogue owns all its texts; catalog_fabrics_free() releases it.
 */
#ifndef SCENARIOS_CATALOG_FABRICS_H
#define SCENARIOS_CATALOG_FABRICS_H

#include "scenarios/schema/check.h"
#include "sim/fabric/spec.h"

struct catalog_fabrics {
    struct fabric_spec *fabrics;
    const cJSON **objects; /* of each: sources, unverified figures */
    size_t count;
    cJSON *tree;
};

bool catalog_fabrics(struct catalog_fabrics **, struct err *err);
void catalog_fabrics_free(struct catalog_fabrics *); /* NULL is allowed */

/* The same from a text in memory, for tests. */
bool catalog_fabrics_parse(struct catalog_fabrics **, const char *name, const char *text, size_t n,
                           struct err *err);

/* Returns a fabric by name, or NULL. */
const struct fabric_spec *catalog_fabrics_find(const struct catalog_fabrics *, const char *name);

/*
 * Reads an object that passed schema_fabric; check->path is its location. Texts of the spec belong
 * to the object, and the name to the caller. Returns false with err set if its figures are
 * inconsistent.
 */
bool catalog_fabrics_read(struct check *, const cJSON *object, const char *name,
                          struct fabric_spec *);

#endif
