/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects of a JSON array. A small automaton finds where each object ends (braces and brackets
 * outside strings); cJSON parses one object at a time.
 */
#include "traces/objects.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

enum place {
    BEFORE,  /* before the array */
    FIRST,   /* in the array, before its first object or its end */
    BETWEEN, /* after an object */
    NEXT,    /* after a comma */
    INSIDE,  /* an object */
    AFTER,   /* after the array */
};

struct objects {
    struct input *input;
    const char *at, *end; /* the unread part of the chunk */
    enum place place;
    bool started, in_string, escaped;
    bool in_list;   /* the array is in an object */
    size_t matched; /* bytes of its key matched so far */
    int64_t depth;
    uint64_t line, object_line;
    char *text; /* the current object so far */
    size_t length, capacity;
};

struct objects *objects_create(struct input *input)
{
    struct objects *objects = mem_alloc(1, sizeof *objects);
    objects->input = input;
    objects->line = objects->object_line = 1;
    return objects;
}

static int fail(const struct objects *objects, struct err *err, const char *what)
{
    err_set(err, EXIT_INPUT, "%s:%llu:1: %s", input_name(objects->input),
            (unsigned long long)objects->line, what);
    return -1;
}

/* Reads one more chunk. Returns 1, 0 at the end, -1 with err set. */
static int fetch(struct objects *objects, struct err *err)
{
    const char *bytes;
    size_t n;
    int got = input_read(objects->input, &bytes, &n, err);
    if (got < 0)
        err_prefix(err, "%s:%llu:1", input_name(objects->input), (unsigned long long)objects->line);
    if (got <= 0)
        return got;
    objects->at = bytes;
    objects->end = bytes + n;
    if (!objects->started && n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        objects->at += 3;
    objects->started = true;
    return 1;
}

/* Searches an object for the key of the array, ignoring blanks. Returns NULL: any byte may come
 * before it. */
static const char *find_items(struct objects *objects, char c)
{
    static const char key[] = "\"items\":[";
    objects->in_list = true;
    objects->matched = c == key[objects->matched] ? objects->matched + 1 : c == key[0];
    if (key[objects->matched] == '\0')
        objects->place = FIRST;
    return NULL;
}

/* Takes a byte outside objects. Returns NULL, or what was expected instead. An opening brace begins
 * an object. */
static const char *outside(struct objects *objects, char c)
{
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
        return NULL;
    if (objects->place == BEFORE && (objects->in_list || c == '{'))
        return find_items(objects, c);
    if (objects->place == BEFORE) {
        objects->place = FIRST;
        return c == '[' ? NULL : "expected '[', the beginning of a JSON array";
    }
    if (objects->place == AFTER && objects->in_list)
        return NULL;
    if (objects->place == AFTER)
        return "expected nothing after the end of the JSON array";
    if (objects->place == BETWEEN) {
        objects->place = c == ']' ? AFTER : NEXT;
        return c == ']' || c == ',' ? NULL : "expected ',' or ']' after an object";
    }
    if (c == ']' && objects->place == FIRST) {
        objects->place = AFTER;
        return NULL;
    }
    if (c != '{')
        return "expected '{', the beginning of an object";
    objects->place = INSIDE;
    objects->object_line = objects->line;
    objects->depth = 0;
    objects->length = 0;
    return NULL;
}

/* Takes a byte of an object; returns true if it is the last. */
static bool inside(struct objects *objects, char c)
{
    if (objects->in_string) {
        objects->in_string = objects->escaped || c != '"';
        objects->escaped = !objects->escaped && c == '\\';
        return false;
    }
    objects->in_string = c == '"';
    objects->depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    return objects->depth == 0;
}

static bool keep(struct objects *objects, const char *from, size_t n)
{
    if (objects->length + n > INPUT_PIECE_MAX)
        return false;
    objects->text = mem_grow(objects->text, &objects->capacity, objects->length + n, 1);
    memcpy(objects->text + objects->length, from, n);
    objects->length += n;
    return true;
}

/* Takes bytes of the current object. Returns 1 if it is complete, 0 if it needs more, -1 with err
 * set. */
static int gather(struct objects *objects, struct err *err)
{
    const char *from = objects->at;
    bool complete = false;
    while (objects->at < objects->end && !complete) {
        objects->line += *objects->at == '\n';
        complete = inside(objects, *objects->at++);
    }
    if (!keep(objects, from, (size_t)(objects->at - from)))
        return fail(objects, err, "an object of more than 16 MiB");
    return complete;
}

static int parse(struct objects *objects, cJSON **object, struct err *err)
{
    objects->place = BETWEEN;
    *object = cJSON_ParseWithLength(objects->text, objects->length);
    if (*object)
        return 1;
    err_set(err, EXIT_INPUT, "%s:%llu:1: the object that begins here is not valid JSON",
            input_name(objects->input), (unsigned long long)objects->object_line);
    return -1;
}

int objects_next(struct objects *objects, cJSON **object, struct err *err)
{
    for (;;) {
        if (objects->at == objects->end) {
            int got = fetch(objects, err);
            if (got == 0 && objects->place != AFTER)
                return fail(objects, err,
                            objects->place == BEFORE
                                ? "expected '[', the beginning of a JSON array, or a list of "
                                  "\"items\""
                                : "the file ends within the JSON array");
            if (got <= 0)
                return got;
        }
        if (objects->place != INSIDE) {
            const char *expected = outside(objects, *objects->at);
            if (expected)
                return fail(objects, err, expected);
            if (objects->place != INSIDE) {
                objects->line += *objects->at++ == '\n';
                continue;
            }
        }
        int got = gather(objects, err);
        if (got != 0)
            return got < 0 ? got : parse(objects, object, err);
    }
}

uint64_t objects_line(const struct objects *objects)
{
    return objects->object_line;
}

void objects_destroy(struct objects *objects)
{
    if (!objects)
        return;
    free(objects->text);
    free(objects);
}
