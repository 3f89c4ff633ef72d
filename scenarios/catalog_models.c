/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The embedded models.json, and what its authors said about single figures. */
#include "scenarios/catalog_models.h"

#include "scenarios/embedded.h"
#include "scenarios/schema_model.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

static bool read_all(struct catalog_models *catalog, struct check *check)
{
    catalog->models = mem_alloc((size_t)cJSON_GetArraySize(catalog->tree), sizeof *catalog->models);
    for (const cJSON *object = catalog->tree->child; object; object = object->next) {
        check->path[0] = '\0';
        json_path_add(check->path, "models");
        json_path_add(check->path, object->string);
        if (!catalog_model_read(check, object, object->string, &catalog->models[catalog->count]))
            return false;
        catalog->count++;
    }
    return true;
}

bool catalog_models_parse(struct catalog_models **out, const char *name, const char *text, size_t n,
                          struct err *err)
{
    struct json_source source;
    if (!json_source_parse(&source, name, text, n, err))
        return false;
    struct check check = {.where = check_where_file, .of = &source, .whole = true, .err = err};
    struct catalog_models *catalog = mem_alloc(1, sizeof *catalog);
    bool ok = check_value(&check, &schema_models, source.root);
    if (ok) {
        cJSON *models = json_member(source.root, "models");
        catalog->tree = models;
        ok = read_all(catalog, &check);
        (void)cJSON_DetachItemViaPointer(source.root, models);
    }
    json_source_close(&source);
    if (ok)
        *out = catalog;
    else
        catalog_models_free(catalog);
    return ok;
}

bool catalog_models(struct catalog_models **out, struct err *err)
{
    for (unsigned i = 0; i < embedded_file_count; i++) {
        const struct embedded_file *file = &embedded_files[i];
        if (strcmp(file->name, "models.json") == 0)
            return catalog_models_parse(out, file->name, (const char *)file->bytes, file->size, err);
    }
    return err_set(err, EXIT_INTERNAL, "models.json is not built in");
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

const struct catalog_model *catalog_models_find(const struct catalog_models *catalog, const char *name,
                                                struct err *err)
{
    for (size_t i = 0; i < catalog->count; i++) {
        if (strcmp(catalog->models[i].name, name) == 0)
            return &catalog->models[i];
    }
    char hint[128];
    text_suggest(hint, sizeof hint, name, catalog->count ? &catalog->models[0].name : NULL, catalog->count,
                 sizeof *catalog->models);
    err_set(err, EXIT_INPUT, "unknown model '%.64s'%s (list models shows all)", name, hint);
    return NULL;
}

/* ---- figures */

/* A mark is about the key itself or, as speeds.t4, about a part of it. */
static bool is_about(const char *mark, const char *key)
{
    size_t n = strlen(key);
    return strncmp(mark, key, n) == 0 && (mark[n] == '\0' || mark[n] == '.');
}

size_t model_figures(const cJSON *object, struct model_figure figures[MODEL_FIGURES])
{
    size_t count = 0;
    const cJSON *marks = json_member(object, "unverified"), *whole = json_member(object, "source");
    for (const struct schema_row *row = schema_model.child; row->key && count < MODEL_FIGURES; row++) {
        const cJSON *value = json_member(object, row->key);
        if (!value || schema_lists("summary|source|sources|unverified", row->key))
            continue;
        const cJSON *own = json_member(json_member(object, "sources"), row->key);
        const cJSON *source = own ? own : whole;
        struct model_figure *figure = &figures[count++];
        *figure =
            (struct model_figure){.row = row, .value = value, .source = source ? source->valuestring : NULL};
        for (const cJSON *mark = marks ? marks->child : NULL; mark; mark = mark->next)
            figure->unverified = figure->unverified || is_about(mark->valuestring, row->key);
    }
    return count;
}
