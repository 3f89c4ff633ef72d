/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A loaded JSON text: its bytes, the tree that cJSON made of them, and its name in messages.
 * Comments and trailing commas are allowed (relax.h). Loading refuses syntax errors (with line and
 * column), duplicate keys, deep nesting, NUL bytes, invalid UTF-8 and files that are too large.
 * Look up keys only with the case-sensitive calls of cJSON.
 *
 * A path such as `queues[3].gpu.quota` or `queues.3.gpu.quota` names a value of a tree. Steps are
 * separated by dots or brackets; a number enters a list.
 *
 * A source owns its text and tree; json_source_close() releases both.
 */
#ifndef SCENARIOS_JSON_SOURCE_H
#define SCENARIOS_JSON_SOURCE_H

#include "scenarios/json/scan.h"
#include "sim/base/err.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#define JSON_SOURCE_MAX ((size_t)8 << 20) /* bytes; callers may allow larger files */
#define JSON_PATH_MAX   512               /* bytes of a path as text */

struct json_source {
    char *name; /* file name, as in messages */
    char *text;
    size_t n;
    cJSON *root;
};

bool json_source_open(struct json_source *, const char *path, struct err *err);
bool json_source_open_max(struct json_source *, const char *path, size_t most, struct err *err);
bool json_source_parse(struct json_source *, const char *name, const char *text, size_t n,
                       struct err *err);
void json_source_close(struct json_source *); /* may be zeroed */

/* Returns the line of the value at `path`, or of the nearest existing value around it. */
size_t json_source_line(const struct json_source *, const char *path);

/*
 * Reads the next step of a path and advances `*path`; returns false at the end. Steps are cut to
 * the buffer.
 */
#define JSON_STEP_MAX 128
bool json_path_step(const char **path, char step[JSON_STEP_MAX]);

size_t json_path_depth(const char *path); /* number of its steps */

/*
 * Appends a step to a path in a buffer of JSON_PATH_MAX bytes; the rest is cut if it does not fit.
 */
void json_path_add(char *path, const char *key);
void json_path_add_index(char *path, size_t index);

/*
 * Returns the child of `node` for a step, or NULL; *ordinal (may be NULL) is its position among its
 * siblings. In a list it is the element with that number, or the object whose member `name` equals
 * the step.
 */
cJSON *json_child(const cJSON *node, const char *step, unsigned *ordinal);

/* Returns the value at a path; NULL if there is none. */
cJSON *json_find(const cJSON *root, const char *path);

/* Returns the member of an object; NULL if it is absent or null: null counts as not given. */
cJSON *json_member(const cJSON *object, const char *key);

/*
 * Returns a scalar as written, shortened, for messages; lists and objects as "a list", "an object".
 */
#define JSON_SHOWN_MAX 96
const char *json_shown(const cJSON *value, char buffer[JSON_SHOWN_MAX]);

#endif
