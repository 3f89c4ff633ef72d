/* SPDX-License-Identifier: MIT */
/* Writing facts by their rows; see write.h. */
#include "policies/facts/write.h"

#include <string.h>

#define EXACT INT64_C(9007199254740992) /* 2^53: integers up to here survive as JSON numbers */

static void put_i64(struct text *text, int64_t value)
{
    bool exact = value >= -EXACT && value <= EXACT;
    if (!exact)
        text_put(text, "\"");
    text_number(text, value);
    if (!exact)
        text_put(text, "\"");
}

static void put_u64(struct text *text, uint64_t value)
{
    text_put(text, "\"");
    text_natural(text, value);
    text_put(text, "\"");
}

static void put_word(struct text *text, const char *words, int64_t which)
{
    for (; which > 0 && *words != '\0'; which--)
        words += strcspn(words, "|") + (words[strcspn(words, "|")] == '|');
    text_put(text, "\"");
    text_bytes(text, words, strcspn(words, "|"));
    text_put(text, "\"");
}

/* ---- numbers ---- */

/* Reads the value of a single-number type. Returns false for other types. */
static bool number_of(const struct field *field, const char *base, int64_t *value)
{
    const void *at = base + field->offset;
    int32_t i32;
    uint32_t u32;
    bool truth;
    switch ((int)field->type) {
    case FIELD_I32:
    case FIELD_FLAG:
    case FIELD_CHOICE:
    case FIELD_KIND:
    case FIELD_ACTION:
    case FIELD_REASON:
        memcpy(&i32, at, sizeof i32);
        *value = i32;
        return true;
    case FIELD_U32:
        memcpy(&u32, at, sizeof u32);
        *value = u32;
        return true;
    case FIELD_I64:
    case FIELD_U64:
        memcpy(value, at, sizeof *value);
        return true;
    case FIELD_BOOL:
        memcpy(&truth, at, sizeof truth);
        *value = truth;
        return true;
    default:
        return false;
    }
}

static void put_number(struct text *text, const struct field *field, int64_t value)
{
    switch ((int)field->type) {
    case FIELD_U64:
        put_u64(text, (uint64_t)value);
        break;
    case FIELD_BOOL:
    case FIELD_FLAG:
        text_put(text, value != 0 ? "true" : "false");
        break;
    case FIELD_CHOICE:
        put_word(text, field->words, value);
        break;
    case FIELD_KIND:
        text_quoted(text, policy_kind_name((int32_t)value));
        break;
    case FIELD_ACTION:
        text_quoted(text, policy_action_name((int32_t)value));
        break;
    case FIELD_REASON:
        text_quoted(text, policy_reason_name((int32_t)value));
        break;
    default:
        put_i64(text, value);
        break;
    }
}

/* ---- lists ---- */

static uint32_t count_of(const struct field *field, const char *base)
{
    uint32_t count;
    memcpy(&count, base + field->count_offset, sizeof count);
    return count;
}

static const void *pointer_of(const struct field *field, const char *base)
{
    const void *pointer;
    memcpy(&pointer, base + field->offset, sizeof pointer);
    return pointer;
}

static void put_counts(struct text *text, const int32_t *counts)
{
    uint32_t n = POLICY_MAX_PROFILES;
    while (n > 0 && counts[n - 1] == 0)
        n--;
    text_put(text, "[");
    for (uint32_t i = 0; i < n; i++) {
        text_put(text, i > 0 ? ", " : "");
        text_number(text, counts[i]);
    }
    text_put(text, "]");
}

static void put_numbers(struct text *text, const uint32_t *numbers, uint32_t count)
{
    text_put(text, "[");
    for (uint32_t i = 0; i < count; i++) {
        text_put(text, i > 0 ? ", " : "");
        text_natural(text, numbers[i]);
    }
    text_put(text, "]");
}

static void put_options(struct text *text, const struct fact_option *options, uint32_t count)
{
    text_put(text, "{");
    for (uint32_t i = 0; i < count; i++) {
        text_put(text, i > 0 ? ", " : "");
        text_quoted(text, options[i].name);
        text_put(text, ": ");
        text_quoted(text, options[i].value);
    }
    text_put(text, "}");
}

/* ---- structs ---- */

static void put_fields(struct text *text, const struct field_table *table, const char *base);

static void put_object(struct text *text, const struct field_table *table, const char *base)
{
    text_put(text, "{");
    put_fields(text, table, base);
    text_put(text, "}");
}

/* Returns true if the member has its default value, which is omitted. */
static bool is_usual(const struct field *field, const char *base)
{
    int64_t value;
    if (field->required)
        return false;
    if (number_of(field, base, &value))
        return value == field->usual;
    if (field->type == FIELD_OPTIONS || field->type == FIELD_NUMBERS || field->type == FIELD_LIST)
        return count_of(field, base) == 0;
    return field->type != FIELD_PART && pointer_of(field, base) == NULL;
}

static void put_value(struct text *text, const struct field *field, const char *base)
{
    int64_t value;
    if (number_of(field, base, &value)) {
        put_number(text, field, value);
    } else if (field->type == FIELD_TEXT) {
        text_quoted(text, pointer_of(field, base));
    } else if (field->type == FIELD_COUNTS) {
        put_counts(text, pointer_of(field, base));
    } else if (field->type == FIELD_NUMBERS) {
        put_numbers(text, pointer_of(field, base), count_of(field, base));
    } else if (field->type == FIELD_OPTIONS) {
        put_options(text, pointer_of(field, base), count_of(field, base));
    } else if (field->type == FIELD_PART) {
        put_object(text, field->of, base + field->offset);
    } else {
        const char *elements = pointer_of(field, base);
        text_put(text, "[");
        for (uint32_t i = 0; i < count_of(field, base); i++) {
            text_put(text, i > 0 ? ", " : "");
            put_object(text, field->of, elements + i * field->of->size);
        }
        text_put(text, "]");
    }
}

/* A part with only defaults is omitted like any other member. */
static void put_fields(struct text *text, const struct field_table *table, const char *base)
{
    for (const struct field *field = table->fields; field->key != NULL; field++) {
        size_t before = text->length;
        if (is_usual(field, base))
            continue;
        if (text->length > 0 && text->bytes[text->length - 1] != '{')
            text_put(text, ", ");
        text_put(text, "\"");
        text_put(text, field->key);
        text_put(text, "\": ");
        put_value(text, field, base);
        if (field->type == FIELD_PART && !text->failed && text->bytes[text->length - 2] == '{')
            text->length = before;
    }
}

/* ---- lines ---- */

void fact_write_time(struct text *text, policy_time at)
{
    text_put(text, "{\"t_ms\": ");
    put_i64(text, at);
}

void fact_write_rest(struct text *text, const struct fact *fact)
{
    const struct fact_row *row = &fact_kinds[fact->kind];
    text_put(text, ", \"fact\": \"");
    text_put(text, row->name);
    text_put(text, "\"");
    put_fields(text, row->own, (const char *)fact);
    if (row->spec != NULL)
        put_fields(text, row->spec, fact->spec);
}

void fact_write(struct text *text, const struct fact *fact)
{
    fact_write_time(text, fact->at);
    fact_write_rest(text, fact);
}

void fact_write_decision(struct text *text, const struct fact_decision *decision)
{
    fact_write_time(text, decision->at);
    put_fields(text, &fact_decision_table, (const char *)decision);
}
