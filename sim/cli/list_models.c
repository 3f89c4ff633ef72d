/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `fauxfleet list models [NAME]`: the catalogue of models, one line each with its communication
 * intensity q; with a name the figures of that one, each with its source, a question mark at
 * unverified ones, and its speed on each GPU.
 */
#include "scenarios/catalog/models.h"
#include "scenarios/catalog/speeds.h"
#include "scenarios/schema/figures.h"
#include "scenarios/schema/model.h"
#include "scenarios/schema/resolve.h"
#include "sim/base/mem.h"
#include "sim/program/command.h"

#include <stdlib.h>
#include <string.h>

static void print_all(struct out *out, const struct catalog_models *catalog)
{
    int width = 0;
    for (size_t i = 0; i < catalog->count; i++) {
        int n = (int)strlen(catalog->models[i].name);
        width = n > width ? n : width;
    }
    for (size_t i = 0; i < catalog->count; i++) {
        const struct catalog_model *model = &catalog->models[i];
        out_format(out, "%-*s  %s [q %.2f]\n", width, model->name, model->summary,
                   perf_model_intensity(&model->model));
    }
}

/* One word for a scalar, JSON for the rest. The caller frees it. */
static char *figure_text(const cJSON *value)
{
    char number[32];
    if (cJSON_IsNumber(value))
        return mem_text(resolve_number(value->valuedouble, number));
    if (cJSON_IsString(value))
        return mem_text(value->valuestring);
    char *printed = cJSON_PrintUnformatted(value), *text = mem_text(printed ? printed : "");
    cJSON_free(printed);
    return text;
}

#define KEY_WIDTH   17
#define VALUE_WIDTH 10

/* By its own figures, its class or the rule, each with its mark. */
static void print_speeds(struct out *out, const struct perf_generations *g,
                         const struct perf_model *model)
{
    out_format(out, "  speed on %s 1", g->gpus[0].name);
    for (size_t i = 1; i < g->gpu_count; i++) {
        struct perf_ratio r = perf_ratio_of(g, model, g->gpus[i].name, &traits_unknown, true);
        out_format(out, ", %s %.3g %s", g->gpus[i].name, r.speed, perf_mark_letter(r.mark));
    }
    out_text(out, "\n  own: measured for this model; m measured, d derived, r by the rule, a "
                  "assumed for its class (list speeds)\n");
}

static void print_figures(struct out *out, const struct perf_generations *g, const cJSON *object,
                          const struct catalog_model *model)
{
    struct figure figures[FIGURES];
    size_t count = figures_of(object, &schema_model, figures);
    out_format(out, "%s  %s\n", model->name, model->summary);
    out_format(out,
               "  q %.2f GB all-reduced per device-second of computing, with 8 devices: below 0.1 "
               "placement hardly matters, above 1 it rules\n",
               perf_model_intensity(&model->model));
    for (size_t i = 0; i < count; i++) {
        char *text = figure_text(figures[i].value);
        out_format(out, "  %-*s  %-*s %s  %s\n", KEY_WIDTH, figures[i].row->key, VALUE_WIDTH, text,
                   figures[i].unverified ? "?" : " ", figures[i].source ? figures[i].source : "");
        free(text);
    }
    print_speeds(out, g, &model->model);
    out_text(out, "?  not verified, or not entirely\n");
}

static void print_json(struct json *json, const cJSON *object, const struct catalog_model *model)
{
    json_begin_object(json, NULL);
    json_text(json, "name", model->name);
    json_text(json, "description", model->summary);
    json_f64(json, "intensity", perf_model_intensity(&model->model), 4);
    resolve_write(json, "model", object, &schema_model, true);
    json_end_object(json);
}

static void print_models_json(struct out *out, const struct catalog_models *catalog,
                              const struct catalog_model *one)
{
    struct json json;
    json_init(&json, out, 2);
    json_begin_array(&json, NULL);
    for (size_t i = 0; i < catalog->count; i++) {
        if (!one || one == &catalog->models[i])
            print_json(&json, catalog_models_object(catalog, &catalog->models[i]),
                       &catalog->models[i]);
    }
    json_end_array(&json);
    out_char(out, '\n');
}

int cmd_list_models(struct cli *cli)
{
    struct err err;
    struct catalog_models *catalog;
    struct catalog_speeds *speeds = NULL;
    if (!catalog_models(&catalog, &err))
        return cli_fail(&err);
    const struct catalog_model *one = NULL;
    int code = EXIT_OK;
    if (!catalog_speeds(&speeds, &err))
        code = cli_fail(&err);
    else if (cli->operand_count > 0 &&
             !(one = catalog_models_find(catalog, cli->operands[0], &err)))
        code = cli_fail(&err);
    else if (cli_given(cli, OPT_JSON))
        print_models_json(cli->out, catalog, one);
    else if (one)
        print_figures(cli->out, &speeds->table, catalog_models_object(catalog, one), one);
    else
        print_all(cli->out, catalog);
    catalog_speeds_free(speeds);
    catalog_models_free(catalog);
    return code;
}
