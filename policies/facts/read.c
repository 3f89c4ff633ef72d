/* SPDX-License-Identifier: MIT */
/* Reading facts by their rows; see read.h. */
#include "policies/facts/read.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 2^53: the reader may have rounded larger JSON numbers */
#define EXACT 9007199254740992.0

static bool fail(struct fact_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool fail(struct fact_line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line->error, sizeof line->error, format, arguments);
    va_end(arguments);
    return false;
}

/* Zeroed memory for `count` elements that lives as long as the line; NULL if out of memory. */
static void *keep(struct fact_line *line, size_t count, size_t size)
{
    if (line->block_count == line->block_room) {
        size_t room = line->block_room * 2 + 16;
        void **blocks = realloc(line->blocks, room * sizeof *blocks);
        if (blocks == NULL)
            return NULL;
        line->blocks = blocks;
        line->block_room = room;
    }
    void *block = calloc(count + 1, size);
    if (block != NULL)
        line->blocks[line->block_count++] = block;
    return block;
}

static bool no_memory(struct fact_line *line)
{
    return fail(line, "out of memory");
}

/* ---- numbers ---- */

static bool digits_u64(const char *text, uint64_t *value)
{
    *value = 0;
    if (*text == '\0' || strspn(text, "0123456789") != strlen(text))
        return false;
    for (; *text != '\0'; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (*value > (UINT64_MAX - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    return true;
}

static bool digits_i64(const char *text, int64_t *value)
{
    uint64_t size;
    bool minus = *text == '-';
    if (!digits_u64(text + minus, &size) || size > (uint64_t)INT64_MAX + minus)
        return false;
    *value = minus ? (int64_t)(0 - size) : (int64_t)size;
    return true;
}

static bool whole(const cJSON *item, int64_t *value)
{
    if (cJSON_IsString(item))
        return digits_i64(item->valuestring, value);
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= -EXACT && item->valuedouble <= EXACT))
        return false;
    *value = (int64_t)item->valuedouble;
    return (double)*value == item->valuedouble;
}

static bool between(struct fact_line *line, const cJSON *item, const char *key, int64_t low,
                    int64_t high, int64_t *value)
{
    return (whole(item, value) && *value >= low && *value <= high) ||
           fail(line,
                "'%s': expected a whole number from %" PRId64 " to %" PRId64
                " (beyond 2^53 as a text of digits)",
                key, low, high);
}

static bool word(struct fact_line *line, const cJSON *item, const struct field *field,
                 int64_t *value)
{
    const char *given = cJSON_IsString(item) ? item->valuestring : "";
    *value = 0;
    for (const char *at = field->words;; at++, (*value)++) {
        size_t length = strcspn(at, "|");
        if (length == strlen(given) && memcmp(at, given, length) == 0)
            return true;
        at += length;
        if (*at == '\0')
            return fail(line, "'%s': expected one of %s, got '%.40s'", field->key, field->words,
                        given);
    }
}

/* Parses one of the core's names for numbers from 0 to `most`. */
static bool name(struct fact_line *line, const cJSON *item, const struct field *field,
                 const char *(*name_of)(int32_t), int32_t most, int64_t *value)
{
    const char *given = cJSON_IsString(item) ? item->valuestring : "";
    for (int32_t i = 0; i <= most && *given != '\0'; i++)
        if (strcmp(name_of(i), given) == 0) {
            *value = i;
            return true;
        }
    return fail(line, "'%s': '%.40s' is not known", field->key, given);
}

static bool number(struct fact_line *line, const cJSON *item, const struct field *field,
                   int64_t *value)
{
    uint64_t set;
    switch ((int)field->type) {
    case FIELD_I32:
        return between(line, item, field->key, INT32_MIN, INT32_MAX, value);
    case FIELD_U32:
        return between(line, item, field->key, 0, UINT32_MAX, value);
    case FIELD_I64:
        return between(line, item, field->key, INT64_MIN, INT64_MAX, value);
    case FIELD_U64:
        if (cJSON_IsString(item) && digits_u64(item->valuestring, &set))
            *value = (int64_t)set;
        else if (cJSON_IsString(item) || !whole(item, value) || *value < 0)
            return fail(line, "'%s': expected a whole number from 0 to 2^64-1, as a text of digits",
                        field->key);
        return true;
    case FIELD_CHOICE:
        return word(line, item, field, value);
    case FIELD_KIND:
        return name(line, item, field, policy_kind_name, POLICY_RELEASE, value);
    case FIELD_ACTION:
        return name(line, item, field, policy_action_name, POLICY_MOST_ACTIONS - 1, value);
    case FIELD_REASON:
        return name(line, item, field, policy_reason_name, POLICY_REASONS - 1, value);
    default:
        *value = cJSON_IsTrue(item);
        return cJSON_IsBool(item) || fail(line, "'%s': expected true or false", field->key);
    }
}

static void store(const struct field *field, char *base, int64_t value)
{
    char *at = base + field->offset;
    int32_t i32 = (int32_t)value;
    uint32_t u32 = (uint32_t)value;
    bool truth = value != 0;
    if (field->type == FIELD_I64 || field->type == FIELD_U64)
        memcpy(at, &value, sizeof value);
    else if (field->type == FIELD_U32)
        memcpy(at, &u32, sizeof u32);
    else if (field->type == FIELD_BOOL)
        memcpy(at, &truth, sizeof truth);
    else
        memcpy(at, &i32, sizeof i32);
}

/* ---- lists ---- */

static void store_list(const struct field *field, char *base, const void *elements, uint32_t count)
{
    memcpy(base + field->offset, &elements, sizeof elements);
    memcpy(base + field->count_offset, &count, sizeof count);
}

static bool is_list(struct fact_line *line, const cJSON *item, const struct field *field, int most)
{
    return (cJSON_IsArray(item) && cJSON_GetArraySize(item) <= most) ||
           fail(line, "'%s': expected a list of at most %d", field->key, most);
}

#define MOST 65536 /* elements of any list: the core's limits are stricter */

static bool numbers(struct fact_line *line, const cJSON *item, const struct field *field,
                    char *base)
{
    const cJSON *element;
    uint32_t count = 0;
    int64_t value;
    if (!is_list(line, item, field, MOST))
        return false;
    uint32_t *all = keep(line, (size_t)cJSON_GetArraySize(item), sizeof *all);
    if (all == NULL)
        return no_memory(line);
    cJSON_ArrayForEach(element, item)
    {
        if (!between(line, element, field->key, 0, UINT32_MAX, &value))
            return false;
        all[count++] = (uint32_t)value;
    }
    store_list(field, base, count > 0 ? all : NULL, count);
    return true;
}

static bool counts(struct fact_line *line, const cJSON *item, const struct field *field, char *base)
{
    const cJSON *element;
    int64_t value;
    size_t at = 0;
    if (!is_list(line, item, field, POLICY_MAX_PROFILES))
        return false;
    int32_t *all = keep(line, POLICY_MAX_PROFILES, sizeof *all);
    if (all == NULL)
        return no_memory(line);
    cJSON_ArrayForEach(element, item)
    {
        if (!between(line, element, field->key, 0, INT32_MAX, &value))
            return false;
        all[at++] = (int32_t)value;
    }
    memcpy(base + field->offset, &all, sizeof all);
    return true;
}

static bool options(struct fact_line *line, const cJSON *item, const struct field *field,
                    char *base)
{
    const cJSON *member;
    uint32_t count = 0;
    if (!cJSON_IsObject(item))
        return fail(line, "'%s': expected an object of texts", field->key);
    struct fact_option *all = keep(line, (size_t)cJSON_GetArraySize(item), sizeof *all);
    if (all == NULL)
        return no_memory(line);
    cJSON_ArrayForEach(member, item)
    {
        if (!cJSON_IsString(member))
            return fail(line, "'%s': '%.64s': expected a text", field->key, member->string);
        all[count++] = (struct fact_option){member->string, member->valuestring};
    }
    store_list(field, base, all, count);
    return true;
}

/* ---- structs ---- */

struct object {
    const struct field_table *table;
    char *base;
};

/* Sets defaults; parts are filled in by the caller. */
static void preset(const struct object *object)
{
    uint32_t size = (uint32_t)object->table->size;
    if (object->table->is_sized)
        memcpy(object->base, &size, sizeof size);
    for (const struct field *field = object->table->fields; field->key != NULL; field++) {
        if (field->type < FIELD_TEXT)
            store(field, object->base, field->usual);
        else if (field->type == FIELD_PART)
            preset(&(struct object){field->of, object->base + field->offset});
    }
}

static bool members(struct fact_line *line, const cJSON *item, const struct object *objects,
                    size_t count);

static bool list(struct fact_line *line, const cJSON *item, const struct field *field, char *base)
{
    const cJSON *element;
    uint32_t count = 0;
    if (!is_list(line, item, field, MOST))
        return false;
    char *all = keep(line, (size_t)cJSON_GetArraySize(item), field->of->size);
    if (all == NULL)
        return no_memory(line);
    cJSON_ArrayForEach(element, item)
    {
        const struct object object = {field->of, all + count * field->of->size};
        preset(&object);
        if (!cJSON_IsObject(element))
            return fail(line, "'%s': expected a list of objects", field->key);
        if (!members(line, element, &object, 1))
            return false;
        count++;
    }
    store_list(field, base, count > 0 ? all : NULL, count);
    return true;
}

/* Recursion is bounded by the nesting of the tables, whatever the input. */
static bool member(struct fact_line *line, const cJSON *item, const struct field *field, char *base)
{
    int64_t value;
    if (field->type < FIELD_TEXT) {
        if (!number(line, item, field, &value))
            return false;
        store(field, base, value);
        return true;
    }
    switch ((int)field->type) {
    case FIELD_TEXT:
        if (!cJSON_IsString(item))
            return fail(line, "'%s': expected a text", field->key);
        memcpy(base + field->offset, &item->valuestring, sizeof item->valuestring);
        return true;
    case FIELD_OPTIONS:
        return options(line, item, field, base);
    case FIELD_COUNTS:
        return counts(line, item, field, base);
    case FIELD_NUMBERS:
        return numbers(line, item, field, base);
    case FIELD_LIST:
        return list(line, item, field, base);
    default: {
        const struct object part = {field->of, base + field->offset};
        return cJSON_IsObject(item) ? members(line, item, &part, 1)
                                    : fail(line, "'%s': expected an object", field->key);
    }
    }
}

static bool is_outer(const char *key)
{
    static const char *const keys[] = {"t_ms", "fact", "id", "chain", "record"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

static bool take(struct fact_line *line, const cJSON *item, const struct object *objects,
                 size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (const struct field *field = objects[i].table->fields; field->key != NULL; field++)
            if (strcmp(field->key, item->string) == 0)
                return member(line, item, field, objects[i].base);
    return fail(line, "there is no member '%.64s' here", item->string);
}

/* Each member must belong to one of the objects; a whole line also has members beyond the fact. */
static bool members(struct fact_line *line, const cJSON *item, const struct object *objects,
                    size_t count)
{
    const cJSON *child;
    bool outer = item == line->tree;
    cJSON_ArrayForEach(child, item)
    {
        if ((!outer || !is_outer(child->string)) && !take(line, child, objects, count))
            return false;
    }
    for (size_t i = 0; i < count; i++)
        for (const struct field *field = objects[i].table->fields; field->key != NULL; field++)
            if (field->required && cJSON_GetObjectItemCaseSensitive(item, field->key) == NULL)
                return fail(line, "'%s' is missing", field->key);
    return true;
}

/* ---- lines ---- */

static bool read_fact(struct fact_line *line, const char *kind)
{
    struct fact *fact = &line->fact;
    policy_time at = fact->at;
    while (fact->kind < FACT_KINDS && strcmp(fact_kinds[fact->kind].name, kind) != 0)
        fact->kind++;
    if (fact->kind == FACT_KINDS)
        return fail(line, "'fact': no fact is called '%.64s'", kind);
    const struct fact_row *row = &fact_kinds[fact->kind];
    struct object objects[2] = {{row->own, (char *)fact}, {row->spec, NULL}};
    preset(&objects[0]);
    fact->at = at;
    if (row->spec != NULL) {
        void *spec = keep(line, 1, row->spec->size);
        if (spec == NULL)
            return no_memory(line);
        fact->spec = objects[1].base = spec;
        preset(&objects[1]);
    }
    return members(line, line->tree, objects, row->spec != NULL ? 2 : 1);
}

static bool read_decision(struct fact_line *line)
{
    const struct object object = {&fact_decision_table, (char *)&line->decision};
    preset(&object);
    return members(line, line->tree, &object, 1);
}

static bool read_time(struct fact_line *line, policy_time *at)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(line->tree, "t_ms");
    return item == NULL ? fail(line, "'t_ms' is missing")
                        : between(line, item, "t_ms", INT64_MIN, INT64_MAX, at);
}

static void forget(struct fact_line *line)
{
    for (size_t i = 0; i < line->block_count; i++)
        free(line->blocks[i]);
    cJSON_Delete(line->tree);
    *line = (struct fact_line){.blocks = line->blocks, .block_room = line->block_room};
}

bool fact_line_read(struct fact_line *line, const char *bytes, size_t n)
{
    const char *end = NULL;
    forget(line);
    line->tree = cJSON_ParseWithLengthOpts(bytes, n, &end, false);
    while (line->tree != NULL && end < bytes + n && (*end == ' ' || *end == '\t' || *end == '\r'))
        end++;
    if (line->tree == NULL || !cJSON_IsObject(line->tree) || end != bytes + n) {
        cJSON_Delete(line->tree);
        line->tree = NULL;
        return fail(line, "expected one JSON object");
    }
    const cJSON *verb = cJSON_GetObjectItemCaseSensitive(line->tree, "do");
    const cJSON *fact = cJSON_GetObjectItemCaseSensitive(line->tree, "fact");
    if (cJSON_IsString(verb)) {
        line->kind = LINE_REQUEST;
        line->verb = verb->valuestring;
        return true;
    }
    if (cJSON_IsString(fact)) {
        line->kind = LINE_FACT;
        return read_time(line, &line->fact.at) && read_fact(line, fact->valuestring);
    }
    line->kind = LINE_DECISION;
    if (cJSON_GetObjectItemCaseSensitive(line->tree, "decision") == NULL)
        return fail(line, "expected 'fact', 'decision' or 'do'");
    return read_time(line, &line->decision.at) && read_decision(line);
}

void fact_line_fini(struct fact_line *line)
{
    forget(line);
    free(line->blocks);
    *line = (struct fact_line){.kind = LINE_FACT};
}

bool fact_line_number(struct fact_line *line, const char *key, int64_t low, int64_t high,
                      bool required, int64_t *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(line->tree, key);
    if (item == NULL)
        return !required || fail(line, "'%s' is missing", key);
    return between(line, item, key, low, high, value);
}
