/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The header and the first rows of a table, to see what its columns are. */
#ifndef TRACES_GLIMPSE_H
#define TRACES_GLIMPSE_H

#include <stdbool.h>
#include <stddef.h>

#define GLIMPSE_ROWS    64
#define GLIMPSE_COLUMNS 512 /* further columns of a wider table are ignored */

struct glimpse {
    char **fields; /* row by row, `columns` each; the header first */
    size_t columns, rows, capacity;
};

/*
 * Reads the head of a file. Skips rows whose number of fields differs from the header's, and a last
 * row without a line end, which may be cut, unless it is the only one. Returns false if this is no
 * table with at least two columns. Call glimpse_fini() in any case.
 */
bool glimpse_take(struct glimpse *, const char *head, size_t n, char delimiter);

/* "" if the field is empty. Row 0 is the header. */
const char *glimpse_field(const struct glimpse *, size_t row, size_t column);

void glimpse_fini(struct glimpse *);

#endif
