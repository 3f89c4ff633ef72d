/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A catalogue is a JSON file that is checked by a schema and then read into rows, which point into
 * its tree. A row of this table describes a kind of catalogue:
 *
 *     static const struct catalog_kind kind = {"fabrics.json", &schema_fabrics_catalog,
 *                                              sizeof(struct catalog_fabrics), read_all, release};
 */
#ifndef SCENARIOS_CATALOG_FILE_H
#define SCENARIOS_CATALOG_FILE_H

#include "scenarios/schema/check.h"

struct catalog_kind {
    const char *file; /* of scenarios/catalog/ */
    const struct schema_row *schema;
    size_t size; /* of the catalogue, which is zero-initialised */
    /*
     * Reads the rows; check->path is empty. Takes ownership of the tree. Returns false with err
     * set.
     */
    bool (*read)(void *catalog, struct check *, cJSON *tree);
    void (*release)(void *catalog);
};

/* Returns the catalogue, to be released by its kind; NULL with err set. */
void *catalog_file_parse(const struct catalog_kind *, const char *name, const char *text, size_t n,
                         struct err *err);

/* The same for the embedded file. */
void *catalog_file_open(const struct catalog_kind *, struct err *err);

#endif
