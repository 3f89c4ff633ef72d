/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A walk over a schema and the sources of each of its keys. */
#include "scenarios/schema/figures.h"

#include "scenarios/json/source.h"

#include <string.h>

/* Returns true if a mark refers to the key, or to a part of it, like speeds.t4. */
static bool is_about(const char *mark, const char *key)
{
    size_t n = strlen(key);
    return strncmp(mark, key, n) == 0 && (mark[n] == '\0' || mark[n] == '.');
}

static bool is_marked(const cJSON *object, const char *key)
{
    const cJSON *list = json_member(object, "unverified");
    for (const cJSON *mark = list ? list->child : NULL; mark; mark = mark->next) {
        if (is_about(mark->valuestring, key))
            return true;
    }
    return false;
}

static const char *source_of(const cJSON *object, const char *key)
{
    const cJSON *own = json_member(json_member(object, "sources"), key);
    const cJSON *source = own ? own : json_member(object, "source");
    return source ? source->valuestring : NULL;
}

size_t figures_of(const cJSON *object, const struct schema_row *schema,
                  struct figure figures[FIGURES])
{
    size_t count = 0;
    for (const struct schema_row *row = schema->child; row->key && count < FIGURES; row++) {
        const cJSON *value = json_member(object, row->key);
        if (!value || schema_lists("summary|source|sources|unverified",
                                   row->key)) /* these are metadata of figures */
            continue;
        figures[count++] = (struct figure){.row = row,
                                           .value = value,
                                           .source = source_of(object, row->key),
                                           .unverified = is_marked(object, row->key)};
    }
    return count;
}
