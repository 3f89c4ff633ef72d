/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Startups of a scenario: the time between a job getting its devices and its first work. */
#include "scenarios/catalog/storage.h"
#include "scenarios/load/fill.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STORAGE "startup.storage"
#define LOADER  "startup.loader"

static int64_t ms_of(double seconds)
{
    return (int64_t)llround(seconds * 1000);
}

/*
 * From separate storage at the loader's rate; from the scenario's shared storage, at most at that
 * rate.
 */
static void use_loader(struct build *build, const struct store_loader *loader, double gb,
                       bool shared)
{
    struct scen_startup *startup = &build->scenario.startup;
    startup->engine_ms = ms_of(store_loader_engine_s(loader));
    if (!shared) {
        startup->load_ms = ms_of(store_loader_seconds(loader, gb));
        return;
    }
    build->scenario.storage.load_bytes = (int64_t)llround(gb * 1e9);
    build->scenario.storage.load_rate = (int64_t)llround(store_loader_gbps(loader) * 1e9);
}

static bool use_storage(struct build *build, const cJSON *tree)
{
    const cJSON *own = json_member(tree, "storage"), *common = json_member(build->tree, "storage");
    double gb = fill_number(tree, "model_gb");
    struct catalog_storage *catalog = NULL;
    struct store store;
    struct err err;
    if (!own && !common)
        return gb <= 0 ||
               build_fail(
                   build, "startup.model_gb",
                   "a model comes from somewhere: give startup.storage (list storage) or storage");
    if (!own && gb <= 0)
        return true;
    struct check check = {
        .where = layers_where, .of = &build->layers, .whole = true, .err = build->err};
    (void)snprintf(check.path, sizeof check.path, "%s", own ? STORAGE : "storage");
    bool ok = catalog_storage_choose(&check, own ? own : common, &catalog, &store);
    if (ok) {
        const struct store_loader *loader =
            store_find_loader(&store, fill_text(tree, "loader"), &err);
        ok = loader != NULL || build_fail(build, LOADER, "%s", err.msg);
        if (ok)
            use_loader(build, loader, gb, !own);
    }
    catalog_storage_free(catalog);
    return ok;
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
    if (!use_storage(build, tree))
        return false;
    startup->given = true;
    startup->image_ms = fill_ms(tree, "image", 0);
    startup->engine_ms = fill_ms(tree, "engine", startup->engine_ms);
    startup->classes = classes_of(json_member(tree, "classes"));
    return true;
}
