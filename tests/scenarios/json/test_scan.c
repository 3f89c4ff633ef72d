/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places in JSON text, and what must not occur in it. */
#include "scenarios/json/scan.h"
#include "tests/lib/harness.h"

#include <string.h>

static const char text[] = "{\n"
                           "  \"a\": 1,\n"
                           "  \"b,}\": \"x]\\\"\",\n"
                           "  \"list\": [1, [2, 3],\n"
                           "    {\"in\": {}, \"ner\": true}],\n"
                           "  \"last\" : -1.5e3\n"
                           "}\n";

static const struct place_row {
    unsigned ordinals[4];
    size_t depth, line, column;
} place_rows[] = {
    {{0}, 0, 1, 1}, // the whole text
    {{0}, 1, 2, 3}, // "a"
    {{1}, 1, 3, 3}, // "b,}"
    {{2}, 1, 4, 3}, // "list"
    {{2, 0}, 2, 4, 12},       {{2, 1}, 2, 4, 15},    {{2, 1, 1}, 3, 4, 19},
    {{2, 2}, 2, 5, 5},        {{2, 2, 1}, 3, 5, 16}, // "ner"
    {{3}, 1, 6, 3},           {{7}, 1, 1, 1},        // missing: the place around it
    {{2, 2, 1, 0}, 4, 5, 16},                        // nothing below true
};

START_TEST(values_have_places)
{
    const struct place_row *row = &place_rows[_i];
    size_t offset = json_scan_find(text, strlen(text), row->ordinals, row->depth);
    struct json_place place = json_place_of(text, strlen(text), offset);
    ck_assert_uint_eq(place.line, row->line);
    ck_assert_uint_eq(place.column, row->column);
}
END_TEST

START_TEST(places_are_found_in_any_text)
{
    // Truncated texts do not occur, but the scanner must stay inside its text anyway.
    static const unsigned ordinals[] = {2, 2, 1};
    for (size_t n = 0; n <= strlen(text); n++)
        ck_assert_uint_le(json_scan_find(text, n, ordinals, 3), n);
}
END_TEST

#define BYTES(literal) literal, sizeof(literal) - 1
// clang-format off
static const struct dirty_row {
    const char *text;
    size_t n, offset;
    const char *part; // NULL: clean
} dirty_rows[] = {
    {BYTES("{\"a\": \"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \\u00e9 \\\\\"}\r\n\t"), 0, NULL},
    {BYTES("\xef\xbb\xbf{}"), 0, NULL},
    {BYTES("{\"a\": \"\\\\u0000\"}"), 0, NULL},
    {BYTES("{\0}"), 1, "NUL"},
    {BYTES("{\"\0\"}"), 2, "NUL"},
    {BYTES("{\"a\\u0000\"}"), 3, "\\u0000"},
    {BYTES("\x7f\x45LF\xff"), 4, "UTF-8"},
    {BYTES("\x1f\x8b\x08"), 0, "control"},
    {BYTES("\"\xc0\xaf\""), 1, "UTF-8"},
    // overlong
    {BYTES("\"\xed\xa0\x80\""), 1, "UTF-8"},
    // surrogate
    {BYTES("\"\xf4\x90\x80\x80\""), 1, "UTF-8"},
    // too large
    {BYTES("\"\xe2\x82"), 1, "UTF-8"},
    // cut off
    {BYTES("\"a\nb\""), 2, "control"},
    {BYTES("{\v}"), 1, "control"},
    {BYTES("[[[[[[[[[[[[[[[[[[[[[[[["), 0, NULL},
    // 24
    {BYTES("[[[[[[[[[[[[[[[[[[[[[[[[["), 24, "more than 24"},
    {BYTES("\"[[[[[[[[[[[[[[[[[[[[[[[[[\""), 0, NULL},
};
// clang-format on

START_TEST(dirty_texts_are_refused)
{
    const struct dirty_row *row = &dirty_rows[_i];
    size_t offset = 0;
    const char *what = NULL;
    ck_assert_int_eq(json_scan_clean(row->text, row->n, &offset, &what), row->part == NULL);
    if (row->part) {
        ck_assert_uint_eq(offset, row->offset);
        harness_contains(what, row->part);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json_scan");
    TCase *tcase = tcase_create("scan");
    tcase_add_loop_test(tcase, values_have_places, 0, ROWS(place_rows));
    tcase_add_test(tcase, places_are_found_in_any_text);
    tcase_add_loop_test(tcase, dirty_texts_are_refused, 0, ROWS(dirty_rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
