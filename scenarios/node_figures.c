/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A walk over the schema of a node, and two ways to write what it finds. */
#include "scenarios/node_figures.h"

#include "scenarios/json_source.h"
#include "scenarios/resolve.h"
#include "scenarios/schema_node.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* What is said about the figures is none itself. */
static bool is_figure(const char *key)
{
    return !schema_lists("summary|source|sources|unverified", key);
}

static bool marked(const cJSON *node, const char *key)
{
    const cJSON *list = json_member(node, "unverified");
    for (const cJSON *entry = list ? list->child : NULL; entry; entry = entry->next)
        if (strcmp(entry->valuestring, key) == 0)
            return true;
    return false;
}

static const char *source_of(const cJSON *node, const char *key)
{
    const cJSON *own = json_member(json_member(node, "sources"), key);
    const cJSON *source = own ? own : json_member(node, "source");
    return source ? source->valuestring : NULL;
}

size_t node_figures(const cJSON *node, struct node_figure figures[NODE_FIGURES])
{
    size_t count = 0;
    for (const struct schema_row *row = schema_node.child; row->key && count < NODE_FIGURES; row++) {
        const cJSON *value = json_member(node, row->key);
        if (value && is_figure(row->key))
            figures[count++] = (struct node_figure){.row = row,
                                                    .value = value,
                                                    .source = source_of(node, row->key),
                                                    .unverified = marked(node, row->key)};
    }
    return count;
}

static char *scalar_text(const cJSON *value)
{
    char number[32];
    return mem_text(cJSON_IsNumber(value) ? resolve_number(value->valuedouble, number) : value->valuestring);
}

char *node_figure_text(const struct node_figure *figure)
{
    if (!cJSON_IsArray(figure->value) && !cJSON_IsObject(figure->value))
        return scalar_text(figure->value);
    char *text = mem_text("");
    for (const cJSON *entry = figure->value->child; entry; entry = entry->next) {
        char *before = text, *one = scalar_text(entry);
        text = mem_format("%s%s%s%s%s", before, *before ? " " : "", entry->string ? entry->string : "",
                          entry->string ? ":" : "", one);
        free(before);
        free(one);
    }
    return text;
}

void node_figures_write(const cJSON *node, struct json *json, const char *key)
{
    struct node_figure figures[NODE_FIGURES];
    size_t count = node_figures(node, figures);
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
