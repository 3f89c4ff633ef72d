/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows by way of libcsv's callbacks, chunk by chunk; plain lines bypass libcsv. Matches headers
 * with tables of columns and counts lines. */
#include "traces/csv.h"

#include "sim/base/csv_lines.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "traces/texts.h"

#include <stdlib.h>
#include <string.h>

/*
 * `map` holds the table's column for each position in the file (NULL: not used). A libcsv callback
 * cannot stop the parser: after an error, `failed` is set and the rest of the chunk is ignored.
 * rest[0..rest_n) is the part of the chunk after the header.
 */
struct csv_reader {
    struct csv_parser parser;
    struct csv_lines lines;
    char *plain; /* a plain line, its fields NUL-terminated */
    size_t plain_capacity;
    struct input *input;
    const struct csv_table *table;
    void *context;
    const struct csv_column **map;
    size_t columns, capacity;
    size_t position;         /* of the field in the row */
    uint64_t line, row_line; /* 1-based: the current line, and that on which the row began */
    size_t row_bytes;        /* in chunks since a row last ended */
    bool have_header, row_ended, after_cr, failed, finished;
    bool skipping; /* the rest of a rejected row */
    const char *rest;
    size_t rest_n;
    struct err err;
};

#define SHOWN       80             /* bytes of a value shown in a message */
#define BLOCK_LEAST ((size_t)4096) /* smallest growth of a field's buffer */

static const struct csv_column *find(const struct csv_table *table, const char *name, size_t n)
{
    for (size_t i = 0; i < table->count; i++) {
        if (strlen(table->columns[i].name) == n && memcmp(table->columns[i].name, name, n) == 0)
            return &table->columns[i];
    }
    return NULL;
}

/* Prefixes the message with its place; `column` is the 1-based number of the field. */
static void place(const struct csv_reader *reader, uint64_t line, size_t column, struct err *err)
{
    err_prefix(err, "%s:%llu:%zu", input_name(reader->input), (unsigned long long)line, column);
}

static void fail(struct csv_reader *reader, uint64_t line, size_t column)
{
    reader->failed = true;
    place(reader, line, column, &reader->err);
}

/* Like fail(), for a data row: the table may reject the row, and reading continues. */
static void fail_row(struct csv_reader *reader, size_t column)
{
    fail(reader, reader->row_line, column);
    reader->skipping =
        reader->table->reject && reader->table->reject(reader->context, &reader->err);
    if (reader->skipping) {
        reader->failed = false;
        reader->err = (struct err){0};
    }
}

/* The 1-based number of a column in the file, 0 when the header does not have it. */
static size_t position_of(const struct csv_reader *reader, const struct csv_column *column)
{
    for (size_t i = 0; column && i < reader->columns; i++) {
        if (reader->map[i] == column)
            return i + 1;
    }
    return 0;
}

static bool in_header(const struct csv_reader *reader, const struct csv_column *column)
{
    return position_of(reader, column) != 0;
}

/* The column of the table that a name in the header means; true if the header may have the name. */
static bool look_up(struct csv_reader *reader, const char *text, size_t n,
                    const struct csv_column **column)
{
    const struct csv_table *table = reader->table;
    if (table->rename) {
        const char *name = table->rename(reader->context, text, n);
        *column = name ? find(table, name, strlen(name)) : NULL;
        return true;
    }
    *column = find(table, text, n);
    return *column || table->unknown;
}

static void header_field(struct csv_reader *reader, const char *text, size_t n)
{
    char shown[SHOWN], hint[SHOWN];
    const struct csv_column *column;
    bool is_known = look_up(reader, text, n, &column);
    if (reader->columns == CSV_COLUMN_LIMIT) {
        err_set(&reader->err, EXIT_INPUT, "more than %zu columns", CSV_COLUMN_LIMIT);
        fail(reader, reader->line, reader->position + 1);
        return;
    }
    if (!is_known) {
        texts_show(shown, sizeof shown, text, n);
        text_suggest(hint, sizeof hint, shown, &reader->table->columns->name, reader->table->count,
                     sizeof *reader->table->columns);
        err_set(&reader->err, EXIT_INPUT, "column %zu: unknown name '%s'%s", reader->columns + 1,
                shown, hint);
        fail(reader, reader->line, reader->position + 1);
        return;
    }
    if (column && in_header(reader, column)) {
        err_set(&reader->err, EXIT_INPUT, "column %zu: '%s' is in the header twice",
                reader->columns + 1, column->name);
        fail(reader, reader->line, reader->position + 1);
        return;
    }
    if (!column && reader->table->unknown)
        reader->table->unknown(reader->context, text, n);
    reader->map =
        mem_grow(reader->map, &reader->capacity, reader->columns + 1, sizeof(struct csv_column *));
    reader->map[reader->columns++] = column;
}

/* Returns true if `has` contains a column of the group. `names` receives the group's names up to
 * it, for a message. */
static bool group_met(const struct csv_table *table, unsigned group, const bool *has, char *names,
                      size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct csv_column *column = &table->columns[i];
        if (column->need >> 8 != group)
            continue;
        if (has[i])
            return true;
        int n = snprintf(names + used, size - used, "%s'%s'", used ? ", " : "", column->name);
        if (n > 0 && used + (size_t)n < size)
            used += (size_t)n;
    }
    return false;
}

/* Returns true if all needed columns are present; else `missing` says which are not. */
static bool complete(const struct csv_table *table, const bool *has, char *missing, size_t size)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct csv_column *column = &table->columns[i];
        if (column->need & CSV_NEEDED && !has[i]) {
            (void)snprintf(missing, size, "no column '%s'", column->name);
            return false;
        }
        char names[200];
        if (column->need >> 8 && !group_met(table, column->need >> 8, has, names, sizeof names)) {
            (void)snprintf(missing, size, "none of the columns %s", names);
            return false;
        }
    }
    return true;
}

static void header_end(struct csv_reader *reader)
{
    bool *has = mem_alloc(reader->table->count, sizeof *has);
    for (size_t i = 0; i < reader->table->count; i++)
        has[i] = in_header(reader, &reader->table->columns[i]);
    char missing[256];
    if (!complete(reader->table, has, missing, sizeof missing)) {
        err_set(&reader->err, EXIT_INPUT, "the header has %s", missing);
        fail(reader, reader->row_line, reader->columns + 1);
    }
    free(has);
    reader->have_header = true;
}

static void bad_value(struct csv_reader *reader, const struct csv_column *column, const char *text,
                      size_t n, const char *expected)
{
    char shown[SHOWN], range[64] = "";
    texts_show(shown, sizeof shown, text, n);
    if (column->low != 0 || column->high != 0) {
        (void)snprintf(range, sizeof range, " from %lld to %lld", (long long)column->low,
                       (long long)column->high);
    }
    const struct csv_table *table = reader->table;
    err_set(&reader->err, EXIT_INPUT, "column '%s': '%s' is not valid, expected %s%s",
            table->label ? table->label(reader->context, column->name) : column->name, shown,
            expected, range);
    fail_row(reader, reader->position + 1);
}

/* Returns true if the text is how other programs write a missing value. */
static bool is_none(const char *text, size_t n)
{
    static const char *const words[] = {"None", "nan", "NaN", "NULL",
                                        "null", "NA",  "N/A", "Unknown"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == n && memcmp(words[i], text, n) == 0)
            return true;
    }
    return false;
}

static void data_field(struct csv_reader *reader, const char *text, size_t n)
{
    if (reader->position == reader->columns) {
        err_set(&reader->err, EXIT_INPUT, "the row has more fields than the header (%zu)",
                reader->columns);
        fail_row(reader, reader->position + 1);
        return;
    }
    const struct csv_column *column = reader->map[reader->position];
    if (!column || !column->set)
        return;
    if (column->need & CSV_NONE && n > 0 && is_none(text, n))
        n = 0;
    if (n == 0) {
        if (column->need & CSV_NEEDED)
            bad_value(reader, column, text, n, "a value");
        return;
    }
    const char *expected = column->set(reader->context, column, text, n);
    if (expected)
        bad_value(reader, column, text, n, expected);
}

static void one_field(struct csv_reader *reader, const char *text, size_t n)
{
    if (reader->position == 0) {
        reader->row_line = reader->line;
        if (reader->have_header && reader->table->begin)
            reader->table->begin(reader->context);
    }
    if (!reader->have_header)
        header_field(reader, text, n);
    else if (!reader->skipping)
        data_field(reader, text, n);
    reader->position++;
}

static void on_field(void *field, size_t n, void *data)
{
    struct csv_reader *reader = data;
    const char *text = field;
    if (reader->failed)
        return;
    reader->after_cr = false;
    one_field(reader, text, n);
    // Line ends inside quotes count, too.
    for (const char *p = text; n > 0 && (p = memchr(p, '\n', n - (size_t)(p - text))) != NULL; p++)
        reader->line++;
}

/* The number of the first column of "a|b" that the header has; 1 if it has none. */
static size_t first_of(const struct csv_reader *reader, const char *names)
{
    while (names && *names) {
        size_t n = strcspn(names, "|");
        size_t position = position_of(reader, find(reader->table, names, n));
        if (position != 0)
            return position;
        names += names[n] ? n + 1 : n;
    }
    return 1;
}

static void row_end(struct csv_reader *reader)
{
    if (!reader->have_header) {
        header_end(reader);
    } else if (reader->position < reader->columns) {
        err_set(&reader->err, EXIT_INPUT, "the row has %zu fields, the header has %zu",
                reader->position, reader->columns);
        fail_row(reader, reader->position + 1);
    } else {
        const char *at_fault = NULL;
        if (!reader->table->row(reader->context, reader->row_line, &at_fault, &reader->err))
            fail_row(reader, first_of(reader, at_fault));
    }
}

/* Called for every line end outside quotes (CSV_REPALL_NL), so also for blank lines and for both
 * bytes of CRLF. */
static void on_end(int c, void *data)
{
    struct csv_reader *reader = data;
    if (reader->failed)
        return;
    if (reader->position > 0 && !reader->skipping)
        row_end(reader);
    reader->skipping = false;
    reader->position = 0;
    reader->row_ended = true;
    if (c == '\r' || (c == '\n' && !reader->after_cr))
        reader->line++;
    reader->after_cr = c == '\r';
}

/* Returns true if the field is empty and does not need a value, as most fields of wide tables. */
static bool may_pass(const struct csv_reader *reader, size_t n)
{
    if (n > 0 || !reader->have_header || reader->position == 0 ||
        reader->position >= reader->columns)
        return false;
    const struct csv_column *column = reader->map[reader->position];
    return column == NULL || !(column->need & CSV_NEEDED);
}

static bool on_plain(const char *line, size_t n, void *data)
{
    struct csv_reader *reader = data;
    uint32_t ends[CSV_LINES_FIELDS];
    reader->plain = mem_grow(reader->plain, &reader->plain_capacity, n + 1, 1);
    size_t count =
        csv_lines_split(line, n, (char)csv_get_delim(&reader->parser), reader->plain, ends);
    if (count == 0 || reader->failed)
        return reader->failed;
    for (size_t i = 0, from = 0; i < count && !reader->failed; from = ends[i++] + 1) {
        if (may_pass(reader, ends[i] - from))
            reader->position++;
        else
            one_field(reader, reader->plain + from, ends[i] - from);
    }
    reader->after_cr = false;
    on_end('\n', reader);
    return true;
}

/* False with err set after an error in a callback or in libcsv. */
static bool parse(struct csv_reader *reader, const char *bytes, size_t n, struct err *err)
{
    reader->row_ended = false;
    size_t parsed = csv_lines_parse(&reader->lines, bytes, n);
    reader->row_bytes = reader->row_ended ? 0 : reader->row_bytes + n;
    // A field's buffer grows by the size of its row so far: libcsv's fixed step would make long
    // fields take quadratic time.
    csv_set_blk_size(&reader->parser,
                     reader->row_bytes > BLOCK_LEAST ? reader->row_bytes : BLOCK_LEAST);
    if (!reader->failed && parsed != n) {
        bool quote = csv_error(&reader->parser) == CSV_EPARSE;
        err_set(&reader->err, EXIT_INPUT, "column %zu: %s", reader->position + 1,
                quote ? "a quote inside a field (write the field in quotes and the quote twice)"
                      : csv_strerror(csv_error(&reader->parser)));
        fail(reader, reader->line, reader->position + 1);
    }
    if (!reader->failed && reader->row_bytes > INPUT_PIECE_MAX) {
        err_set(&reader->err, EXIT_INPUT, "row longer than %zu MiB (is a quote not closed?)",
                INPUT_PIECE_MAX >> 20);
        fail(reader, reader->line, reader->position + 1);
    }
    if (reader->failed)
        *err = reader->err;
    return !reader->failed;
}

/* At the end of the input, libcsv delivers a last row without a line end. */
static bool finish(struct csv_reader *reader, struct err *err)
{
    reader->finished = true;
    if (csv_fini(&reader->parser, on_field, on_end, reader) != 0 && !reader->failed) {
        err_set(&reader->err, EXIT_INPUT, "column %zu: the file ends inside quotes",
                reader->position + 1);
        fail(reader, reader->line, reader->position + 1);
    }
    if (reader->failed)
        *err = reader->err;
    return !reader->failed;
}

/* Reads the next chunk into `rest` and skips a byte order mark in the first one. Returns like
 * input_read(). */
static int fetch(struct csv_reader *reader, bool first, struct err *err)
{
    int got = input_read(reader->input, &reader->rest, &reader->rest_n, err);
    if (got < 0)
        place(reader, reader->line, reader->position + 1, err);
    if (got > 0 && first && reader->rest_n >= 3 && memcmp(reader->rest, "\xef\xbb\xbf", 3) == 0) {
        reader->rest += 3;
        reader->rest_n -= 3;
    }
    return got;
}

/* Ends an input whose header row has no line end; false with err set if there is no header at all.
 */
static bool header_at_end(struct csv_reader *reader, struct err *err)
{
    if (!finish(reader, err))
        return false;
    if (reader->have_header)
        return true;
    return err_set(err, EXIT_INPUT, "%s:1:1: the file is empty, expected a header row",
                   input_name(reader->input));
}

/* Parses to the end of the header row, piece by piece because no piece may contain data rows. */
static bool read_header(struct csv_reader *reader, struct err *err)
{
    for (bool first = true; !reader->have_header; first = false) {
        int got = reader->rest_n > 0 ? 1 : fetch(reader, first, err);
        if (got < 0)
            return false;
        if (got == 0)
            return header_at_end(reader, err);
        size_t n = 0;
        while (n < reader->rest_n && reader->rest[n] != '\n' && reader->rest[n] != '\r')
            n++;
        n += n < reader->rest_n;
        if (!parse(reader, reader->rest, n, err))
            return false;
        reader->rest += n;
        reader->rest_n -= n;
    }
    return true;
}

/* Returns false if the first line is not a header of this table. Errors count as true: the next
 * read reports them. */
static bool has_header(struct csv_reader *reader, struct err *err)
{
    const char *head, *end;
    size_t n, known, total;
    if (input_peek(reader->input, &head, &n, err) <= 0)
        return true; // the next read reports the error
    if (n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0) {
        head += 3;
        n -= 3;
    }
    end = memchr(head, '\n', n);
    return csv_header_fits(reader->table, head, end ? (size_t)(end - head) : n, &known, &total);
}

/* Reads the header row, or parses the table's own and then counts from line 1 again. */
static bool begin(struct csv_reader *reader, struct err *err)
{
    const char *header = reader->table->header;
    struct err unread = {0};
    if (!header || has_header(reader, &unread))
        return read_header(reader, err);
    if (!parse(reader, header, strlen(header), err))
        return false;
    reader->line = reader->row_line = 1;
    reader->row_bytes = 0;
    return true;
}

struct csv_reader *csv_open(struct input *input, const struct csv_table *table, void *context,
                            struct err *err)
{
    struct csv_reader *reader = mem_alloc(1, sizeof *reader);
    reader->input = input;
    reader->table = table;
    reader->context = context;
    reader->line = reader->row_line = 1;
    int failed =
        csv_init(&reader->parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL | CSV_REPALL_NL);
    BUG_ON(failed);
    csv_set_blk_size(&reader->parser, BLOCK_LEAST);
    reader->lines = (struct csv_lines){.parser = &reader->parser,
                                       .field = on_field,
                                       .end = on_end,
                                       .plain = on_plain,
                                       .data = reader,
                                       .at_start = true};
    if (table->delimiter)
        csv_set_delim(&reader->parser, (unsigned char)table->delimiter);
    if (table->unquoted)
        csv_set_quote(&reader->parser, '\0'); // no quotes; setters of text reject NULs
    if (!begin(reader, err)) {
        csv_close(reader);
        return NULL;
    }
    return reader;
}

#define SLICE ((size_t)8 * 1024)

/* Bytes to be parsed at a time, whole lines: the rows that come of them should stay in the cache
 * until they are used. */
static size_t slice(const char *bytes, size_t n)
{
    const char *end = n > SLICE ? memchr(bytes + SLICE, '\n', n - SLICE) : NULL;
    return end != NULL ? (size_t)(end + 1 - bytes) : n;
}

int csv_more(struct csv_reader *reader, struct err *err)
{
    if (reader->finished)
        return 0;
    int got = reader->rest_n > 0 ? 1 : fetch(reader, false, err);
    if (got < 0)
        return -1;
    if (got == 0)
        return finish(reader, err) ? 0 : -1;
    const char *bytes = reader->rest;
    size_t n = slice(bytes, reader->rest_n);
    reader->rest += n;
    reader->rest_n -= n;
    return parse(reader, bytes, n, err) ? 1 : -1;
}

size_t csv_column_number(const struct csv_reader *reader, const char *column)
{
    return position_of(reader, find(reader->table, column, strlen(column)));
}

uint64_t csv_line(const struct csv_reader *reader)
{
    return reader->line;
}

void csv_close(struct csv_reader *reader)
{
    if (!reader)
        return;
    csv_free(&reader->parser);
    free(reader->plain);
    free(reader->map);
    free(reader);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '"';
}

bool csv_header_fits(const struct csv_table *table, const char *line, size_t n, size_t *known,
                     size_t *total)
{
    bool *has = mem_alloc(table->count, sizeof *has);
    const char *end = line + n;
    *known = *total = 0;
    for (const char *at = line; at <= end;) {
        const char *stop =
            memchr(at, table->delimiter ? table->delimiter : ',', (size_t)(end - at));
        const char *last = stop ? stop : end;
        const char *next = last + 1;
        while (at < last && is_blank(*at))
            at++;
        while (last > at && is_blank(last[-1]))
            last--;
        const struct csv_column *column = find(table, at, (size_t)(last - at));
        if (column) {
            *known += !has[column - table->columns];
            has[column - table->columns] = true;
        }
        ++*total;
        at = next;
    }
    char missing[256];
    bool fits = complete(table, has, missing, sizeof missing);
    free(has);
    return fits;
}
