/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every object of the tables becomes one definition, named by the first key that has it, and other
 * occurrences refer to it. A key with the value null counts as absent, so every value may be null.
 */
#include "scenarios/schema/json_schema.h"

#include "sim/base/json.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 256 };

struct object {
    const struct schema_row *row;
    char name[LONGEST_NAME];
};

struct printer {
    struct json json;
    size_t count, room;
    struct object *objects; /* in order of discovery */
};

static const struct object *find(const struct printer *p, const struct schema_row *row)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->objects[i].row->child == row->child && p->objects[i].row->open == row->open)
            return &p->objects[i];
    return NULL;
}

static bool is_taken(const struct printer *p, const char *name)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->objects[i].name, name) == 0)
            return true;
    return false;
}

/* A key with several kinds of objects names the first; the others get a number. */
static void add(struct printer *p, const struct schema_row *row, const char *parent,
                const char *key)
{
    p->objects = mem_grow(p->objects, &p->room, p->count + 1, sizeof *p->objects);
    struct object made = {.row = row};
    (void)snprintf(made.name, sizeof made.name, "%s%s%s", parent, *parent != '\0' ? "." : "", key);
    size_t length = strlen(made.name);
    for (int n = 2; is_taken(p, made.name); n++)
        (void)snprintf(made.name + length, sizeof made.name - length, "-%d", n);
    p->objects[p->count++] = made;
}

/* Adds the objects that a value of the row, or an element of its list, may be. */
static void collect(struct printer *p, const struct schema_row *row, const char *parent,
                    const char *key)
{
    for (; row != NULL; row = row->other) {
        if (row->type == SCHEMA_LIST) {
            if (row->child != NULL)
                collect(p, row->child, parent, key);
            if (row->first != NULL)
                collect(p, row->first, parent, key);
        } else if (row->type == SCHEMA_OBJECT && find(p, row) == NULL) {
            add(p, row, parent, key);
        }
    }
}

/* ---- one value ---- */

static void print_words(struct json *json, const char *words)
{
    for (size_t n; *words != '\0'; words += n + (words[n] == '|')) {
        n = strcspn(words, "|");
        char *word = mem_text_n(words, n);
        json_text(json, NULL, word);
        free(word);
    }
}

static void print_bound(struct json *json, const char *key, double value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.17g", value);
    if (isfinite(value))
        json_value(json, key, text);
}

static void print_type(struct json *json, const char *type)
{
    json_begin_array(json, "type");
    print_words(json, type);
    json_text(json, NULL, "null");
    json_end_array(json);
}

static void print_number(struct json *json, const struct schema_row *row, const char *type)
{
    print_type(json, type);
    print_bound(json, "minimum", row->type == SCHEMA_AMOUNT && row->min > -1 ? -1 : row->min);
    print_bound(json, "maximum", row->max);
}

static void print_value(struct printer *, const struct schema_row *);

static void print_list(struct printer *p, const struct schema_row *row)
{
    print_type(&p->json, "array");
    if (row->min > 0)
        print_bound(&p->json, "minItems", row->min);
    if (row->max > 0)
        print_bound(&p->json, "maxItems", row->max);
    if (row->first != NULL) {
        json_begin_array(&p->json, "prefixItems");
        json_begin_object(&p->json, NULL);
        print_value(p, row->first);
        json_end_object(&p->json);
        json_end_array(&p->json);
    }
    if (row->child != NULL) {
        json_begin_object(&p->json, "items");
        print_value(p, row->child);
        json_end_object(&p->json);
    }
}

static void print_reference(struct printer *p, const struct schema_row *row)
{
    char text[LONGEST_NAME + 16];
    (void)snprintf(text, sizeof text, "#/$defs/%s", find(p, row)->name);
    json_begin_array(&p->json, "anyOf");
    json_begin_object(&p->json, NULL);
    json_text(&p->json, "$ref", text);
    json_end_object(&p->json);
    json_begin_object(&p->json, NULL);
    json_text(&p->json, "type", "null");
    json_end_object(&p->json);
    json_end_array(&p->json);
}

/* The members of a schema for one row, without its alternatives. */
static void print_one(struct printer *p, const struct schema_row *row)
{
    struct json *json = &p->json;
    switch (row->type) {
    case SCHEMA_TEXT:
    case SCHEMA_PATH:
    case SCHEMA_POLICY:
        print_type(json, "string");
        if (row->min > 0 || row->type != SCHEMA_TEXT)
            print_bound(json, "minLength", fmax(row->min, 1));
        break;
    case SCHEMA_CHOICE:
        json_begin_array(json, "enum");
        print_words(json, row->choices);
        json_null(json, NULL);
        json_end_array(json);
        break;
    case SCHEMA_INTEGER:
        print_number(json, row, "integer");
        break;
    case SCHEMA_NUMBER:
    case SCHEMA_AMOUNT:
        print_number(json, row, "number");
        break;
    case SCHEMA_SEED:
        print_type(json, "integer|string");
        print_bound(json, "minimum", 0);
        json_text(json, "pattern", "^[0-9]+$");
        break;
    case SCHEMA_BOOLEAN:
        print_type(json, "boolean");
        break;
    case SCHEMA_DURATION:
        print_type(json, "number|string");
        print_bound(json, "minimum", 0);
        break;
    case SCHEMA_OPTION:
        print_type(json, "string|number|boolean");
        break;
    case SCHEMA_OBJECT:
        print_reference(p, row);
        break;
    case SCHEMA_LIST:
        print_list(p, row);
        break;
    case SCHEMA_LATER:
        break;
    }
}

static void print_value(struct printer *p, const struct schema_row *row)
{
    struct json *json = &p->json;
    if (row->summary != NULL)
        json_text(json, "description", row->summary);
    if (row->fallback != NULL)
        json_value(json, "default", row->fallback);
    if (row->other == NULL) {
        print_one(p, row);
        return;
    }
    json_begin_array(json, "anyOf");
    for (; row != NULL; row = row->other) {
        json_begin_object(json, NULL);
        print_one(p, row);
        json_end_object(json);
    }
    json_end_array(json);
}

/* ---- objects ---- */

/* Prints one object, and adds those of its members. */
static void print_object(struct printer *p, size_t number)
{
    const struct schema_row *row = p->objects[number].row;
    char name[LONGEST_NAME];
    (void)snprintf(name, sizeof name, "%s", p->objects[number].name);
    const char *inside = number == 0 ? "" : name; /* keys of the root need no name before them */
    json_begin_object(&p->json, name);
    json_text(&p->json, "type", "object");
    json_begin_object(&p->json, "properties");
    for (const struct schema_row *member = row->child; member != NULL && member->key != NULL;
         member++) {
        collect(p, member, inside, member->key);
        json_begin_object(&p->json, member->key);
        print_value(p, member);
        json_end_object(&p->json);
    }
    json_end_object(&p->json);
    if (row->open != NULL) {
        collect(p, row->open, inside, "*");
        json_begin_object(&p->json, "additionalProperties");
        print_value(p, row->open);
        json_end_object(&p->json);
    } else if (row->child != NULL) {
        json_bool(&p->json, "additionalProperties", false);
    }
    json_end_object(&p->json);
}

void json_schema_print(struct out *out, const char *title, const struct schema_row *root)
{
    struct printer p = {.count = 0};
    json_init(&p.json, out, 2);
    add(&p, root, "", title);
    json_begin_object(&p.json, NULL);
    json_text(&p.json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    json_text(&p.json, "title", title);
    char text[LONGEST_NAME + 16];
    (void)snprintf(text, sizeof text, "#/$defs/%s", title);
    json_text(&p.json, "$ref", text);
    json_begin_object(&p.json, "$defs");
    for (size_t i = 0; i < p.count; i++)
        print_object(&p, i);
    json_end_object(&p.json);
    json_end_object(&p.json);
    out_char(out, '\n');
    free(p.objects);
}
