/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CSV files (RFC 4180, a header row, columns in any order) read through libcsv. A reader is told
 * what the columns mean by a table: one row a column, with the function that turns the field's text
 * into a value of the record:
 *
 *     static const struct csv_column columns[] = {
 *         {"name",      CSV_NEEDED, field_text, offsetof(struct pool, name),  0, 0  },
 *         {"nodes",     CSV_NEEDED, field_i64,  offsetof(struct pool, nodes), 1, 1e6},
 *         {"comment",   0,          NULL,       0,                            0, 0  },    known,
 *                       not used
 *     };
 *
 * libcsv pushes fields; csv_more() turns that into a pull of whole chunks: it parses one chunk of
 * input, and the table's `row` is called once for every row that ends in it. Fields are converted
 * as they come, so nothing is allocated for a row. Line ends are LF, CRLF or CR, blank lines are
 * skipped, a byte order mark and a missing last line end are fine. A table may say that fields are
 * divided by another character, that quotes mean nothing, and which header a file has that comes
 * without one. Wrong quoting, rows with too few or too many fields, rows above INPUT_PIECE_MAX,
 * unknown or doubled columns are errors. All errors begin "FILE:LINE:COLUMN: ", the column being
 * the 1-based number of the field: of the first one that is missing or too many when their number
 * is wrong, of the one reached when compressed data is broken.
 */
#ifndef TRACES_CSV_H
#define TRACES_CSV_H

#include "traces/input.h"

#include <stdbool.h>
#include <stdint.h>

#define CSV_COLUMN_LIMIT ((size_t)4096)

/* What a column must be, in `need`. Of the columns in one group at least one must be in the header.
 */
#define CSV_NEEDED        1u /* in the header, and no field empty */
#define CSV_NONE          2u /* "None", "nan", "NULL" and the like mean empty */
#define CSV_ANY_OF(group) ((unsigned)(group) << 8) /* group 1, 2, ... */

struct csv_column;

/* Stores the value in the record and returns NULL, or returns what was expected ("a whole number").
 * n is not 0. */
typedef const char *csv_setter(void *context, const struct csv_column *, const char *text,
                               size_t n);

struct csv_column {
    const char *name;
    unsigned need;
    csv_setter *set;   /* NULL: the column is known and not used */
    size_t offset;     /* for the setter: where in the record */
    int64_t low, high; /* for the setter: allowed range; both 0: none */
};

struct csv_table {
    const struct csv_column *columns;
    size_t count;
    char delimiter;     /* between fields; NUL: a comma */
    bool unquoted;      /* quotes are characters like others */
    const char *header; /* for files that may lack one: names, delimiters, "\n"; NULL: the first row
                           is the header */
    void (*begin)(void *context); /* before the first field of a row; may be NULL */

    /*
     * After the last field. On failure it sets err without the place, which is put before the
     * message, and *at_fault to the name of the column that is meant, or to several, "a|b", of
     * which the first in the header is; NULL: the first of the file.
     */
    bool (*row)(void *context, uint64_t line, const char **at_fault, struct err *err);

    /*
     * Takes the error of a data row: its number of fields, a value, or what row() refused. True:
     * the row is skipped and reading goes on. NULL: every error ends it, as errors of the header,
     * of quoting and of the input always do.
     */
    bool (*reject)(void *context, const struct err *err);

    /*
     * For files whose columns have other names than the table's: the table's name of a column of
     * the header, NULL if it is not used; and the header's name, for messages. Both NULL: the names
     * are the same.
     */
    const char *(*rename)(void *context, const char *name, size_t n);
    const char *(*label)(void *context, const char *column);

    /* Called once for a column that the table does not have; NULL: such a column is an error. */
    void (*unknown)(void *context, const char *name, size_t n);
};

struct csv_reader;

/* Reads the header. Borrows the input and the table; `context` is handed to the functions of the
 * table. */
struct csv_reader *csv_open(struct input *, const struct csv_table *, void *context,
                            struct err *err);

/* Parses the next chunk: 1 there is more, 0 the end (rows may have come before it), -1 with err
 * set. */
int csv_more(struct csv_reader *, struct err *err);

/* The 1-based number of a column in the file, 0 when the header does not have it. */
size_t csv_column_number(const struct csv_reader *, const char *column);

uint64_t csv_line(const struct csv_reader *); /* 1-based: the line that was reached */
void csv_close(struct csv_reader *);          /* NULL is fine */

/*
 * How well a header line fits a table: the number of its columns that the table knows, in *known,
 * of *total. True when everything needed is there.
 */
bool csv_header_fits(const struct csv_table *, const char *line, size_t n, size_t *known,
                     size_t *total);

#endif
