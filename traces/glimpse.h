/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The header and the first rows of a table, to see what its columns are. */
#ifndef TRACES_GLIMPSE_H
#define TRACES_GLIMPSE_H

#include <stdbool.h>
#include <stddef.h>

#define GLIMPSE_ROWS    64
#define GLIMPSE_COLUMNS 512 /* of a wider table no more are seen */

struct glimpse {
    char **fields; /* row by row, `columns` in each; the header first */
    size_t columns, rows, capacity;
};

/*
 * Of a file that begins with `head`. Rows with another number of fields than the header are left
 * out, and so is the last one, which the head may cut. False: it is no table with at least two
 * columns. glimpse_fini() in any case.
 */
bool glimpse_take(struct glimpse *, const char *head, size_t n, char delimiter);

/* "" where a row has nothing. Row 0 is the header. */
const char *glimpse_field(const struct glimpse *, size_t row, size_t column);

void glimpse_fini(struct glimpse *);

#endif
