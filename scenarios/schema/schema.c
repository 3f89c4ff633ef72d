/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds rows. */
#include "scenarios/schema/schema.h"

#include "scenarios/schema/policy_name.h"

#include <string.h>

/* The JSON types that a row accepts, in cJSON's numbering. */
static int json_types(enum schema_type type)
{
    static const int types[] = {
        [SCHEMA_TEXT] = cJSON_String,
        [SCHEMA_PATH] = cJSON_String,
        [SCHEMA_POLICY] = cJSON_String,
        [SCHEMA_CHOICE] = cJSON_String,
        [SCHEMA_NUMBER] = cJSON_Number,
        [SCHEMA_INTEGER] = cJSON_Number,
        [SCHEMA_AMOUNT] = cJSON_Number,
        [SCHEMA_SEED] = cJSON_Number | cJSON_String,
        [SCHEMA_BOOLEAN] = cJSON_True | cJSON_False,
        [SCHEMA_DURATION] = cJSON_Number | cJSON_String,
        [SCHEMA_OPTION] = cJSON_Number | cJSON_String | cJSON_True | cJSON_False,
        [SCHEMA_OBJECT] = cJSON_Object,
        [SCHEMA_LIST] = cJSON_Array,
        [SCHEMA_LATER] = ~0,
    };
    return types[type];
}

const struct schema_row *schema_pick(const struct schema_row *row, const cJSON *value)
{
    for (; row; row = row->other) {
        if (json_types(row->type) & value->type & 0xff)
            return row;
    }
    return NULL;
}

size_t schema_rows(const struct schema_row *table)
{
    size_t n = 0;
    while (table && table[n].key)
        n++;
    return n;
}

const struct schema_row *schema_member(const struct schema_row *object, const char *key)
{
    for (const struct schema_row *row = object->child; row && row->key; row++) {
        if (strcmp(row->key, key) == 0)
            return row;
    }
    return object->open;
}

const struct schema_row *schema_element(const struct schema_row *list, size_t index)
{
    return index == 0 && list->first ? list->first : list->child;
}

bool schema_names_file(const struct schema_row *row, const cJSON *value)
{
    return row->type == SCHEMA_PATH ||
           (row->type == SCHEMA_POLICY && policy_name_is_library(value->valuestring));
}

bool schema_lists(const char *names, const char *text)
{
    size_t length = strlen(text);
    while (names && *names) {
        size_t n = strcspn(names, "|");
        if (n == length && memcmp(names, text, n) == 0)
            return true;
        names += names[n] ? n + 1 : n;
    }
    return false;
}
