/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CSV, line by line. Most lines of a table have no quotes and no blanks around fields, so only
 * delimiters and the end need to be found; libcsv, with a state per byte, takes ten times as long
 * for them. Plain lines are therefore passed to the reader whole, and all others go through libcsv:
 * the reader gets the same fields and row ends either way.
 */
#ifndef SIM_BASE_CSV_LINES_H
#define SIM_BASE_CSV_LINES_H

#include <csv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CSV_LINES_FIELDS ((size_t)256) /* of a plain line, at most */

/* Borrows the parser. `field` and `end` are libcsv's callbacks, called with `data`. */
struct csv_lines {
    struct csv_parser *parser;
    void (*field)(void *text, size_t n, void *data);
    void (*end)(int c, void *data);

    /* A whole line without its end, where a row begins. False when it is not plain: then libcsv
     * gets it. */
    bool (*plain)(const char *line, size_t n, void *data);

    void *data;
    bool at_start; /* of a row, where libcsv keeps nothing back; true in the beginning */
};

/* Like csv_parse(): the number of bytes taken, fewer than n after an error of libcsv. */
size_t csv_lines_parse(struct csv_lines *, const char *bytes, size_t n);

/*
 * Where each field of a plain line ends, as offsets from its beginning; the next begins one byte
 * behind. `copy` gets the line with a NUL behind each field, n + 1 bytes. Returns the number of
 * fields, 0 when the line is not plain: quotes, NUL, blanks that a reader would strip, a CR within
 * it, no fields, or too many. A CR at its end is not part of the last field.
 */
size_t csv_lines_split(const char *line, size_t n, char delimiter, char *copy,
                       uint32_t ends[CSV_LINES_FIELDS]);

#endif
