/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The walk over a tree and its rows, and a table of types: what each checks and how it is
 * described. */
#include "scenarios/schema/check.h"

#include "sim/base/out.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DURATION_MAX_S 1e12
#define EXPECT_MAX     512
#define NAMES_MAX      24

bool check_where_file(const void *of, const char *path, char where[CHECK_WHERE_MAX])
{
    const struct json_source *source = of;
    (void)snprintf(where, CHECK_WHERE_MAX, "%.300s:%zu", source->name,
                   json_source_line(source, path));
    return true;
}

bool check_fail(struct check *check, const char *format, ...)
{
    char where[CHECK_WHERE_MAX];
    bool follows = check->where(check->of, check->path, where) && *check->path;
    va_list arguments;
    va_start(arguments, format);
    char message[sizeof check->err->msg];
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return err_set(check->err, EXIT_INPUT, "%s: %s%s%s", where, follows ? check->path : "",
                   follows ? ": " : "", message);
}

/* ---- what a row expects, in words */

static const char *number_text(double value, char buffer[32])
{
    (void)snprintf(buffer, 32, "%.16g", value);
    return buffer;
}

static void expect_number(const struct schema_row *row, char *text)
{
    char min[32], max[32];
    bool integer = row->type == SCHEMA_INTEGER;
    if (row->min == row->max)
        (void)snprintf(text, EXPECT_MAX, "%s", number_text(row->min, min));
    else
        (void)snprintf(text, EXPECT_MAX, "%s from %s to %s%s", integer ? "an integer" : "a number",
                       number_text(row->min, min), number_text(row->max, max),
                       row->type == SCHEMA_AMOUNT ? " or -1" : "");
}

static void expect_choice(const struct schema_row *row, char *text)
{
    (void)snprintf(text, EXPECT_MAX, "one of %s", row->choices);
    if (!strchr(row->choices, '|'))
        (void)snprintf(text, EXPECT_MAX, "\"%s\"", row->choices);
}

static void expect_text(const struct schema_row *row, char *text)
{
    (void)snprintf(text, EXPECT_MAX, "%stext", row->min > 0 ? "non-empty " : "");
}

static void expect_list(const struct schema_row *row, char *text)
{
    char max[32];
    (void)snprintf(text, EXPECT_MAX, "a list of %s%s elements", row->min > 0 ? "1 to " : "at most ",
                   number_text(row->max, max));
}

static void expect_words(const struct schema_row *row, char *text)
{
    static const char *const words[] = {
        [SCHEMA_PATH] = "a file name",
        [SCHEMA_SEED] =
            "an integer from 0 to 9007199254740991 (larger ones, up to 2^64-1, as text)",
        [SCHEMA_BOOLEAN] = "true or false",
        [SCHEMA_DURATION] =
            "a duration: seconds, or text such as \"90s\", \"15m\", \"2h\", \"14d\"",
        [SCHEMA_OPTION] = "text, a number, true or false",
        [SCHEMA_OBJECT] = "an object",
    };
    int n = snprintf(text, EXPECT_MAX, "%s", words[row->type]);
    if (row->choices) /* instead of a duration */
        (void)snprintf(text + n, EXPECT_MAX - (size_t)n, ", or one of %s", row->choices);
}

/* ---- one check a type; each returns true when the value is as it should be */

static bool fits_text(const struct schema_row *row, const cJSON *value)
{
    return (double)strlen(value->valuestring) >= row->min;
}

static bool fits_path(const struct schema_row *row, const cJSON *value)
{
    (void)row;
    return *value->valuestring != '\0';
}

static bool fits_choice(const struct schema_row *row, const cJSON *value)
{
    return schema_lists(row->choices, value->valuestring);
}

static bool fits_number(const struct schema_row *row, const cJSON *value)
{
    double number = value->valuedouble;
    return isfinite(number) && number >= row->min && number <= row->max;
}

static bool fits_integer(const struct schema_row *row, const cJSON *value)
{
    return fits_number(row, value) && floor(value->valuedouble) == value->valuedouble;
}

static bool fits_amount(const struct schema_row *row, const cJSON *value)
{
    return fits_number(row, value) || value->valuedouble == -1;
}

static bool digits_u64(const char *text, uint64_t *value)
{
    uint64_t sum = 0;
    for (const char *p = text; *p; p++) {
        if (*p < '0' || *p > '9' || __builtin_mul_overflow(sum, 10, &sum) ||
            __builtin_add_overflow(sum, (uint64_t)(*p - '0'), &sum))
            return false;
    }
    *value = sum;
    return *text != '\0';
}

static bool fits_seed(const struct schema_row *row, const cJSON *value)
{
    (void)row;
    uint64_t seed;
    if (cJSON_IsString(value))
        return digits_u64(value->valuestring, &seed);
    double number = value->valuedouble;
    return number >= 0 && number <= SCHEMA_EXACT && floor(number) == number;
}

static bool fits_duration(const struct schema_row *row, const cJSON *value)
{
    int64_t ms;
    if (cJSON_IsNumber(value))
        return value->valuedouble >= 0 && value->valuedouble <= DURATION_MAX_S;
    const char *text = value->valuestring;
    if (schema_lists(row->choices, text))
        return true;
    return text_duration_ms(text, strlen(text), &ms) && ms <= (int64_t)(DURATION_MAX_S * 1000);
}

static bool fits_option(const struct schema_row *row, const cJSON *value)
{
    (void)row;
    return !cJSON_IsNumber(value) || fabs(value->valuedouble) <= SCHEMA_EXACT;
}

static bool fits_list(const struct schema_row *row, const cJSON *value)
{
    double count = cJSON_GetArraySize(value);
    return count >= row->min && count <= row->max;
}

static bool fits_always(const struct schema_row *row, const cJSON *value)
{
    (void)row;
    (void)value;
    return true;
}

static const struct type_row {
    bool (*fits)(const struct schema_row *, const cJSON *);
    void (*expect)(const struct schema_row *, char *);
} types[] = {
    [SCHEMA_TEXT] = {fits_text, expect_text},
    [SCHEMA_POLICY] = {fits_text, expect_text},
    [SCHEMA_PATH] = {fits_path, expect_words},
    [SCHEMA_CHOICE] = {fits_choice, expect_choice},
    [SCHEMA_NUMBER] = {fits_number, expect_number},
    [SCHEMA_INTEGER] = {fits_integer, expect_number},
    [SCHEMA_AMOUNT] = {fits_amount, expect_number},
    [SCHEMA_SEED] = {fits_seed, expect_words},
    [SCHEMA_BOOLEAN] = {fits_always, expect_words},
    [SCHEMA_DURATION] = {fits_duration, expect_words},
    [SCHEMA_OPTION] = {fits_option, expect_words},
    [SCHEMA_OBJECT] = {fits_always, expect_words},
    [SCHEMA_LIST] = {fits_list, expect_list},
    [SCHEMA_LATER] = {fits_always, expect_words},
};

/* ---- messages */

static bool fail_expected(struct check *check, const struct schema_row *row, const cJSON *value)
{
    char all[2 * EXPECT_MAX] = "", one[EXPECT_MAX], shown[JSON_SHOWN_MAX];
    size_t used = 0;
    for (const struct schema_row *r = row; r; r = r->other) {
        types[r->type].expect(r, one);
        (void)snprintf(all + used, sizeof all - used, "%s%s", used ? " or " : "", one);
        used = strlen(all);
    }
    char hint[64 + EXPECT_MAX] = "";
    if (cJSON_IsString(value) && row->choices) {
        const char *names[NAMES_MAX];
        char copy[EXPECT_MAX];
        size_t count = 0;
        (void)snprintf(copy, sizeof copy, "%s", row->choices);
        for (char *p = copy; p && count < NAMES_MAX;) {
            names[count++] = p;
            p = strchr(p, '|');
            if (p)
                *p++ = '\0';
        }
        text_suggest(hint, sizeof hint, value->valuestring, names, count, sizeof *names);
    }
    if (cJSON_IsArray(value) && schema_pick(row, value))
        return check_fail(check, "expected %s, got %d", all, cJSON_GetArraySize(value));
    return check_fail(check, "expected %s, got %s%s", all, json_shown(value, shown), hint);
}

bool check_key(struct check *check, const struct schema_row *object, const char *key,
               const struct schema_row **row)
{
    *row = schema_member(object, key);
    if (*row)
        return true;
    char hint[256];
    size_t count = schema_rows(object->child);
    text_suggest(hint, sizeof hint, key, &object->child[0].key, count, sizeof *object->child);
    if (*hint)
        return check_fail(check, "unknown key '%.64s'%s", key, hint);
    char known[512] = "";
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(known);
        (void)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
                       object->child[i].key);
    }
    return check_fail(check, "unknown key '%.64s'; known here: %s", key, known);
}

/* ---- the walk; the depth of the tree is bounded by json_scan_clean() */

static bool check_groups(struct check *check, const struct schema_row *object, const cJSON *value)
{
    for (const struct schema_row *a = object->child; a && a->key; a++) {
        if (!a->group || !json_member(value, a->key))
            continue;
        for (const struct schema_row *b = a + 1; b->key; b++) {
            if (b->group && strcmp(a->group, b->group) == 0 && json_member(value, b->key)) {
                json_path_add(check->path, b->key);
                return check_fail(check, "give either '%s' or '%s', not both", a->key, b->key);
            }
        }
    }
    return true;
}

static bool check_required(struct check *check, const struct schema_row *object, const cJSON *value)
{
    for (const struct schema_row *row = object->child; row && row->key; row++) {
        if (row->required && !json_member(value, row->key))
            return check_fail(check, "the key '%s' is missing: %s", row->key, row->summary);
    }
    return true;
}

/* Returns true if the error was passed on and the walk continues. */
static bool passed_on(struct check *check)
{
    if (!check->each)
        return false;
    check->each(check->to, check->err);
    return true;
}

static bool check_member(struct check *check, const struct schema_row *object, const cJSON *member)
{
    const struct schema_row *row;
    return check_key(check, object, member->string, &row) &&
           (cJSON_IsNull(member) || check_value(check, row, member));
}

static bool check_object(struct check *check, const struct schema_row *object, const cJSON *value)
{
    size_t length = strlen(check->path);
    for (const cJSON *member = value->child; member; member = member->next) {
        json_path_add(check->path, member->string);
        if (!check_member(check, object, member) && !passed_on(check))
            return false;
        check->path[length] = '\0';
    }
    if (!check_groups(check, object, value) && !passed_on(check))
        return false;
    check->path[length] = '\0';
    return !check->whole || check_required(check, object, value) || passed_on(check);
}

static bool check_list(struct check *check, const struct schema_row *list, const cJSON *value)
{
    size_t length = strlen(check->path), index = 0;
    bool whole = check->whole;
    check->whole = true; // an element is never merged with another, so it has to be complete
    for (const cJSON *element = value->child; element; element = element->next, index++) {
        json_path_add_index(check->path, index);
        if (!check_value(check, schema_element(list, index), element) && !passed_on(check))
            return false;
        check->path[length] = '\0';
    }
    check->whole = whole;
    return true;
}

bool check_value(struct check *check, const struct schema_row *row, const cJSON *value)
{
    const struct schema_row *chosen = schema_pick(row, value);
    if (!chosen)
        return fail_expected(check, row, value);
    if (chosen->type == SCHEMA_LATER)
        return check_fail(check, "'%s' is not available in this version", row->key);
    const char *scalar = cJSON_IsString(value) ? value->valuestring
                         : cJSON_IsTrue(value) ? "true"
                                               : NULL;
    if (scalar && chosen->later && schema_lists(chosen->later, scalar))
        return check_fail(check, "'%s' is not available in this version", scalar);
    if (!types[chosen->type].fits(chosen, value))
        return fail_expected(check, row, value);
    if (!chosen->child && !chosen->open)
        return true; // Members and elements of any kind.
    if (chosen->type == SCHEMA_OBJECT)
        return check_object(check, chosen, value);
    return chosen->type != SCHEMA_LIST || check_list(check, chosen, value);
}

/* ---- values */

int64_t check_duration_ms(const cJSON *value)
{
    if (cJSON_IsNumber(value))
        return (int64_t)llround(value->valuedouble * 1000);
    int64_t ms = 0;
    BUG_ON(!text_duration_ms(value->valuestring, strlen(value->valuestring), &ms));
    return ms;
}

uint64_t check_seed(const cJSON *value)
{
    uint64_t seed = 0;
    if (cJSON_IsString(value))
        BUG_ON(!digits_u64(value->valuestring, &seed));
    else
        seed = (uint64_t)value->valuedouble;
    return seed;
}
