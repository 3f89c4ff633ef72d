/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A JSON tree against the schema: unknown keys, wrong types, values out of range, keys that exclude
 * one another, missing keys. The first error, or each one, becomes a message of the form
 *
 *     scenarios/x.json:12: fleet.pools[0].count: expected an integer from 1 to 4194304, got -3
 *
 * The caller knows the source of a value: one file, several merged files, or the command line.
 */
#ifndef SCENARIOS_SCHEMA_CHECK_H
#define SCENARIOS_SCHEMA_CHECK_H

#include "scenarios/json/source.h"
#include "scenarios/schema/schema.h"
#include "sim/base/err.h"

#include <stdint.h>

#define CHECK_WHERE_MAX 320

struct check {
    /*
     * Writes the source of the value at `path` ("x.json:12"); returns true if the path itself
     * should follow.
     */
    bool (*where)(const void *of, const char *path, char where[CHECK_WHERE_MAX]);
    const void *of;
    bool whole; /* required keys must be present: false for trees that are merged into others */
    char path[JSON_PATH_MAX];
    struct err *err;
    /* Receives each error inside a list or an object, and the walk continues; NULL: it ends at the
     * first error. A root of another type always fails. */
    void (*each)(void *to, const struct err *);
    void *to;
};

/* For trees that come from one file: `of` is its struct json_source. */
bool check_where_file(const void *of, const char *path, char where[CHECK_WHERE_MAX]);

bool check_value(struct check *, const struct schema_row *, const cJSON *value);

/* Finds the row of `key` in an object's table; returns false with err set if there is none. */
bool check_key(struct check *, const struct schema_row *object, const char *key,
               const struct schema_row **row);

/* Sets the error: location, path, message. Returns false. */
bool check_fail(struct check *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Values that passed the check. */
int64_t check_duration_ms(const cJSON *value);
uint64_t check_seed(const cJSON *value);

#endif
