/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges trees. */
#include "scenarios/load/merge.h"

#include "scenarios/json/source.h"

#include <string.h>

/* Removes the siblings that the row's key excludes. */
static void drop_rivals(cJSON *object, const struct schema_row *table, const struct schema_row *row)
{
    for (const struct schema_row *rival = table; row->group && rival && rival->key; rival++) {
        if (rival != row && rival->group && strcmp(rival->group, row->group) == 0)
            cJSON_DeleteItemFromObjectCaseSensitive(object, rival->key);
    }
}

void merge_member(cJSON *into, const char *key, const cJSON *value, const struct schema_row *row)
{
    cJSON *old = cJSON_GetObjectItemCaseSensitive(into, key);
    const struct schema_row *member = row ? schema_member(row, key) : NULL;
    if (cJSON_IsNull(value)) {
        cJSON_DeleteItemFromObjectCaseSensitive(into, key);
        return;
    }
    if (member)
        drop_rivals(into, row->child, member);
    const struct schema_row *picked = member ? schema_pick(member, value) : NULL;
    if (old && cJSON_IsObject(old) && cJSON_IsObject(value) && !(picked && picked->whole)) {
        merge_object(old, value, picked);
        return;
    }
    cJSON *copy = cJSON_IsObject(value) ? cJSON_CreateObject() : cJSON_Duplicate(value, true);
    if (cJSON_IsObject(value))
        merge_object(copy, value, picked); // removes its nulls
    if (old)
        cJSON_ReplaceItemInObjectCaseSensitive(into, key, copy);
    else
        cJSON_AddItemToObject(into, key, copy);
}

/*
 * {"name": "las", "options": {...}} merged over another policy: drops the options of the previous
 * one.
 */
static void drop_previous(cJSON *into, const cJSON *from, const struct schema_row *row)
{
    for (const struct schema_row *child = row ? row->child : NULL; child && child->key; child++) {
        const cJSON *to = child->belongs ? json_member(from, child->belongs) : NULL;
        if (to && json_member(from, child->key) &&
            !cJSON_Compare(json_member(into, child->belongs), to, true))
            cJSON_DeleteItemFromObjectCaseSensitive(into, child->key);
    }
}

void merge_object(cJSON *into, const cJSON *from, const struct schema_row *row)
{
    drop_previous(into, from, row);
    for (const cJSON *member = from->child; member; member = member->next)
        merge_member(into, member->string, member, row);
}

/* ---- changes by path */
