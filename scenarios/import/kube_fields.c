/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the fields of an object that are not imported; see kube_fields.h. */
#include "scenarios/import/kube_fields.h"

#include <stdio.h>
#include <string.h>

#define MOST_PATH 400

static const struct kube_field *row_of(const struct kube_field *rows, const char *key)
{
    for (; rows->key; rows++) {
        size_t n = strlen(rows->key);
        bool open = n > 0 && rows->key[n - 1] == '*';
        if (open ? strncmp(rows->key, key, n - 1) == 0 : strcmp(rows->key, key) == 0)
            return rows;
    }
    return NULL;
}

static bool says_nothing(const cJSON *value, const char *usual)
{
    if (usual && cJSON_IsBool(value))
        return strcmp(usual, cJSON_IsTrue(value) ? "true" : "false") == 0;
    if (cJSON_IsString(value))
        return *value->valuestring == '\0' || (usual && strcmp(value->valuestring, usual) == 0);
    if (cJSON_IsNumber(value))
        return value->valuedouble == 0;
    return !cJSON_IsTrue(value) && value->child == NULL;
}

static void note_inside(struct import *import, const cJSON *value, const struct kube_field *rows,
                        const char *path);

static void note_member(struct import *import, const cJSON *member, const struct kube_field *rows,
                        const char *path)
{
    char its[MOST_PATH];
    const struct kube_field *row = row_of(rows, member->string);
    enum kube_fate fate = row ? row->fate : FIELD_NOTED;
    if (fate == FIELD_READ || fate == FIELD_NO_MATTER ||
        says_nothing(member, row ? row->usual : NULL))
        return;
    (void)snprintf(its, sizeof its, "%s%s%.120s", path, *path ? "." : "", member->string);
    if (fate == FIELD_OPEN)
        note_inside(import, member, row->inside, its);
    else
        import_note_field(import, its, "not imported");
}

static void note_members(struct import *import, const cJSON *object, const struct kube_field *rows,
                         const char *path)
{
    const cJSON *member;
    cJSON_ArrayForEach(member, import_members(object))
    {
        note_member(import, member, rows, path);
    }
}

/* Visits an object, or each object in a list. The tables bound the depth. */
static void note_inside(struct import *import, const cJSON *value, const struct kube_field *rows,
                        const char *path)
{
    char its[MOST_PATH];
    const cJSON *item;
    if (!cJSON_IsArray(value)) {
        note_members(import, value, rows, path);
        return;
    }
    (void)snprintf(its, sizeof its, "%.*s[]", MOST_PATH - 3, path);
    cJSON_ArrayForEach(item, value)
    {
        note_members(import, item, rows, its);
    }
}

void kube_note_fields(struct import *import, const cJSON *object, const struct kube_field *rows)
{
    note_members(import, object, rows, "");
}
