/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of the terminal: whole outputs, compared as text. */
#include "report/terminal/table.h"
#include "tests/lib/harness.h"

#define COLUMNS 3

static const struct {
    size_t width;
    const char *cells[9];
    const char *text;
} table_rows[] = {
    {100,
     {"waits", "p50", "p95", "build", "12s", ">=2h05m", "x", "1d02h", ""},
     "waits    p50      p95\n"
     "build    12s  >=2h05m\n"
     "x      1d02h\n"},
    // The name is shortened, not the numbers; two empty cells leave no blanks at the end.
    {20,
     {"a very long name", "1234", "5678", "b", "", "", "c", "", "1"},
     "a ver...  1234  5678\n"
     "b\n"
     "c                  1\n"},
    // Width is counted in columns: an accent takes none, an ideograph two.
    {100,
     {"caf\xC3\xA9", "1", "2", "\xE8\xAF\xAD", "3", "4", "abcd", "5", "6"},
     "caf\xC3\xA9  1  2\n"
     "\xE8\xAF\xAD    3  4\n"
     "abcd  5  6\n"},
    {100,
     {"\x1B[2J", "1", "2", NULL, NULL, NULL, "a", NULL, "3"},
     "\\u001b[2J  1  2\n\na             3\n"},
};

START_TEST(tables_line_up)
{
    struct table *table = table_create(COLUMNS);
    for (size_t i = 0; i < 9; i += COLUMNS)
        table_row(table, table_rows[_i].cells + i);
    struct out *out = out_memory();
    table_print(table, out, table_rows[_i].width);
    ck_assert_str_eq(out_memory_text(out, NULL), table_rows[_i].text);
    out_discard(out);
    table_destroy(table);
}
END_TEST

START_TEST(an_empty_table_prints_nothing)
{
    struct table *table = table_create(2);
    struct out *out = out_memory();
    table_print(table, out, 80);
    ck_assert_str_eq(out_memory_text(out, NULL), "");
    out_discard(out);
    table_destroy(table);
    table_destroy(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("table");
    TCase *tcase = tcase_create("print");
    tcase_add_loop_test(tcase, tables_line_up, 0, ROWS(table_rows));
    tcase_add_test(tcase, an_empty_table_prints_nothing);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
