/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Startups of a scenario: what passes between a job getting its devices and its first work. */
#include "scenarios/catalog_storage.h"
#include "scenarios/fill.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STORAGE "startup.storage"
#define LOADER  "startup.loader"

static int64_t ms_of(double seconds)
{
    return (int64_t)llround(seconds * 1000);
}

static bool use_loader(struct build *build, const cJSON *tree, const struct store *store,
                       struct scen_startup *startup)
{
    struct err err;
    const struct store_loader *loader = store_find_loader(store, fill_text(tree, "loader"), &err);
    if (!loader)
        return build_fail(build, LOADER, "%s", err.msg);
    startup->load_ms = ms_of(store_loader_seconds(loader, fill_number(tree, "model_gb")));
    startup->engine_ms = ms_of(store_loader_engine_s(loader));
    return true;
}

static bool use_named(struct build *build, const cJSON *tree, const char *name, struct scen_startup *startup)
{
    struct catalog_storage *catalog = NULL;
    if (!catalog_storage(&catalog, build->err))
        return false;
    struct err err;
    const struct store *store = catalog_storage_find(catalog, name, &err);
    bool ok = store ? use_loader(build, tree, store, startup) : build_fail(build, STORAGE, "%s", err.msg);
    catalog_storage_free(catalog);
    return ok;
}

static bool use_storage(struct build *build, const cJSON *tree, struct scen_startup *startup)
{
    const cJSON *storage = json_member(tree, "storage");
    if (!storage)
        return fill_number(tree, "model_gb") <= 0 ||
               build_fail(build, "startup.model_gb",
                          "a model comes from somewhere: give startup.storage (list storage)");
    if (!cJSON_IsObject(storage))
        return use_named(build, tree, storage->valuestring, startup);
    struct store store;
    struct check check = {.where = layers_where, .of = &build->layers, .whole = true, .err = build->err};
    (void)snprintf(check.path, sizeof check.path, STORAGE);
    return catalog_storage_read(&check, storage, "", &store) && use_loader(build, tree, &store, startup);
}

static uint32_t classes_of(const cJSON *list)
{
    uint32_t mask = 0;
    if (!list)
        return (UINT32_C(1) << TRACE_CLASSES) - 1;
    for (const cJSON *name = list->child; name; name = name->next)
        for (int i = 0; i < TRACE_CLASSES; i++)
            mask |= strcmp(trace_class_names[i], name->valuestring) == 0 ? UINT32_C(1) << i : 0;
    return mask;
}

bool fill_startup(struct build *build)
{
    const cJSON *tree = json_member(build->tree, "startup");
    struct scen_startup *startup = &build->scenario.startup;
    if (!tree)
        return true;
    if (!use_storage(build, tree, startup))
        return false;
    startup->given = true;
    startup->image_ms = fill_ms(tree, "image", 0);
    startup->engine_ms = fill_ms(tree, "engine", startup->engine_ms);
    startup->classes = classes_of(json_member(tree, "classes"));
    return true;
}
