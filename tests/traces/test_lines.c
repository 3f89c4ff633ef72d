/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines out of an input: ends, marks, lines across chunks, and the limit. */
#include "tests/lib/harness.h"
#include "traces/lines.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text;
    const char *lines[4];
} rows[] = {
    {"", {NULL}},
    {"\n", {"", NULL}},
    {"a", {"a", NULL}},
    {"a\n", {"a", NULL}},
    {"a\r\nb\r\n", {"a", "b", NULL}},
    {"a\n\nb", {"a", "", "b", NULL}},
    {"\xef\xbb\xbf"
     "a\nb",
     {"a", "b", NULL}},
    {"a\rb\n", {"a\rb", NULL}},
};

START_TEST(ends_of_lines)
{
    struct err err = {0};
    struct input *input = input_memory("m", rows[_i].text, strlen(rows[_i].text));
    struct lines *lines = lines_create(input);
    const char *text;
    size_t n;
    uint64_t number = 0;
    for (const char *const *expected = rows[_i].lines; *expected; expected++) {
        ck_assert_int_eq(lines_next(lines, &text, &n, &err), 1);
        ck_assert_uint_eq(n, strlen(*expected));
        ck_assert_int_eq(memcmp(text, *expected, n), 0);
        ck_assert_uint_eq(lines_number(lines), ++number);
    }
    ck_assert_int_eq(lines_next(lines, &text, &n, &err), 0);
    ck_assert_int_eq(lines_next(lines, &text, &n, &err), 0);
    lines_destroy(lines);
    input_close(input);
}
END_TEST

/* Lines of 0, 1, 2, ... characters, so that chunks end at every place of a line. */
START_TEST(lines_across_chunks)
{
    size_t most = 1200, used = 0;
    char *text = malloc(most * most);
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < most; i++) {
        memset(text + used, 'a' + (int)(i % 26), i);
        used += i;
        text[used++] = '\n';
    }
    struct err err = {0};
    struct input *input = input_memory("m", text, used);
    struct lines *lines = lines_create(input);
    const char *line;
    size_t n;
    for (size_t i = 0; i < most; i++) {
        ck_assert_int_eq(lines_next(lines, &line, &n, &err), 1);
        ck_assert_uint_eq(n, i);
        for (size_t k = 0; k < n; k++)
            ck_assert_int_eq(line[k], 'a' + (int)(i % 26));
    }
    ck_assert_int_eq(lines_next(lines, &line, &n, &err), 0);
    lines_destroy(lines);
    input_close(input);
    free(text);
}
END_TEST

START_TEST(a_line_without_end)
{
    size_t size = INPUT_PIECE_MAX + 100000;
    char *text = malloc(size);
    ck_assert_ptr_nonnull(text);
    memset(text, 'x', size);
    text[1] = '\n';
    struct err err = {0};
    struct input *input = input_memory("m", text, size);
    struct lines *lines = lines_create(input);
    const char *line;
    size_t n;
    ck_assert_int_eq(lines_next(lines, &line, &n, &err), 1);
    ck_assert_int_eq(lines_next(lines, &line, &n, &err), -1);
    ck_assert_str_eq(err.msg, "m:2:1: line longer than 16 MiB");
    lines_destroy(lines);
    input_close(input);
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lines");
    TCase *tcase = tcase_create("lines");
    tcase_add_loop_test(tcase, ends_of_lines, 0, ROWS(rows));
    tcase_add_test(tcase, lines_across_chunks);
    tcase_add_test(tcase, a_line_without_end);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
