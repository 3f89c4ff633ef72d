/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills in defaults, and prints the tree. */
#include "scenarios/schema/resolve.h"

#include "scenarios/json/source.h"
#include "scenarios/schema/scenario.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns true if a given member excludes this row's key, so that its default does not apply. */
static bool excluded(const cJSON *object, const struct schema_row *table,
                     const struct schema_row *row)
{
    for (const struct schema_row *rival = table; row->group && rival->key; rival++) {
        if (rival != row && rival->group && strcmp(rival->group, row->group) == 0 &&
            json_member(object, rival->key))
            return true;
    }
    return false;
}

static cJSON *default_of(const struct schema_row *row)
{
    cJSON *parsed = cJSON_Parse(row->fallback);
    BUG_ON(!parsed);
    if (cJSON_IsNull(parsed))
        return parsed;
    cJSON *resolved = resolve_value(parsed, row);
    cJSON_Delete(parsed);
    return resolved;
}

static int by_key(const void *a, const void *b)
{
    const cJSON *x = *(const cJSON *const *)a, *y = *(const cJSON *const *)b;
    return strcmp(x->string, y->string); // keys of an object are unique
}

/* Adds the members that the table does not list, sorted by name. */
static void resolve_open(cJSON *into, const cJSON *value, const struct schema_row *row)
{
    int size = cJSON_GetArraySize(value);
    const cJSON **members = mem_alloc((size_t)size, sizeof *members);
    size_t count = 0;
    for (const cJSON *member = value->child; member; member = member->next) {
        if (schema_member(row, member->string) == row->open && !cJSON_IsNull(member))
            members[count++] = member;
    }
    qsort(members, count, sizeof *members, by_key);
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToObject(into, members[i]->string, resolve_value(members[i], row->open));
    free(members);
}

static cJSON *resolve_object(const cJSON *value, const struct schema_row *object)
{
    cJSON *into = cJSON_CreateObject();
    for (const struct schema_row *row = object->child; row && row->key; row++) {
        const cJSON *member = json_member(value, row->key);
        if (row->with && !json_member(value, row->with))
            continue;
        if (member)
            cJSON_AddItemToObject(into, row->key, resolve_value(member, row));
        else if (row->fallback && !excluded(value, object->child, row))
            cJSON_AddItemToObject(into, row->key, default_of(row));
    }
    if (object->open)
        resolve_open(into, value, object);
    return into;
}

cJSON *resolve_value(const cJSON *value, const struct schema_row *row)
{
    const struct schema_row *chosen = schema_pick(row, value);
    BUG_ON(!chosen);
    if (chosen->type == SCHEMA_OBJECT)
        return resolve_object(value, chosen);
    if (chosen->type != SCHEMA_LIST)
        return cJSON_Duplicate(value, true);
    cJSON *into = cJSON_CreateArray();
    size_t index = 0;
    for (const cJSON *element = value->child; element; element = element->next)
        cJSON_AddItemToArray(into, resolve_value(element, schema_element(chosen, index++)));
    return into;
}

/* Returns the quota, or the sum of the quotas by pool. */
static double quota_of(const cJSON *share)
{
    const cJSON *by_pool = json_member(share, "by_pool");
    double sum = 0;
    for (const cJSON *quota = by_pool != NULL ? by_pool->child : NULL; quota; quota = quota->next)
        sum += quota->valuedouble;
    return sum > 0 ? sum : json_member(share, "quota")->valuedouble;
}

/* A share without a weight gets its quota as weight, or 1. */
static void default_weights(cJSON *resolved)
{
    static const char *const resources[] = {"gpu", "cpu", "mem"};
    const cJSON *queues = json_member(resolved, "queues");
    for (const cJSON *queue = cJSON_IsArray(queues) ? queues->child : NULL; queue;
         queue = queue->next) {
        for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
            cJSON *share = json_member(queue, resources[i]);
            double quota = quota_of(share);
            if (!json_member(share, "weight"))
                cJSON_AddNumberToObject(share, "weight", quota > 0 ? quota : 1);
        }
    }
}

cJSON *resolve_scenario(const cJSON *merged, const char *name)
{
    cJSON *named = cJSON_Duplicate(merged, true);
    if (!json_member(named, "name")) {
        cJSON_DeleteItemFromObjectCaseSensitive(named, "name");
        cJSON_AddStringToObject(named, "name", name);
    }
    cJSON *resolved = resolve_value(named, &schema_scenario);
    cJSON_Delete(named);
    default_weights(resolved);
    return resolved;
}

const char *resolve_number(double value, char buffer[32])
{
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(buffer, 32, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    return buffer;
}

static void print_number(struct json *json, const char *key, double value)
{
    if (floor(value) == value && fabs(value) <= SCHEMA_EXACT) {
        json_i64(json, key, (int64_t)value);
        return;
    }
    // the smallest exact number of decimals; beyond 18 it makes no difference
    int digits = 1;
    char text[352];
    for (; digits < 18; digits++) {
        (void)snprintf(text, sizeof text, "%.*f", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    json_f64(json, key, value, digits);
}

void resolve_write(struct json *json, const char *key, const cJSON *value,
                   const struct schema_row *row, bool names)
{
    const struct schema_row *chosen = cJSON_IsNull(value) ? NULL : schema_pick(row, value);
    if (!chosen) {
        json_null(json, key);
    } else if (chosen->type == SCHEMA_OBJECT) {
        json_begin_object(json, key);
        for (const cJSON *member = value->child; member; member = member->next)
            resolve_write(json, member->string, member, schema_member(chosen, member->string),
                          names);
        json_end_object(json);
    } else if (chosen->type == SCHEMA_LIST) {
        size_t index = 0;
        json_begin_array(json, key);
        for (const cJSON *element = value->child; element; element = element->next)
            resolve_write(json, NULL, element, schema_element(chosen, index++), names);
        json_end_array(json);
    } else if (cJSON_IsNumber(value)) {
        print_number(json, key, value->valuedouble);
    } else if (cJSON_IsBool(value)) {
        json_bool(json, key, cJSON_IsTrue(value));
    } else if (names || !schema_names_file(chosen, value)) {
        json_text(json, key, value->valuestring);
    }
}

void resolve_print(const cJSON *resolved, bool names, struct out *out)
{
    struct json json;
    json_init(&json, out, 2);
    resolve_write(&json, NULL, resolved, &schema_scenario, names);
    out_char(out, '\n');
}
