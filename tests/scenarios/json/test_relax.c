/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comments and trailing commas become blanks; nothing else changes. */
#include "scenarios/json/relax.h"
#include "scenarios/json/source.h"
#include "tests/lib/harness.h"

#include <string.h>

static const struct relax_row {
    const char *before, *after;
} relax_rows[] = {
    {"", ""},
    {"{\"a\": 1}", "{\"a\": 1}"},
    {"{\"a\": 1,}", "{\"a\": 1 }"},
    {"[1, 2 , ]", "[1, 2   ]"},
    {"[1, // one\n 2]", "[1,       \n 2]"},
    {"[1, // one\r\n 2]", "[1,       \r\n 2]"},
    {"[1, /* a\nb */ 2]", "[1,     \n     2]"},
    {"[1, /* , */ ]", "[1          ]"},
    {"[{},]//", "[{} ]  "},
    {"[\"// no\", \"/* no */\", \"a\\\",]\"]", "[\"// no\", \"/* no */\", \"a\\\",]\"]"},
    {"[,]", "[,]"},
    {"[1,,]", "[1,,]"},
    {"{,}", "{,}"},
    {"[1] /* no end *", "[1] /* no end *"},
    {"/", "/"},
    {"/*/ 1", "/*/ 1"},
    {"\"no end //", "\"no end //"},
};

START_TEST(comments_and_trailing_commas_become_blanks)
{
    const struct relax_row *row = &relax_rows[_i];
    char text[64];
    size_t n = strlen(row->before);
    memcpy(text, row->before, n + 1);
    json_relax(text, n);
    ck_assert_str_eq(text, row->after);
    json_relax(text, n);
    ck_assert_str_eq(text, row->after);
}
END_TEST

START_TEST(lines_are_those_of_the_file)
{
    static const char text[] = "// head\n{\n  /* two\n lines */ \"a\": 1, // one\n  \"b\": 2,\n}\n";
    struct json_source source;
    struct err err = {0};
    ck_assert_msg(json_source_parse(&source, "t.json", text, strlen(text), &err), "%s", err.msg);
    ck_assert_uint_eq(json_source_line(&source, "a"), 4);
    ck_assert_uint_eq(json_source_line(&source, "b"), 5);
    json_source_close(&source);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json_relax");
    TCase *tcase = tcase_create("texts");
    tcase_add_loop_test(tcase, comments_and_trailing_commas_become_blanks, 0, ROWS(relax_rows));
    tcase_add_test(tcase, lines_are_those_of_the_file);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
