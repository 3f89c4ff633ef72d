/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by all parts of the snapshot reader: memory, errors with locations, values of the tree,
 * numbered names.
 */
#include "scenarios/snapshot/internal.h"

#include "scenarios/schema/check.h"
#include "scenarios/schema/resolve.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *snap_alloc(struct snap_reader *reader, size_t count, size_t size)
{
    if (count == 0)
        return NULL;
    void *block = mem_alloc(count, size);
    reader->blocks = mem_grow(reader->blocks, &reader->block_capacity, reader->block_count + 1,
                              sizeof *reader->blocks);
    reader->blocks[reader->block_count++] = block;
    return block;
}

bool snap_check(struct snap_reader *reader, const struct schema_row *schema)
{
    struct check check = {
        .where = check_where_file, .of = &reader->source, .whole = true, .err = reader->err};
    const char *version = schema->child[0].key;
    if (!cJSON_IsObject(reader->source.root) || !json_member(reader->source.root, version))
        return check_fail(&check, "not a %s: the key '%s' is missing (expected 1)",
                          schema == &schema_snapshot ? "snapshot" : "file of shares", version);
    if (!check_value(&check, schema, reader->source.root))
        return false;
    reader->tree = resolve_value(reader->source.root, schema);
    return true;
}

void snap_close(struct snap_reader *reader)
{
    for (size_t i = 0; i < reader->block_count; i++)
        free(reader->blocks[i]);
    free(reader->blocks);
    name_set_fini(&reader->s.node_names);
    name_set_fini(&reader->s.queue_names);
    name_set_fini(&reader->s.job_ids);
    cJSON_Delete(reader->tree);
    json_source_close(&reader->source);
    free(reader);
}

bool snap_fail(struct snap_reader *reader, const char *path, const char *format, ...)
{
    char message[sizeof reader->err->msg];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    struct check check = {.where = check_where_file, .of = &reader->source, .err = reader->err};
    (void)snprintf(check.path, sizeof check.path, "%s%s", reader->at, path);
    return check_fail(&check, "%s", message);
}

bool snap_unknown(struct snap_reader *reader, const char *path, const char *what, const char *name,
                  const struct name_set *names)
{
    char hint[160];
    text_suggest(hint, sizeof hint, name, names->names, names->count, sizeof *names->names);
    return snap_fail(reader, path, "unknown %s '%.64s'%s", what, name, hint);
}

const char *snap_text(const cJSON *object, const char *key)
{
    const cJSON *value = json_member(object, key);
    return value ? value->valuestring : NULL;
}

int64_t snap_integer(const cJSON *object, const char *key, int64_t absent)
{
    const cJSON *value = json_member(object, key);
    return value ? (int64_t)value->valuedouble : absent;
}

struct snap_origin snap_origin(const cJSON *object)
{
    return (struct snap_origin){json_member(object, "origin") ? snap_text(object, "origin") : "",
                                snap_integer(object, "generation", 0)};
}

int64_t snap_ms(const cJSON *object, const char *key, int64_t absent)
{
    const cJSON *value = json_member(object, key);
    return value ? check_duration_ms(value) : absent;
}

int64_t snap_scaled(const cJSON *object, const char *key, double factor)
{
    const cJSON *value = json_member(object, key);
    return value ? (int64_t)llround(value->valuedouble * factor) : 0;
}

uint64_t snap_device_set(const cJSON *list)
{
    uint64_t set = 0;
    for (const cJSON *device = list->child; device; device = device->next)
        set |= UINT64_C(1) << (unsigned)device->valuedouble;
    return set;
}

int32_t snap_choice(const cJSON *object, const char *key, const char *names)
{
    const char *value = snap_text(object, key);
    BUG_ON(!value);
    size_t length = strlen(value);
    int32_t place = 0;
    for (const char *name = names;; place++) {
        size_t n = strcspn(name, "|");
        if (n == length && memcmp(name, value, n) == 0)
            return place;
        BUG_ON(name[n] == '\0');
        name += n + 1;
    }
}

struct snap_count *snap_counts(struct snap_reader *reader, const cJSON *object, size_t *count)
{
    size_t n = 0;
    *count = 0;
    if (snap_size(object) == 0)
        return NULL;
    struct snap_count *counts = snap_alloc(reader, snap_size(object), sizeof *counts);
    for (const cJSON *member = object->child; member; member = member->next) {
        if (member->valuedouble > 0) // members of an open object are sorted by name
            counts[n++] = (struct snap_count){member->string, (int32_t)member->valuedouble};
    }
    *count = n;
    return counts;
}

size_t snap_size(const cJSON *list)
{
    return list ? (size_t)cJSON_GetArraySize(list) : 0;
}

bool snap_number(struct snap_reader *reader, struct name_set *set, size_t **of_name,
                 const char *const *names, size_t count, size_t stride, const char *what,
                 const char *key)
{
    const char *base = (const char *)names;
    for (size_t i = 0; i < count; i++)
        name_set_add(set, *(const char *const *)(const void *)(base + i * stride));
    name_set_seal(set);
    *of_name = snap_alloc(reader, set->count, sizeof **of_name);
    for (size_t i = 0; i < set->count; i++)
        (*of_name)[i] = SNAP_NONE;
    for (size_t i = 0; i < count; i++) {
        const char *name = *(const char *const *)(const void *)(base + i * stride);
        size_t *index = &(*of_name)[name_set_find(set, name)];
        if (*index != SNAP_NONE) {
            char path[64];
            (void)snprintf(path, sizeof path, "%ss[%zu].%s", what, i, key);
            reader->at[0] = '\0';
            return snap_fail(reader, path, "there are two %ss of the %s '%.64s'", what, key, name);
        }
        *index = i;
    }
    return true;
}

static int by_own_rank(const void *a, const void *b)
{
    const struct snap_ranked *x = a, *y = b;
    if (x->own_rank != y->own_rank)
        return x->own_rank < y->own_rank ? -1 : 1;
    return x->place < y->place ? -1 : 1; // places are unique
}

void snap_rank(struct snap_ranked *ranked, size_t count)
{
    qsort(ranked, count, sizeof *ranked, by_own_rank);
}
