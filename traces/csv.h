/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CSV files (RFC 4180, a header row, columns in any order), read through libcsv. A table gives the
 * meaning of the columns: one row per column, with the function that converts the field's text to a
 * value of the record:
 *
 *     static const struct csv_column columns[] = {
 *         {"name",      CSV_NEEDED, field_text, offsetof(struct pool, name),  0, 0  },
 *         {"nodes",     CSV_NEEDED, field_i64,  offsetof(struct pool, nodes), 1, 1e6},
 *         {"comment",   0,          NULL,       0,                            0, 0  }, // not used
 *     };
 *
 * libcsv pushes fields; callers pull chunks: csv_more() parses one chunk of input and calls the
 * table's `row` for every row that ends in it. Fields are converted as they are parsed, so rows
 * need no allocation. Line ends are LF, CRLF or CR, blank lines are skipped, a byte order mark and
 * a missing last line end are accepted. A table may have another delimiter, no quotes, and a
 * default header for files without one.
 *
 * Errors: wrong quoting, rows with too few or too many fields, rows above INPUT_PIECE_MAX, unknown
 * or repeated columns. All messages begin "FILE:LINE:COLUMN: ". The column is the 1-based number of
 * the field: the first missing or excess one if a row has the wrong number, the one reached if
 * compressed data is corrupt.
 */
#ifndef TRACES_CSV_H
#define TRACES_CSV_H

#include "traces/input.h"

#include <stdbool.h>
#include <stdint.h>

#define CSV_COLUMN_LIMIT ((size_t)4096)

/* Bits of `need`. At least one column of each group must be in the header. */
#define CSV_NEEDED        1u /* must be in the header, without empty fields */
#define CSV_NONE          2u /* "None", "nan", "NULL" and the like mean an empty field */
#define CSV_ANY_OF(group) ((unsigned)(group) << 8) /* group 1, 2, ... */

struct csv_column;

/* Stores the value in the record and returns NULL, or returns what it expected ("a whole number").
 * n is not 0. */
typedef const char *csv_setter(void *context, const struct csv_column *, const char *text,
                               size_t n);

struct csv_column {
    const char *name;
    unsigned need;
    csv_setter *set;   /* NULL: the column is known but not used */
    size_t offset;     /* offset of the value in the record */
    int64_t low, high; /* allowed range; both 0: any */
};

struct csv_table {
    const struct csv_column *columns;
    size_t count;
    char delimiter;     /* NUL: a comma */
    bool unquoted;      /* quotes are ordinary characters */
    const char *header; /* for files without a header: names, delimiters, "\n"; NULL: the first row
                         * is the header */
    void (*begin)(void *context); /* before the first field of a row; may be NULL */

    /*
     * Called after the last field. On failure it sets err without the place, which the reader adds,
     * and may set *at_fault to the name of the column in question; "a|b" means the first of several
     * that the header has, NULL the first column.
     */
    bool (*row)(void *context, uint64_t line, const char **at_fault, struct err *err);

    /*
     * Receives the error of a data row: a wrong number of fields, a bad value, or a failure of
     * row(). Returns true to skip the row and continue. NULL: the first error ends the reading.
     * Errors of the header, of quoting and of the input always do.
     */
    bool (*reject)(void *context, const struct err *err);

    /*
     * For files whose column names differ from the table's. rename() returns the table's name for a
     * column of the header, NULL if the column is not used; label() returns the header's name, for
     * messages. Both NULL: the names are the same.
     */
    const char *(*rename)(void *context, const char *name, size_t n);
    const char *(*label)(void *context, const char *column);

    /* Called once for a column that the table does not have; NULL: such a column is an error. */
    void (*unknown)(void *context, const char *name, size_t n);
};

struct csv_reader;

/* Reads the header. Borrows the input and the table and passes `context` to the table's functions.
 * NULL with err set on failure. */
struct csv_reader *csv_open(struct input *, const struct csv_table *, void *context,
                            struct err *err);

/* Parses the next chunk. Returns 1 if there is more, 0 at the end (the call may have delivered
 * rows), -1 with err set. */
int csv_more(struct csv_reader *, struct err *err);

/* The 1-based number of a column in the file, 0 when the header does not have it. */
size_t csv_column_number(const struct csv_reader *, const char *column);

uint64_t csv_line(const struct csv_reader *); /* 1-based: the line reached */
void csv_close(struct csv_reader *);          /* NULL is fine */

/*
 * Returns true if a header line has everything that the table needs. *known: how many of its *total
 * columns the table knows.
 */
bool csv_header_fits(const struct csv_table *, const char *line, size_t n, size_t *known,
                     size_t *total);

#endif
