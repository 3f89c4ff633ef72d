/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking at JSON text where the parsed tree cannot help: before parsing, for what cJSON would
 * swallow (NUL bytes, bytes that are no UTF-8, control characters, deep nesting); after parsing,
 * for the line on which a value stands. Positions are byte offsets into the text. Nothing here
 * allocates or keeps anything.
 */
#ifndef SCENARIOS_JSON_SCAN_H
#define SCENARIOS_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#define JSON_MAX_DEPTH 24 /* objects and lists inside one another; a scenario needs 8 */

struct json_place {
    size_t line, column; /* from 1; columns count bytes */
};

struct json_place json_place_of(const char *text, size_t n, size_t offset);

/*
 * Returns false if the text contains something that no JSON text of ours may contain; *what
 * describes it, to follow "line 3, column 7: ", and *offset is its location.
 */
bool json_scan_clean(const char *text, size_t n, size_t *offset, const char **what);

/*
 * The place of a value inside well-formed JSON: ordinals[i] is which member of the object, or which
 * element of the list, to enter at depth i, from 0. Of a member it is the place of its key. Follows
 * as many of the `depth` ordinals as lead somewhere, so an unknown place answers with what
 * surrounds it.
 */
size_t json_scan_find(const char *text, size_t n, const unsigned *ordinals, size_t depth);

/* The probable error where the parser gave up; never NULL. */
const char *json_scan_guess(const char *text, size_t n, size_t *offset);

#endif
