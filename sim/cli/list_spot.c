/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `fauxfleet list spot [NAME]`: offers of spot capacity, one line each; with a name the figures of
 * that one with their sources, a question mark at unverified ones. With --json the object "spot" of
 * each can be copied into a pool.
 */
#include "scenarios/catalog/spot.h"
#include "scenarios/schema/figures.h"
#include "scenarios/schema/resolve.h"
#include "scenarios/schema/spot.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/program/command.h"

#include <string.h>

static void print_all(struct out *out, const struct catalog_spot *catalog)
{
    int width = 0;
    for (size_t i = 0; i < catalog->count; i++) {
        int n = (int)strlen(catalog->offers[i].name);
        width = n > width ? n : width;
    }
    for (size_t i = 0; i < catalog->count; i++) {
        const struct catalog_spot_offer *offer = &catalog->offers[i];
        out_format(out, "%-*s  %s [notice %.0f s, %.3g%% a month, away %.3g h]\n", width,
                   offer->name, offer->summary, (double)offer->notice_ms / 1e3,
                   100 * offer->monthly, (double)offer->away_ms / 3.6e6);
    }
}

/* The offer's own figures; the others come from the offer it is based on. */
static void print_figures(struct out *out, const struct catalog_spot_offer *offer)
{
    struct figure figures[FIGURES];
    size_t count = figures_of(offer->object, &schema_spot, figures);
    out_format(out, "%s  %s\n", offer->name, offer->summary);
    for (size_t i = 0; i < count; i++) {
        char number[32];
        const cJSON *value = figures[i].value;
        out_format(out, "  %-20s  %-8s %s  %s\n", figures[i].row->key,
                   cJSON_IsNumber(value) ? resolve_number(value->valuedouble, number)
                                         : value->valuestring,
                   figures[i].unverified ? "?" : " ", figures[i].source ? figures[i].source : "");
    }
    out_text(out, "?  not verified\n");
}

static void print_json(struct out *out, const struct catalog_spot *catalog,
                       const struct catalog_spot_offer *one)
{
    struct json json;
    json_init(&json, out, 2);
    json_begin_array(&json, NULL);
    for (size_t i = 0; i < catalog->count; i++) {
        const struct catalog_spot_offer *offer = &catalog->offers[i];
        if (one && one != offer)
            continue;
        json_begin_object(&json, NULL);
        json_text(&json, "name", offer->name);
        json_text(&json, "description", offer->summary);
        resolve_write(&json, "spot", offer->object, &schema_spot, true);
        json_end_object(&json);
    }
    json_end_array(&json);
    out_char(out, '\n');
}

static int fail_unknown(const struct catalog_spot *catalog, const char *name)
{
    struct err err;
    char hint[128];
    text_suggest(hint, sizeof hint, name, catalog->count ? &catalog->offers[0].name : NULL,
                 catalog->count, sizeof *catalog->offers);
    err_set(&err, EXIT_INPUT, "unknown offer of spot capacity '%.64s'%s", name, hint);
    return cli_fail(&err);
}

int cmd_list_spot(struct cli *cli)
{
    struct err err;
    struct catalog_spot *catalog;
    if (!catalog_spot(&catalog, &err))
        return cli_fail(&err);
    const struct catalog_spot_offer *one =
        cli->operand_count > 0 ? catalog_spot_find(catalog, cli->operands[0]) : NULL;
    int code = EXIT_OK;
    if (cli->operand_count > 0 && !one)
        code = fail_unknown(catalog, cli->operands[0]);
    else if (cli_given(cli, OPT_JSON))
        print_json(cli->out, catalog, one);
    else if (one)
        print_figures(cli->out, one);
    else
        print_all(cli->out, catalog);
    catalog_spot_free(catalog);
    return code;
}
