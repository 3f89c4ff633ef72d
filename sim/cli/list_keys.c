/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `fauxfleet list keys`: every key of a scenario with its type, default and meaning, from the
 * schema's tables. "[]" stands for the elements of a list, "*" for members of any name.
 */
#include "scenarios/schema/scenario.h"
#include "sim/base/json.h"
#include "sim/base/mem.h"
#include "sim/program/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_KEY = 256, LONGEST_TYPE = 1024, DEEPEST = 12, MOST_TABLES = 256 };

/* Where a walk through the tables stands. */
struct keys {
    struct out *out;
    struct json *json; /* NULL: print a table */
    char path[LONGEST_KEY];
    size_t tables;
    struct {
        const struct schema_row *child, *open;
        char path[LONGEST_KEY];
    } seen[MOST_TABLES]; /* objects whose keys were printed, and where */
};

static const char *const type_names[] = {
    [SCHEMA_TEXT] = "text",     [SCHEMA_PATH] = "file",     [SCHEMA_POLICY] = "policy",
    [SCHEMA_CHOICE] = "choice", [SCHEMA_NUMBER] = "number", [SCHEMA_INTEGER] = "integer",
    [SCHEMA_AMOUNT] = "amount", [SCHEMA_SEED] = "seed",     [SCHEMA_BOOLEAN] = "boolean",
    [SCHEMA_DURATION] = "time", [SCHEMA_OPTION] = "option", [SCHEMA_OBJECT] = "object",
    [SCHEMA_LIST] = "list",     [SCHEMA_LATER] = "later",
};

static bool has_range(const struct schema_row *row)
{
    return row->type == SCHEMA_NUMBER || row->type == SCHEMA_INTEGER || row->type == SCHEMA_AMOUNT;
}

/* Returns where the keys of such an object were printed, or NULL. */
static const char *printed_at(const struct keys *keys, const struct schema_row *row)
{
    for (size_t i = 0; i < keys->tables; i++)
        if (keys->seen[i].child == row->child && keys->seen[i].open == row->open)
            return keys->seen[i].path;
    return NULL;
}

/* The values that the row and its alternatives take, as words. */
static void describe(const struct keys *keys, const struct schema_row *row, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (; row != NULL && used < size; row = row->other) {
        const char *sep = used > 0 ? " or " : "";
        if (row->type == SCHEMA_CHOICE)
            used += (size_t)snprintf(text + used, size - used, "%s%s", sep, row->choices);
        else if (has_range(row))
            used += (size_t)snprintf(text + used, size - used, "%s%s %.15g..%.15g%s", sep,
                                     type_names[row->type], row->min, row->max,
                                     row->type == SCHEMA_AMOUNT ? ", or -1" : "");
        else if (row->type == SCHEMA_OBJECT && printed_at(keys, row) != NULL)
            used += (size_t)snprintf(text + used, size - used, "%sobject as %s", sep,
                                     printed_at(keys, row));
        else
            used += (size_t)snprintf(text + used, size - used, "%s%s%s%s", sep,
                                     type_names[row->type], row->choices != NULL ? " or " : "",
                                     row->choices != NULL ? row->choices : "");
    }
}

static void print_key(struct keys *keys, const struct schema_row *row)
{
    char type[LONGEST_TYPE];
    describe(keys, row, type, sizeof type);
    const char *fallback = row->required ? "required" : row->fallback;
    const char *summary = row->summary != NULL ? row->summary : "";
    if (keys->json == NULL) {
        out_format(keys->out, "%s  (%s%s%s)  %s\n", keys->path, type, fallback != NULL ? "; " : "",
                   fallback != NULL ? fallback : "", summary);
        return;
    }
    json_begin_object(keys->json, NULL);
    json_text(keys->json, "name", keys->path);
    json_text(keys->json, "type", type);
    json_bool(keys->json, "required", row->required);
    json_text(keys->json, "default", row->fallback);
    json_text(keys->json, "description", summary);
    json_end_object(keys->json);
}

/* Writes `tail` after the first `length` bytes of the path; returns the total length. */
static size_t extend(struct keys *keys, size_t length, const char *tail)
{
    int added = snprintf(keys->path + length, sizeof keys->path - length, "%s", tail);
    return length + (size_t)added < sizeof keys->path ? length + (size_t)added : length;
}

static void below(struct keys *, const struct schema_row *, size_t length, int depth);

static void print_member(struct keys *keys, const struct schema_row *row, size_t length, int depth)
{
    size_t end = length > 0 ? extend(keys, length, ".") : 0;
    end = extend(keys, end, row->key != NULL ? row->key : "*");
    print_key(keys, row);
    below(keys, row, end, depth + 1);
}

/* The keys inside the values of a row, and of its alternatives. */
static void below(struct keys *keys, const struct schema_row *row, size_t length, int depth)
{
    for (; row != NULL && depth < DEEPEST; row = row->other) {
        if (row->type == SCHEMA_LIST && row->child != NULL)
            below(keys, row->child, extend(keys, length, "[]"), depth + 1);
        if (row->type != SCHEMA_OBJECT || printed_at(keys, row) != NULL ||
            keys->tables == MOST_TABLES)
            continue;
        keys->seen[keys->tables].child = row->child;
        keys->seen[keys->tables].open = row->open;
        (void)snprintf(keys->seen[keys->tables++].path, LONGEST_KEY, "%s", keys->path);
        for (const struct schema_row *member = row->child; member != NULL && member->key != NULL;
             member++)
            print_member(keys, member, length, depth);
        if (row->open != NULL)
            print_member(keys, row->open, length, depth);
        keys->path[length] = '\0';
    }
}

int cmd_list_keys(struct cli *cli)
{
    struct json json;
    struct keys *keys = mem_alloc(1, sizeof *keys);
    keys->out = cli->out;
    if (cli_given(cli, OPT_JSON)) {
        json_init(&json, cli->out, 2);
        json_begin_array(&json, NULL);
        keys->json = &json;
    }
    below(keys, &schema_scenario, 0, 0);
    if (keys->json != NULL) {
        json_end_array(&json);
        out_char(cli->out, '\n');
    }
    free(keys);
    return EXIT_OK;
}
