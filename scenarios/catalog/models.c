/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The embedded models.json, with the sources of single figures. */
#include "scenarios/catalog/models.h"

#include "scenarios/catalog/calibration.h"
#include "scenarios/catalog/file.h"
#include "scenarios/schema/model.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

static bool read_all(void *made, struct check *check, cJSON *tree)
{
    struct catalog_models *catalog = made;
    const cJSON *all = json_member(tree, "models");
    struct calibration with = {0};
    bool ok = true;
    catalog->tree = tree;
    catalog->models = mem_alloc((size_t)cJSON_GetArraySize(all), sizeof *catalog->models);
    for (const cJSON *object = all->child; object && ok; object = object->next) {
        check->path[0] = '\0';
        json_path_add(check->path, "models");
        json_path_add(check->path, object->string);
        ok = catalog_model_read(check, object, object->string, &with,
                                &catalog->models[catalog->count]);
        catalog->count += ok;
    }
    calibration_fini(&with);
    return ok;
}

static void release(void *catalog)
{
    catalog_models_free(catalog);
}

static const struct catalog_kind kind = {"models.json", &schema_models,
                                         sizeof(struct catalog_models), read_all, release};

bool catalog_models_parse(struct catalog_models **catalog, const char *name, const char *text,
                          size_t n, struct err *err)
{
    *catalog = catalog_file_parse(&kind, name, text, n, err);
    return *catalog != NULL;
}

bool catalog_models(struct catalog_models **catalog, struct err *err)
{
    *catalog = catalog_file_open(&kind, err);
    return *catalog != NULL;
}

const cJSON *catalog_models_object(const struct catalog_models *catalog,
                                   const struct catalog_model *model)
{
    return json_member(json_member(catalog->tree, "models"), model->name);
}

void catalog_models_free(struct catalog_models *catalog)
{
    if (!catalog)
        return;
    for (size_t i = 0; i < catalog->count; i++)
        catalog_model_fini(&catalog->models[i]);
    free(catalog->models);
    cJSON_Delete(catalog->tree);
    free(catalog);
}

const struct catalog_model *catalog_models_find(const struct catalog_models *catalog,
                                                const char *name, struct err *err)
{
    for (size_t i = 0; i < catalog->count; i++) {
        if (strcmp(catalog->models[i].name, name) == 0)
            return &catalog->models[i];
    }
    char hint[128];
    text_suggest(hint, sizeof hint, name, catalog->count ? &catalog->models[0].name : NULL,
                 catalog->count, sizeof *catalog->models);
    err_set(err, EXIT_INPUT, "unknown model '%.64s'%s (list models shows all)", name, hint);
    return NULL;
}
