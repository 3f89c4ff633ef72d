/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streaming CSV files: every file either gives all its rows or an error that names file and row. */
#include "report/results/rundir.h"
#include "sim/base/out.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Prints a header as "[a|b]" and a row as "(1|x)"; refuses a row whose first field is "refuse". */
static bool print(struct out *out, const struct rundir_row *row, const char *brackets)
{
    out_char(out, brackets[0]);
    for (size_t i = 0; i < row->count; i++)
        out_format(out, "%s%s", i ? "|" : "", row->field[i]);
    out_char(out, brackets[1]);
    return true;
}

static bool on_header(void *ctx, const struct rundir_row *row, struct err *err)
{
    (void)err;
    return print(ctx, row, "[]");
}

static bool on_row(void *ctx, const struct rundir_row *row, struct err *err)
{
    if (strcmp(row->field[0], "refuse") == 0)
        return err_set(err, EXIT_INPUT, "refused");
    return print(ctx, row, "()");
}

static const struct rundir_reader printer = {.header = on_header, .row = on_row};

static const struct {
    const char *bytes;
    size_t n; /* 0: up to the NUL */
    enum rundir_read read;
    const char *text; /* what was printed, or part of the message */
} file_rows[] = {
    {"a,b\n1,2\n3,\n", 0, RUNDIR_READ, "[a|b](1|2)(3|)"},
    {"a,b\r\n1,2", 0, RUNDIR_READ, "[a|b](1|2)"},
    {"a\n\"x, \"\"y\"\"\nz\"\n", 0, RUNDIR_READ, "[a](x, \"y\"\nz)"},
    {"a,b\n", 0, RUNDIR_READ, "[a|b]"},
    {"a\n\n\n1\n", 0, RUNDIR_READ, "[a](1)"},
    {"a\n1\0002\n", 6, RUNDIR_READ, "[a](1?2)"},
    {"a\n,\n", 0, RUNDIR_DAMAGED, "t.csv: row 2: 2 fields, expected 1"},
    {"a,b\n1,2\n1,2,3\n", 0, RUNDIR_DAMAGED, "t.csv: row 3: 3 fields, expected 2"},
    {"a,b\n1\n", 0, RUNDIR_DAMAGED, "t.csv: row 2: 1 fields, expected 2"},
    {"a\n\"open\n", 0, RUNDIR_DAMAGED, "t.csv: row 2"},
    {"a\nx\"y\n", 0, RUNDIR_DAMAGED, "t.csv: row 2"},
    {"", 0, RUNDIR_DAMAGED, "t.csv: row 1: empty, expected a header"},
    {"a\n1\nrefuse\n", 0, RUNDIR_DAMAGED, "t.csv: row 3: refused"},
};

START_TEST(files_are_read_whole_or_refused)
{
    struct folder folder;
    struct err err = {0};
    folder_make(&folder);
    size_t n = file_rows[_i].n ? file_rows[_i].n : strlen(file_rows[_i].bytes);
    folder_put_bytes(&folder, "t.csv", file_rows[_i].bytes, n);
    struct rundir run = {.data = folder.path};
    struct out *out = out_memory();
    ck_assert_int_eq(rundir_csv(&run, "t.csv", &printer, out, &err), file_rows[_i].read);
    if (file_rows[_i].read == RUNDIR_READ)
        ck_assert_str_eq(out_memory_text(out, NULL), file_rows[_i].text);
    else
        harness_contains(err.msg, file_rows[_i].text);
    out_discard(out);
    folder_remove(&folder);
}
END_TEST

START_TEST(an_absent_file_is_no_error)
{
    struct folder folder;
    struct err err = {0};
    folder_make(&folder);
    struct rundir run = {.data = folder.path};
    ck_assert_int_eq(rundir_csv(&run, "t.csv", &printer, NULL, &err), RUNDIR_ABSENT);
    ck_assert_str_eq(err.msg, "");
    folder_remove(&folder);
}
END_TEST

START_TEST(columns_have_names_and_numbers)
{
    const char *header[] = {"b", "a"}, *fields[] = {"x", "2.5"}, *empty[] = {"", "nan"};
    struct rundir_row names = {.count = 2, .field = header}, row = {.count = 2, .field = fields};
    struct rundir_row holes = {.count = 2, .field = empty};
    struct err err = {0};
    size_t a = 9, b;
    double value = 0;
    ck_assert_uint_eq(rundir_column(&names, "a"), 1);
    ck_assert(rundir_column(&names, "c") == RUNDIR_NO_COLUMN);
    ck_assert(rundir_need(&names, "a", &a, &err));
    ck_assert(rundir_number(&row, a, &value, &err));
    ck_assert_double_eq(value, 2.5);
    ck_assert(rundir_number(&holes, 0, &value, &err) && isnan(value));
    ck_assert(rundir_number(&row, RUNDIR_NO_COLUMN, &value, &err) && isnan(value));
    ck_assert(!rundir_number(&holes, a, &value, &err));
    harness_contains(err.msg, "column 2: 'nan' is not a number");
    ck_assert(!rundir_need(&names, "missing", &b, &err));
    harness_contains(err.msg, "no column 'missing'");
}
END_TEST

START_TEST(a_long_file_arrives_whole)
{
    enum { COUNT = 50000 };
    struct folder folder;
    struct err err = {0};
    folder_make(&folder);
    struct out *text = out_memory(), *seen = out_memory(), *expected = out_memory();
    out_text(text, "a,b\n");
    out_text(expected, "[a|b]");
    for (int i = 0; i < COUNT; i++) {
        out_format(text, "%d,\"%d\"\n", i, i * 7);
        out_format(expected, "(%d|%d)", i, i * 7);
    }
    size_t n;
    const char *bytes = out_memory_text(text, &n);
    folder_put_bytes(&folder, "t.csv", bytes, n);
    struct rundir run = {.data = folder.path};
    ck_assert_int_eq(rundir_csv(&run, "t.csv", &printer, seen, &err), RUNDIR_READ);
    ck_assert(strcmp(out_memory_text(seen, NULL), out_memory_text(expected, NULL)) == 0);
    out_discard(text);
    out_discard(seen);
    out_discard(expected);
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rundir_csv");
    TCase *tcase = tcase_create("read");
    tcase_add_loop_test(tcase, files_are_read_whole_or_refused, 0, ROWS(file_rows));
    tcase_add_test(tcase, an_absent_file_is_no_error);
    tcase_add_test(tcase, columns_have_names_and_numbers);
    tcase_add_test(tcase, a_long_file_arrives_whole);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
