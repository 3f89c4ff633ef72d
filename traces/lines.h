/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An input as lines, for formats other than CSV. Line ends are LF or CRLF, the last line may lack
 * one, and a UTF-8 byte order mark at the beginning is skipped; exact lines are the bytes between
 * line feeds. A line above the limit is an error, so that hostile input cannot exhaust memory.
 * Errors give the line and the number of the word on it.
 */
#ifndef TRACES_LINES_H
#define TRACES_LINES_H

#include "traces/input.h"

#include <stdint.h>

struct lines;

struct lines *lines_create(struct input *); /* borrows the input; the limit is INPUT_PIECE_MAX */
struct lines *lines_create_exact(struct input *, size_t limit);

/* Returns 1 with a line (no line end, not NUL-terminated, lives until the next call), 0 at the end,
 * -1 with err set. */
int lines_next(struct lines *, const char **text, size_t *n, struct err *err);

uint64_t lines_number(const struct lines *); /* 1-based: the line last returned */
bool lines_is_torn(
    const struct lines *); /* the line last returned has no line end, so it was the last one */
void lines_destroy(struct lines *); /* NULL is fine */

#endif
