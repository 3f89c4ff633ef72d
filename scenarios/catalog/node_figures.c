/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the figures of a node in two ways. */
#include "scenarios/catalog/node_figures.h"

#include "scenarios/json/source.h"
#include "scenarios/schema/node.h"
#include "scenarios/schema/resolve.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

static char *scalar_text(const cJSON *value)
{
    char number[32];
    return mem_text(cJSON_IsNumber(value) ? resolve_number(value->valuedouble, number)
                                          : value->valuestring);
}

char *node_figure_text(const struct figure *figure)
{
    if (!cJSON_IsArray(figure->value) && !cJSON_IsObject(figure->value))
        return scalar_text(figure->value);
    char *text = mem_text("");
    for (const cJSON *entry = figure->value->child; entry; entry = entry->next) {
        char *before = text, *one = scalar_text(entry);
        text = mem_format("%s%s%s%s%s", before, *before ? " " : "",
                          entry->string ? entry->string : "", entry->string ? ":" : "", one);
        free(before);
        free(one);
    }
    return text;
}

void node_figures_write(const cJSON *node, struct json *json, const char *key)
{
    struct figure figures[FIGURES];
    size_t count = figures_of(node, &schema_node, figures);
    const cJSON *summary = json_member(node, "summary");
    json_begin_object(json, key);
    if (summary)
        json_text(json, "summary", summary->valuestring);
    json_begin_object(json, "sources");
    for (size_t i = 0; i < count; i++)
        if (figures[i].source)
            json_text(json, figures[i].row->key, figures[i].source);
    json_end_object(json);
    json_begin_array(json, "unverified");
    for (size_t i = 0; i < count; i++)
        if (figures[i].unverified)
            json_text(json, NULL, figures[i].row->key);
    json_end_array(json);
    for (size_t i = 0; i < count; i++)
        resolve_write(json, figures[i].row->key, figures[i].value, figures[i].row, true);
    json_end_object(json);
}
