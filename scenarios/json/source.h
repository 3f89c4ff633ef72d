/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A loaded JSON text: its bytes, the tree that cJSON made of them, and the name under which
 * messages speak of it. Comments and trailing commas are allowed (relax.h). Loading refuses what
 * would be read wrongly later: syntax errors (with line and column), duplicate keys, deep nesting,
 * NUL bytes, bytes that are not UTF-8, files that are too large. Whoever looks up keys uses the
 * case-sensitive calls of cJSON only.
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

#define JSON_SOURCE_MAX ((size_t)8 << 20) /* bytes, unless the caller has larger files */
#define JSON_PATH_MAX   512               /* bytes of a path as text */

struct json_source {
    char *name; /* of the file, as in messages */
    char *text;
    size_t n;
    cJSON *root;
};

bool json_source_open(struct json_source *, const char *path, struct err *err);
bool json_source_open_max(struct json_source *, const char *path, size_t most, struct err *err);
bool json_source_parse(struct json_source *, const char *name, const char *text, size_t n,
                       struct err *err);
void json_source_close(struct json_source *); /* a zeroed one is fine */

/* The line of the value at `path`, or of the nearest value around it that exists. */
size_t json_source_line(const struct json_source *, const char *path);

/*
 * The steps of a path, one after the other; false at the end. `*path` moves on. Steps are cut to
 * the buffer.
 */
#define JSON_STEP_MAX 128
bool json_path_step(const char **path, char step[JSON_STEP_MAX]);

size_t json_path_depth(const char *path); /* how many steps it has */

/* Appends a step to a path in a buffer of JSON_PATH_MAX bytes; what does not fit is cut. */
void json_path_add(char *path, const char *key);
void json_path_add_index(char *path, size_t index);

/*
 * The child of `node` for a step, or NULL; *ordinal (may be NULL) is its position among its
 * siblings. For a list it is the element with that number, or the object whose member `name` equals
 * the step.
 */
cJSON *json_child(const cJSON *node, const char *step, unsigned *ordinal);

/* The value at a path, NULL when there is none. */
cJSON *json_find(const cJSON *root, const char *path);

/* The member of an object, NULL when it is absent or null: a key with the value null counts as not
 * given. */
cJSON *json_member(const cJSON *object, const char *key);

/* A scalar as it would be written, shortened, for messages; lists and objects as "a list", "an
 * object". */
#define JSON_SHOWN_MAX 96
const char *json_shown(const cJSON *value, char buffer[JSON_SHOWN_MAX]);

#endif
