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
    size_t size; /* of the catalogue, which begins as zeroes */
    /* Reads the rows; check->path is empty. From its call on the tree is the catalogue's. False
     * with the error set. */
    bool (*read)(void *catalog, struct check *, cJSON *tree);
    void (*release)(void *catalog);
};

/* The catalogue, to be released by its kind; NULL with the error set. */
void *catalog_file_parse(const struct catalog_kind *, const char *name, const char *text, size_t n,
                         struct err *err);

/* The same of the file that is built in. */
void *catalog_file_open(const struct catalog_kind *, struct err *err);

#endif
