/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scans JSON text for what the parsed tree cannot tell: before parsing, for what cJSON would accept
 * silently (NUL bytes, invalid UTF-8, control characters, deep nesting); after parsing, for the
 * line of a value. Positions are byte offsets into the text. Nothing here allocates memory or keeps
 * state.
 */
#ifndef SCENARIOS_JSON_SCAN_H
#define SCENARIOS_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#define JSON_MAX_DEPTH 24 /* nesting of objects and lists; a scenario needs 8 */

struct json_place {
    size_t line, column; /* from 1; columns count bytes */
};

struct json_place json_place_of(const char *text, size_t n, size_t offset);

/*
 * Returns false if the text contains anything that our JSON texts must not contain; *what describes
 * it, to follow "line 3, column 7: ", and *offset is its location.
 */
bool json_scan_clean(const char *text, size_t n, size_t *offset, const char **what);

/*
 * Returns the location of a value in well-formed JSON: ordinals[i] is the member or element, from
 * 0, to enter at depth i. For a member it is the location of its key. Follows the `depth` ordinals
 * as far as possible, so an unknown place gives its surroundings.
 */
size_t json_scan_find(const char *text, size_t n, const unsigned *ordinals, size_t depth);

/* Returns the probable error where the parser gave up; never NULL. */
const char *json_scan_guess(const char *text, size_t n, size_t *offset);

#endif
