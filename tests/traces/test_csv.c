/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CSV layer: header against table, line numbers, quoting, limits, and rows across chunks. */
#include "sim/base/text.h"
#include "tests/lib/harness.h"
#include "traces/csv.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The result of a row: values of two columns, and the line where it began. */
struct seen {
    int64_t a, b;
    uint64_t line;
};

struct context {
    int64_t a, b;
    struct seen rows[4000];
    size_t count, unknown, begun;
};

static const char *set_number(void *data, const struct csv_column *column, const char *text,
                              size_t n)
{
    return text_i64(text, n, (int64_t *)(void *)((char *)data + column->offset)) ? NULL
                                                                                 : "a whole number";
}

static const char *set_length(void *data, const struct csv_column *column, const char *text,
                              size_t n)
{
    ck_assert_int_eq(text[n], '\0');
    *(int64_t *)(void *)((char *)data + column->offset) = (int64_t)n;
    return NULL;
}

static void begin(void *data)
{
    struct context *context = data;
    context->a = context->b = -1;
    context->begun++;
}

static bool row(void *data, uint64_t line, const char **at_fault, struct err *err)
{
    struct context *context = data;
    *at_fault = context->b == 3 ? "text|b" : context->b == 4 ? "text" : NULL;
    if (context->a == 13)
        return err_set(err, EXIT_INPUT, "no row is 13");
    context->rows[context->count++] = (struct seen){context->a, context->b, line};
    return true;
}

static void unknown(void *data, const char *name, size_t n)
{
    ck_assert_uint_eq(strlen(name), n);
    ((struct context *)data)->unknown++;
}

static const struct csv_column columns[] = {
    {"a", CSV_NEEDED | CSV_NONE, set_number, offsetof(struct context, a), 0, 0},
    {"b", CSV_NONE | CSV_ANY_OF(1), set_number, offsetof(struct context, b), 0, 0},
    {"text", CSV_ANY_OF(1), set_length, offsetof(struct context, b), 0, 0},
    {"note", 0, NULL, 0, 0, 0},
};

static const struct csv_table strict = {
    .columns = columns, .count = sizeof columns / sizeof *columns, .begin = begin, .row = row};
static const struct csv_table lenient = {.columns = columns,
                                         .count = sizeof columns / sizeof *columns,
                                         .begin = begin,
                                         .row = row,
                                         .unknown = unknown};

/* Reads everything; NULL or the message. */
static const char *read_all(const struct csv_table *table, const char *text, size_t n,
                            struct context *context, struct err *err)
{
    memset(context, 0, sizeof *context);
    struct input *input = input_memory("m", text, n);
    struct csv_reader *reader = csv_open(input, table, context, err);
    int got = reader ? 1 : -1;
    while (got > 0)
        got = csv_more(reader, err);
    if (got == 0)
        ck_assert_int_eq(csv_more(reader, err), 0);
    csv_close(reader);
    input_close(input);
    return got < 0 ? err->msg : NULL;
}

static const struct {
    const char *text;
    size_t count;
    struct seen rows[3];
} good[] = {
    {"a,b\n1,2\n", 1, {{1, 2, 2}}},
    {"a,b\n1,2", 1, {{1, 2, 2}}},
    {"a,b", 0, {{0, 0, 0}}},
    {"b,a\r\n2,1\r\n4,3\r\n", 2, {{1, 2, 2}, {3, 4, 3}}},
    {"a,b\r1,2\r3,4", 2, {{1, 2, 2}, {3, 4, 3}}},
    {"\xef\xbb\xbf"
     "a,b\n1,2\n",
     1,
     {{1, 2, 2}}},
    {"\n\na,b\n\n1,2\n\n\n3,4\n", 2, {{1, 2, 5}, {3, 4, 8}}},
    {"\"a\", \"b\"\n \"1\" ,\t2\n", 1, {{1, 2, 2}}},
    {"a,b\n1,\n2,None\n3,nan\n", 3, {{1, -1, 2}, {2, -1, 3}, {3, -1, 4}}},
    {"a,text\n1,\"x\ny\"\n2,\"\"\"\"\n", 2, {{1, 3, 2}, {2, 1, 4}}},
    {"a,text,note\n1,\"\r\n\",\"\n\n\"\n2,y,\n", 2, {{1, 2, 2}, {2, 1, 6}}},
};

START_TEST(rows_and_their_lines)
{
    static struct context context;
    struct err err = {0};
    const char *message = read_all(&strict, good[_i].text, strlen(good[_i].text), &context, &err);
    ck_assert_msg(message == NULL, "%s", err.msg);
    ck_assert_uint_eq(context.count, good[_i].count);
    ck_assert_uint_eq(context.begun, good[_i].count);
    for (size_t i = 0; i < context.count; i++) {
        ck_assert_int_eq(context.rows[i].a, good[_i].rows[i].a);
        ck_assert_int_eq(context.rows[i].b, good[_i].rows[i].b);
        ck_assert_uint_eq(context.rows[i].line, good[_i].rows[i].line);
    }
}
END_TEST

static const struct {
    const char *text, *message;
} bad[] = {
    {"", "m:1:1: the file is empty, expected a header row"},
    {"\n\r\n\n", "m:1:1: the file is empty, expected a header row"},
    {"b\n1\n", "m:1:2: the header has no column 'a'"},
    {"a\n1\n", "m:1:2: the header has none of the columns 'b', 'text'"},
    {"a,b,c\n1,2,3\n", "m:1:3: column 3: unknown name 'c'"},
    {"a,b,\n1,2,3\n", "m:1:3: column 3: unknown name ''"},
    {"a,b,ntoe\n1,2,3\n", "m:1:3: column 3: unknown name 'ntoe', did you mean 'note'?"},
    {"\n\na,b,a\n1,2,3\n", "m:3:3: column 3: 'a' is in the header twice"},
    {"a,b\n1\n", "m:2:2: the row has 1 fields, the header has 2"},
    {"a,b\n1,2,3\n", "m:2:3: the row has more fields than the header (2)"},
    {"a,b\n1,2\n\nx,2\n", "m:4:1: column 'a': 'x' is not valid, expected a whole number"},
    {"a,b\n,2\n", "m:2:1: column 'a': '' is not valid, expected a value"},
    {"a,b\nNone,2\n", "m:2:1: column 'a': '' is not valid, expected a value"},
    {"a,b\n13,2\n", "m:2:1: no row is 13"},
    {"a,b\n13,3\n", "m:2:2: no row is 13"},
    {"a,b\n13,4\n", "m:2:1: no row is 13"},
    {"a,b\n1,2\n3,\"4", "m:3:2: column 2: the file ends inside quotes"},
    {"a,b\n1,\"2\"3\n", "m:2:2: column 2: a quote inside a field"},
    {"a,b\n1,2\"\n", "m:2:2: column 2: a quote inside a field"},
    {"\"a", "m:1:1: column 1: the file ends inside quotes"},
    {"a,text\n1,\"x\ny\"\n2\n", "m:4:2: the row has 1 fields"},
};

START_TEST(what_is_refused)
{
    static struct context context;
    struct err err = {0};
    const char *message = read_all(&strict, bad[_i].text, strlen(bad[_i].text), &context, &err);
    ck_assert_ptr_nonnull(message);
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(message, bad[_i].message);
}
END_TEST

START_TEST(unknown_columns_may_be_taken)
{
    static struct context context;
    static const char text[] = "x,a,,b\n9,1,9,2\n";
    struct err err = {0};
    ck_assert_ptr_null(read_all(&lenient, text, sizeof text - 1, &context, &err));
    ck_assert_uint_eq(context.unknown, 2);
    ck_assert_int_eq(context.rows[0].a, 1);
    ck_assert_int_eq(context.rows[0].b, 2);
}
END_TEST

/* Rows of growing length: the end of a chunk occurs at every place in a row. */
START_TEST(rows_across_chunks)
{
    static struct context context;
    size_t rows = 3000, used = 0, size = rows * 420;
    char *text = malloc(size);
    ck_assert_ptr_nonnull(text);
    used += (size_t)snprintf(text, size, "a,text\n");
    for (size_t i = 0; i < rows; i++) {
        used += (size_t)snprintf(text + used, size - used, "%zu,\"", 100 + i);
        for (size_t k = 0; k < i % 400; k++)
            text[used++] = k % 50 == 49 ? '\n' : 'x';
        text[used++] = '"';
        text[used++] = '\n';
    }
    struct err err = {0};
    ck_assert_ptr_null(read_all(&strict, text, used, &context, &err));
    ck_assert_uint_eq(context.count, rows);
    uint64_t line = 2;
    for (size_t i = 0; i < rows; i++) {
        ck_assert_int_eq(context.rows[i].a, (int64_t)(100 + i));
        ck_assert_int_eq(context.rows[i].b, i % 400 ? (int64_t)(i % 400) : -1);
        ck_assert_uint_eq(context.rows[i].line, line);
        line += 1 + (i % 400) / 50;
    }
    free(text);
}
END_TEST

START_TEST(endless_rows_and_headers)
{
    static struct context context;
    size_t size = INPUT_PIECE_MAX + 100000;
    char *text = malloc(size);
    ck_assert_ptr_nonnull(text);
    struct err err = {0};
    memset(text, 'x', size);
    memcpy(text, "a,text\n1,\"", 10);
    harness_contains(read_all(&strict, text, size, &context, &err),
                     "m:2:2: row longer than 16 MiB");
    memset(text, ',', size);
    harness_contains(read_all(&lenient, text, size, &context, &err),
                     "m:1:4097: more than 4096 columns");
    memset(text, '\n', size); // blank lines are not rows
    harness_contains(read_all(&lenient, text, size, &context, &err), "m:1:1: the file is empty");
    memset(text, '\0', size);
    harness_contains(read_all(&strict, text, size, &context, &err), "m:1:1: ");
    free(text);
}
END_TEST

static const struct {
    const char *line;
    bool fits;
    size_t known, total;
} headers[] = {
    {"a,b", true, 2, 2}, {" \"b\" ,a,c\r", true, 2, 3}, {"a", false, 1, 1}, {"b,text", false, 2, 2},
    {"", false, 0, 1},   {"a,a,b", true, 2, 3},
};

START_TEST(fit_of_a_header)
{
    size_t known, total;
    const char *line = headers[_i].line;
    ck_assert_int_eq(csv_header_fits(&strict, line, strlen(line), &known, &total),
                     headers[_i].fits);
    ck_assert_uint_eq(known, headers[_i].known);
    ck_assert_uint_eq(total, headers[_i].total);
}
END_TEST

START_TEST(which_columns_there_are)
{
    static struct context context;
    struct err err = {0};
    struct input *input = input_memory("m", "b,a\n", 4);
    struct csv_reader *reader = csv_open(input, &strict, &context, &err);
    ck_assert_ptr_nonnull(reader);
    ck_assert_uint_eq(csv_column_number(reader, "a"), 2);
    ck_assert_uint_eq(csv_column_number(reader, "b"), 1);
    ck_assert_uint_eq(csv_column_number(reader, "text"), 0);
    ck_assert_uint_eq(csv_column_number(reader, "nonsense"), 0);
    ck_assert_uint_eq(csv_line(reader), 2);
    csv_close(reader);
    csv_close(NULL);
    input_close(input);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("csv");
    TCase *tcase = tcase_create("csv");
    tcase_add_loop_test(tcase, rows_and_their_lines, 0, ROWS(good));
    tcase_add_loop_test(tcase, what_is_refused, 0, ROWS(bad));
    tcase_add_test(tcase, unknown_columns_may_be_taken);
    tcase_add_test(tcase, rows_across_chunks);
    tcase_add_test(tcase, endless_rows_and_headers);
    tcase_add_loop_test(tcase, fit_of_a_header, 0, ROWS(headers));
    tcase_add_test(tcase, which_columns_there_are);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
