/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams the CSV files of a run directory. Simple lines are split in place; libcsv parses the
 * others, and its fields are collected into one row at a time, in one buffer that is reused for the
 * next row.
 */
#include "report/results/rundir.h"
#include "sim/base/csv_lines.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <csv.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW_BYTES_LIMIT  ((size_t)16 << 20)
#define ROW_FIELDS_LIMIT ((size_t)1 << 20)
#define CHUNK_BYTES      ((size_t)64 * 1024)

/*
 * `start` holds offsets while the row grows, since the buffer may move; `field` holds the pointers
 * once it is complete.
 */
struct parser {
    const struct rundir_reader *reader;
    void *ctx;
    struct err *err;
    const char *path;
    char *bytes;
    size_t *start;
    const char **field;
    size_t bytes_used, bytes_capacity, count, start_capacity, field_capacity;
    size_t columns; /* of the header; 0 before it */
    uint64_t number;
    bool failed;
    int unread; /* errno of a failed read */
};

static void refuse(struct parser *parser, const char *what)
{
    err_set(parser->err, EXIT_INPUT, "%s: row %llu: %s", parser->path,
            (unsigned long long)parser->number + 1, what);
    parser->failed = true;
}

static void on_field(void *text, size_t n, void *data)
{
    struct parser *parser = data;
    if (parser->failed)
        return;
    if (parser->bytes_used + n + 1 > ROW_BYTES_LIMIT || parser->count >= ROW_FIELDS_LIMIT) {
        refuse(parser, "row too long");
        return;
    }
    parser->bytes = mem_grow(parser->bytes, &parser->bytes_capacity, parser->bytes_used + n + 1, 1);
    parser->start =
        mem_grow(parser->start, &parser->start_capacity, parser->count + 1, sizeof *parser->start);
    char *to = parser->bytes + parser->bytes_used;
    for (size_t i = 0; i < n; i++) {
        char c = ((const char *)text)[i];
        to[i] = (char)(c ? c : '?');
    }
    to[n] = '\0';
    parser->start[parser->count++] = parser->bytes_used;
    parser->bytes_used += n + 1;
}

/* Passes the row in `field` to the reader. */
static void give_row(struct parser *parser, size_t n)
{
    if (parser->columns && n != parser->columns) {
        char what[96];
        (void)snprintf(what, sizeof what, "%zu fields, expected %zu as in the header", n,
                       parser->columns);
        refuse(parser, what);
        return;
    }
    struct rundir_row row = {.count = n, .field = parser->field, .number = ++parser->number};
    bool header = parser->columns == 0;
    parser->columns = n;
    if (!(header ? parser->reader->header : parser->reader->row)(parser->ctx, &row, parser->err)) {
        err_prefix(parser->err, "%s: row %llu", parser->path, (unsigned long long)row.number);
        parser->failed = true;
    }
}

static void on_row(int c, void *data)
{
    (void)c;
    struct parser *parser = data;
    if (parser->failed)
        return;
    size_t n = parser->count;
    parser->field = mem_grow(parser->field, &parser->field_capacity, n + 1, sizeof *parser->field);
    for (size_t i = 0; i < n; i++)
        parser->field[i] = parser->bytes + parser->start[i];
    give_row(parser, n);
    parser->count = parser->bytes_used = 0;
}

static bool on_plain(const char *line, size_t n, void *data)
{
    struct parser *parser = data;
    uint32_t ends[CSV_LINES_FIELDS];
    parser->bytes = mem_grow(parser->bytes, &parser->bytes_capacity, n + 1, 1);
    size_t count = csv_lines_split(line, n, ',', parser->bytes, ends);
    if (count == 0 || parser->failed)
        return parser->failed;
    parser->field = mem_grow(parser->field, &parser->field_capacity, count, sizeof *parser->field);
    for (size_t i = 0; i < count; i++)
        parser->field[i] = parser->bytes + (i > 0 ? ends[i - 1] + 1 : 0);
    give_row(parser, count);
    return true;
}

static bool feed(struct parser *parser, struct csv_parser *csv, FILE *file)
{
    char *chunk = mem_alloc(CHUNK_BYTES, 1);
    size_t n;
    struct csv_lines lines = {.parser = csv,
                              .field = on_field,
                              .end = on_row,
                              .plain = on_plain,
                              .data = parser,
                              .at_start = true};
    errno = 0;
    while (!parser->failed && (n = fread(chunk, 1, CHUNK_BYTES, file)) > 0) {
        if (csv_lines_parse(&lines, chunk, n) != n && !parser->failed)
            refuse(parser, csv_strerror(csv_error(csv)));
    }
    free(chunk);
    if (!parser->failed && ferror(file))
        parser->unread = errno ? errno : EIO;
    if (parser->unread)
        return false;
    if (!parser->failed && csv_fini(csv, on_field, on_row, parser) != 0 && !parser->failed)
        refuse(parser, csv_strerror(csv_error(csv)));
    if (!parser->failed && parser->columns == 0)
        refuse(parser, "empty, expected a header");
    return !parser->failed;
}

/* A file that exists but cannot be read, as opposed to a damaged one. */
static void fail(const struct rundir *run, const char *path, const char *name, int error,
                 struct err *err)
{
    struct err why;
    (void)err_set(&why, EXIT_INPUT, "%s: cannot read: %s", path, strerror(error));
    rundir_fail(run, &why);
    (void)err_set(err, EXIT_INPUT, "%s: cannot read: %s", name, strerror(error));
}

enum rundir_read rundir_csv(const struct rundir *run, const char *name,
                            const struct rundir_reader *reader, void *ctx, struct err *err)
{
    if (run->data == NULL)
        return RUNDIR_ABSENT;
    char *path = mem_format("%s/%s", run->data, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        int error = errno;
        if (error != ENOENT)
            fail(run, path, name, error, err);
        free(path);
        return error == ENOENT ? RUNDIR_ABSENT : RUNDIR_DAMAGED;
    }
    // Messages appear on the page, which must not depend on the directory's location: only the file
    // name.
    struct parser parser = {.reader = reader, .ctx = ctx, .err = err, .path = name};
    struct csv_parser csv;
    bool ok = csv_init(&csv, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) == 0;
    if (ok) {
        ok = feed(&parser, &csv, file);
        csv_free(&csv);
    } else {
        refuse(&parser, "no memory for the parser");
    }
    (void)fclose(file);
    if (parser.unread)
        fail(run, path, name, parser.unread, err);
    free(parser.bytes);
    free(parser.start);
    free(parser.field);
    free(path);
    return ok ? RUNDIR_READ : RUNDIR_DAMAGED;
}

size_t rundir_column(const struct rundir_row *header, const char *name)
{
    for (size_t i = 0; i < header->count; i++)
        if (strcmp(header->field[i], name) == 0)
            return i;
    return RUNDIR_NO_COLUMN;
}

bool rundir_need(const struct rundir_row *header, const char *name, size_t *column, struct err *err)
{
    *column = rundir_column(header, name);
    if (*column == RUNDIR_NO_COLUMN)
        return err_set(err, EXIT_INPUT, "no column '%s'", name);
    return true;
}

bool rundir_number(const struct rundir_row *row, size_t column, double *value, struct err *err)
{
    *value = (double)NAN;
    if (column == RUNDIR_NO_COLUMN || row->field[column][0] == '\0')
        return true;
    const char *text = row->field[column];
    if (text_f64(text, strlen(text), value))
        return true;
    return err_set(err, EXIT_INPUT, "column %zu: '%.40s' is not a number", column + 1, text);
}
