/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing JSON as a stream: int64 without loss, doubles with a fixed number of digits, keys in the
 * order of the calls, so equal data gives equal bytes. (Reading JSON is cJSON's.) Commas and
 * nesting are kept by the writer:
 *
 *     json_begin_object(&j, NULL);
 *     json_i64(&j, "jobs", 3);
 *     json_begin_array(&j, "sizes"); json_i64(&j, NULL, 8); json_end_array(&j);
 *     json_end_object(&j);
 *
 * `key` is NULL inside arrays and for the outermost value.
 */
#ifndef SIM_BASE_JSON_H
#define SIM_BASE_JSON_H

#include "sim/base/out.h"

#include <stdbool.h>
#include <stdint.h>

#define JSON_DEPTH 32

struct json {
    struct out *out;
    int indent; /* spaces a level; 0: everything on one line */
    int depth;
    bool filled[JSON_DEPTH];
};

void json_init(struct json *, struct out *, int indent);
/* A text as a JSON string with quotes, for lines that are composed by hand because there are so
 * many. */
void json_quoted(struct out *, const char *text);

/*
 * The same at `to`, where there is room for JSON_PLAIN_MOST bytes, for texts that are short and
 * need no escapes, as nearly all names are: returns the place behind, NULL for others.
 */
#define JSON_PLAIN_MOST 130
char *json_plain(char *to, const char *text);

void json_begin_object(struct json *, const char *key);
void json_end_object(struct json *);
void json_begin_array(struct json *, const char *key);
void json_end_array(struct json *);
void json_text(struct json *, const char *key, const char *text); /* NULL prints null */
void json_i64(struct json *, const char *key, int64_t value);
void json_u64(struct json *, const char *key, uint64_t value);
void json_bool(struct json *, const char *key, bool value);
void json_null(struct json *, const char *key);
void json_value(struct json *, const char *key, const char *value); /* JSON text, as it is */

/* A double rounded to `digits` decimals; nan prints null. */
void json_f64(struct json *, const char *key, double value, int digits);

/* Milliseconds as seconds, exact to the millisecond. */
void json_seconds(struct json *, const char *key, int64_t ms);

#endif
