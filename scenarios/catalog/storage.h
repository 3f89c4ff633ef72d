/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue of storage, scenarios/catalog/storage.json: its read and write rates, for all nodes
 * together and for each, and measured rates of loading models. A scenario may contain an object of
 * the same form.
 *
 *     "gp3": {"node_read_gbps": 1.07,
 *             "loaders": {"streamer": {"gb": 15, "load_s": 14.34, "ready_s": 35.08}}}
 *
 * The texts of a storage belong to the tree that it was read from.
 */
#ifndef SCENARIOS_CATALOG_STORAGE_H
#define SCENARIOS_CATALOG_STORAGE_H

#include "scenarios/schema/check.h"

#define STORE_LOADERS 16 /* of one storage, at most */

/* A measured way to load a model: `gb` in `load_s`; the engine was ready after `ready_s`. */
struct store_loader {
    const char *name;
    double gb, load_s;
    double ready_s; /* including loading; -1: unknown */
};

struct store {
    const char *name, *summary;             /* "" if not stated */
    double read_gbps, write_gbps;           /* all nodes together; 0: unlimited */
    double node_read_gbps, node_write_gbps; /* each node; 0: unlimited */
    struct store_loader loaders[STORE_LOADERS];
    size_t loader_count;
};

struct catalog_storage {
    struct store *stores;
    size_t count;
    cJSON *tree;
};

bool catalog_storage(struct catalog_storage **, struct err *err);
void catalog_storage_free(struct catalog_storage *); /* NULL is allowed */

/* The same from a text in memory, for tests. */
bool catalog_storage_parse(struct catalog_storage **, const char *name, const char *text, size_t n,
                           struct err *err);

/* Returns NULL with the error set, including the nearest name, if there is none. */
const struct store *catalog_storage_find(const struct catalog_storage *, const char *name,
                                         struct err *err);
const struct store_loader *store_find_loader(const struct store *, const char *name,
                                             struct err *err);

/* Returns the object of a storage in the catalogue as written. */
const cJSON *catalog_storage_object(const struct catalog_storage *, const struct store *);

/*
 * Reads the storage that a scenario names, or gives as an object that passed schema_store or
 * schema_storage_rows: with a `name`, its figures replace those of that storage. Texts are valid as
 * long as `*catalog`, which the caller frees, and the tree. Returns false with err set, at
 * check->path.
 */
bool catalog_storage_choose(struct check *, const cJSON *value, struct catalog_storage **catalog,
                            struct store *);

/*
 * Return the loading rate in GB/s; the seconds for that many GB; and the further seconds until its
 * engine is ready (0: unknown).
 */
double store_loader_gbps(const struct store_loader *);
double store_loader_seconds(const struct store_loader *, double gb);
double store_loader_engine_s(const struct store_loader *);

#endif
