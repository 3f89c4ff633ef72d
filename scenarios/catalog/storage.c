/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The embedded storage.json, and storage of the same form from elsewhere. */
#include "scenarios/catalog/storage.h"

#include "scenarios/catalog/file.h"
#include "scenarios/schema/storage.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- one storage ---- */

static double number_of(const cJSON *object, const char *key, double otherwise)
{
    const cJSON *value = json_member(object, key);
    return value ? value->valuedouble : otherwise;
}

static const char *text_of(const cJSON *object, const char *key)
{
    const cJSON *value = json_member(object, key);
    return value ? value->valuestring : "";
}

static bool read_loader(struct check *check, const cJSON *object, struct store *store)
{
    struct store_loader loader = {.name = object->string,
                                  .gb = number_of(object, "gb", 0),
                                  .load_s = number_of(object, "load_s", 0),
                                  .ready_s = number_of(object, "ready_s", -1)};
    if (store->loader_count == STORE_LOADERS)
        return check_fail(check, "more than %d loaders", STORE_LOADERS);
    if (loader.ready_s >= 0 && loader.ready_s < loader.load_s)
        return check_fail(check, "the engine is ready after %g s, and loading alone takes %g s",
                          loader.ready_s, loader.load_s);
    store->loaders[store->loader_count++] = loader;
    return true;
}

/*
 * Reads an object that passed schema_store; check->path is its location. Returns false with err
 * set.
 */
static bool read_store(struct check *check, const cJSON *object, const char *name,
                       struct store *store)
{
    const cJSON *loaders = json_member(object, "loaders");
    *store = (struct store){.name = name,
                            .summary = text_of(object, "summary"),
                            .read_gbps = number_of(object, "read_gbps", 0),
                            .write_gbps = number_of(object, "write_gbps", 0),
                            .node_read_gbps = number_of(object, "node_read_gbps", 0),
                            .node_write_gbps = number_of(object, "node_write_gbps", 0)};
    json_path_add(check->path, "loaders");
    size_t length = strlen(check->path);
    for (const cJSON *loader = loaders ? loaders->child : NULL; loader; loader = loader->next) {
        if (cJSON_IsNull(loader))
            continue;
        check->path[length] = '\0';
        json_path_add(check->path, loader->string);
        if (!read_loader(check, loader, store))
            return false;
    }
    return true;
}

const struct store_loader *store_find_loader(const struct store *store, const char *name,
                                             struct err *err)
{
    char hint[128];
    for (size_t i = 0; i < store->loader_count; i++) {
        if (strcmp(store->loaders[i].name, name) == 0)
            return &store->loaders[i];
    }
    text_suggest(hint, sizeof hint, name, store->loader_count ? &store->loaders[0].name : NULL,
                 store->loader_count, sizeof *store->loaders);
    err_set(err, EXIT_INPUT, "the storage%s%.64s has no loader '%.64s'%s",
            store->name[0] ? " " : "", store->name, name, hint);
    return NULL;
}

double store_loader_gbps(const struct store_loader *loader)
{
    return loader->gb / loader->load_s;
}

double store_loader_seconds(const struct store_loader *loader, double gb)
{
    return gb / loader->gb * loader->load_s;
}

double store_loader_engine_s(const struct store_loader *loader)
{
    return loader->ready_s >= 0 ? loader->ready_s - loader->load_s : 0;
}

/* ---- all of them ---- */

static bool read_all(void *made, struct check *check, cJSON *tree)
{
    struct catalog_storage *catalog = made;
    const cJSON *all = json_member(tree, "storage");
    catalog->tree = tree;
    catalog->stores = mem_alloc((size_t)cJSON_GetArraySize(all) + 1, sizeof *catalog->stores);
    for (const cJSON *object = all->child; object; object = object->next) {
        check->path[0] = '\0';
        json_path_add(check->path, "storage");
        json_path_add(check->path, object->string);
        if (!read_store(check, object, object->string, &catalog->stores[catalog->count]))
            return false;
        catalog->count++;
    }
    return true;
}

static void release(void *catalog)
{
    catalog_storage_free(catalog);
}

static const struct catalog_kind kind = {"storage.json", &schema_storage_catalog,
                                         sizeof(struct catalog_storage), read_all, release};

bool catalog_storage_parse(struct catalog_storage **catalog, const char *name, const char *text,
                           size_t n, struct err *err)
{
    *catalog = catalog_file_parse(&kind, name, text, n, err);
    return *catalog != NULL;
}

bool catalog_storage(struct catalog_storage **catalog, struct err *err)
{
    *catalog = catalog_file_open(&kind, err);
    return *catalog != NULL;
}

void catalog_storage_free(struct catalog_storage *catalog)
{
    if (!catalog)
        return;
    free(catalog->stores);
    cJSON_Delete(catalog->tree);
    free(catalog);
}

const struct store *catalog_storage_find(const struct catalog_storage *catalog, const char *name,
                                         struct err *err)
{
    char hint[128];
    for (size_t i = 0; i < catalog->count; i++) {
        if (strcmp(catalog->stores[i].name, name) == 0)
            return &catalog->stores[i];
    }
    text_suggest(hint, sizeof hint, name, catalog->count ? &catalog->stores[0].name : NULL,
                 catalog->count, sizeof *catalog->stores);
    err_set(err, EXIT_INPUT, "unknown storage '%.64s'%s (list storage shows all)", name, hint);
    return NULL;
}

/* Figures and loaders of `own` replace those of the base. */
static void put_over(struct store *base, const struct store *own)
{
    const double *from[] = {&own->read_gbps, &own->write_gbps, &own->node_read_gbps,
                            &own->node_write_gbps};
    double *to[] = {&base->read_gbps, &base->write_gbps, &base->node_read_gbps,
                    &base->node_write_gbps};
    for (size_t i = 0; i < sizeof to / sizeof *to; i++)
        *to[i] = *from[i] > 0 ? *from[i] : *to[i];
    if (own->loader_count > 0) {
        memcpy(base->loaders, own->loaders, sizeof base->loaders);
        base->loader_count = own->loader_count;
    }
}

bool catalog_storage_choose(struct check *check, const cJSON *value,
                            struct catalog_storage **catalog, struct store *store)
{
    const cJSON *name = cJSON_IsObject(value) ? json_member(value, "name") : value;
    struct store own = {.name = "", .summary = ""};
    struct err err;
    *store = own;
    if (name) {
        if (!*catalog && !catalog_storage(catalog, check->err))
            return false;
        const struct store *found = catalog_storage_find(*catalog, name->valuestring, &err);
        if (!found)
            return check_fail(check, "%s", err.msg);
        *store = *found;
    }
    if (cJSON_IsObject(value) && !read_store(check, value, "", &own))
        return false;
    put_over(store, &own);
    return true;
}

const cJSON *catalog_storage_object(const struct catalog_storage *catalog,
                                    const struct store *store)
{
    return json_member(json_member(catalog->tree, "storage"), store->name);
}
