/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that -o names. */
#include "sim/program/page_output.c"
#include "tests/lib/harness.h"

#include <stddef.h>

static const struct {
    const char *path;
    enum page_output kind;
} rows[] = {
    {NULL, PAGE_NONE},          {"a.html", PAGE_HTML},     {"x.y/a.html", PAGE_HTML},
    {"a.md", PAGE_MARKDOWN},    {"out", PAGE_FOLDER},      {"out/", PAGE_FOLDER},
    {"/tmp/v1.2", PAGE_FOLDER}, {"x.html/b", PAGE_FOLDER}, {".hidden", PAGE_FOLDER},
    {"a.pdf", PAGE_UNKNOWN},    {"a.htm", PAGE_UNKNOWN},   {"out.d", PAGE_FOLDER},
};

START_TEST(kinds_go_by_the_name)
{
    ck_assert_int_eq(page_output_of(rows[_i].path), rows[_i].kind);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("page_output");
    TCase *tcase = tcase_create("names");
    tcase_add_loop_test(tcase, kinds_go_by_the_name, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
