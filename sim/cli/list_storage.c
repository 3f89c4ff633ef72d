/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `fauxfleet list storage [NAME]`: the catalogue of storage, one line each; with a name the figures
 * of that one, each with its source, a question mark at unverified ones, and how fast its loaders
 * are.
 */
#include "scenarios/catalog/storage.h"
#include "scenarios/schema/figures.h"
#include "scenarios/schema/resolve.h"
#include "scenarios/schema/storage.h"
#include "sim/program/command.h"

#include <string.h>

static void print_all(struct out *out, const struct catalog_storage *catalog)
{
    int width = 0;
    for (size_t i = 0; i < catalog->count; i++) {
        int n = (int)strlen(catalog->stores[i].name);
        width = n > width ? n : width;
    }
    for (size_t i = 0; i < catalog->count; i++)
        out_format(out, "%-*s  %s\n", width, catalog->stores[i].name, catalog->stores[i].summary);
}

static void print_loaders(struct out *out, const struct store *store)
{
    for (size_t i = 0; i < store->loader_count; i++) {
        const struct store_loader *loader = &store->loaders[i];
        out_format(out, "  %-15s  %.3f GB/s: %g GB in %g s", loader->name,
                   store_loader_gbps(loader), loader->gb, loader->load_s);
        if (loader->ready_s >= 0)
            out_format(out, ", engine ready after %g s", loader->ready_s);
        out_char(out, '\n');
    }
}

static void print_figures(struct out *out, const cJSON *object, const struct store *store)
{
    struct figure figures[FIGURES];
    char number[32];
    size_t count = figures_of(object, &schema_store, figures);
    const cJSON *source = json_member(object, "source");
    out_format(out, "%s  %s\n", store->name, store->summary);
    for (size_t i = 0; i < count; i++) {
        if (cJSON_IsNumber(figures[i].value))
            out_format(out, "  %-15s  %-12s %s  %s\n", figures[i].row->key,
                       resolve_number(figures[i].value->valuedouble, number),
                       figures[i].unverified ? "?" : " ",
                       figures[i].source ? figures[i].source : "");
    }
    if (store->loader_count > 0)
        out_format(out, "loaders (%s)\n", source ? source->valuestring : "");
    print_loaders(out, store);
    out_text(out, "?  not verified\n");
}

static void print_json(struct json *json, const cJSON *object, const struct store *store)
{
    json_begin_object(json, NULL);
    json_text(json, "name", store->name);
    json_text(json, "description", store->summary);
    json_begin_object(json, "load_gbps");
    for (size_t i = 0; i < store->loader_count; i++)
        json_f64(json, store->loaders[i].name, store_loader_gbps(&store->loaders[i]), 6);
    json_end_object(json);
    resolve_write(json, "storage", object, &schema_store, true);
    json_end_object(json);
}

static void print_stores_json(struct out *out, const struct catalog_storage *catalog,
                              const struct store *one)
{
    struct json json;
    json_init(&json, out, 2);
    json_begin_array(&json, NULL);
    for (size_t i = 0; i < catalog->count; i++) {
        const struct store *store = &catalog->stores[i];
        if (!one || one == store)
            print_json(&json, catalog_storage_object(catalog, store), store);
    }
    json_end_array(&json);
    out_char(out, '\n');
}

int cmd_list_storage(struct cli *cli)
{
    struct err err;
    struct catalog_storage *catalog;
    if (!catalog_storage(&catalog, &err))
        return cli_fail(&err);
    const struct store *one = NULL;
    int code = EXIT_OK;
    if (cli->operand_count > 0 && !(one = catalog_storage_find(catalog, cli->operands[0], &err)))
        code = cli_fail(&err);
    else if (cli_given(cli, OPT_JSON))
        print_stores_json(cli->out, catalog, one);
    else if (one)
        print_figures(cli->out, catalog_storage_object(catalog, one), one);
    else
        print_all(cli->out, catalog);
    catalog_storage_free(catalog);
    return code;
}
