/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and names for people, row by row. */
#include "report/words/units.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdlib.h>

typedef const char *formatter(char text[UNIT_TEXT], double value);

static const struct {
    formatter *format;
    double value;
    const char *text;
} number_rows[] = {
    {unit_duration, 0, "0s"},
    {unit_duration, 0.04, "0s"},
    {unit_duration, 0.4, "0.4s"},
    {unit_duration, 4.5, "4.5s"},
    {unit_duration, 9.97, "10s"},
    {unit_duration, 45, "45s"},
    {unit_duration, 59.6, "1m00s"},
    {unit_duration, 725, "12m05s"},
    {unit_duration, 3599.7, "1h00m"},
    {unit_duration, 11520, "3h12m"},
    {unit_duration, 86399, "1d00h"},
    {unit_duration, 187200, "2d04h"},
    {unit_duration, 10627200, "123d"},
    {unit_duration, -90, "-1m30s"},
    {unit_duration, (double)NAN, "-"},
    {unit_duration, (double)INFINITY, "-"},
    {unit_percent, 0.6412, "64.1%"},
    {unit_percent, 1, "100.0%"},
    {unit_percent, (double)NAN, "-"},
    {unit_count, 0, "0"},
    {unit_count, 999, "999"},
    {unit_count, 23859, "23,859"},
    {unit_count, 1234567, "1,234,567"},
    {unit_count, 23859.5, "23,859.5"},
    {unit_count, -1000, "-1,000"},
    {unit_count, -0.001, "0"},
    {unit_count, (double)NAN, "-"},
    {unit_count, 2e15, "2.000e+15"},
    {unit_amount, 0, "0"},
    {unit_amount, 1.254, "1.25"},
    {unit_amount, 9.996, "10.0"},
    {unit_amount, 12.54, "12.5"},
    {unit_amount, 125.4, "125"},
    {unit_amount, 12540, "12,540"},
    {unit_exact, 16, "16"},
    {unit_exact, 0.25, "0.25"},
    {unit_exact, 1024.5, "1,024.5"},
    {unit_exact, 1.0 / 3, "0.333"},
    {unit_ratio, 0.9117, "0.912"},
};

START_TEST(numbers_read_well)
{
    char text[UNIT_TEXT];
    ck_assert_str_eq(number_rows[_i].format(text, number_rows[_i].value), number_rows[_i].text);
}
END_TEST

static const struct {
    const char *name;
    size_t limit;
    const char *safe;
    size_t width;
} name_rows[] = {
    {"research", 0, "research", 8},
    {"a long name", 8, "a lon...", 8},
    {"exactly8", 8, "exactly8", 8},
    {"ab", 1, ".", 1},
    {"caf\xC3\xA9", 0, "caf\xC3\xA9", 4},
    {"\xE8\xAF\xAD\xE8\xA8\x80", 0, "\xE8\xAF\xAD\xE8\xA8\x80", 4},
    {"e\xCC\x81", 0, "e\xCC\x81", 1},
    {"\x1B[31mred\x07", 0, "\\u001b[31mred\\u0007", 19},
    {"line\nbreak", 0, "line\\nbreak", 11},
    {"\xFF\xFEzz", 0, "\\xff\\xfezz", 10},
    {"cut \xE2\x82", 0, "cut \\xe2\\x82", 12},
    {"\xC0\xAF overlong", 0, "\\xc0\\xaf overlong", 17},
    {"\xED\xA0\x80 surrogate", 0, "\\xed\\xa0\\x80 surrogate", 22},
    {"\xE2\x80\xAE"
     "evil",
     0, "\\u202eevil", 10},
    {"", 0, "", 0},
};

START_TEST(names_are_safe)
{
    char *safe = unit_name(name_rows[_i].name, name_rows[_i].limit);
    ck_assert_str_eq(safe, name_rows[_i].safe);
    ck_assert_uint_eq(unit_width(safe), name_rows[_i].width);
    free(safe);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("units");
    TCase *tcase = tcase_create("texts");
    tcase_add_loop_test(tcase, numbers_read_well, 0, ROWS(number_rows));
    tcase_add_loop_test(tcase, names_are_safe, 0, ROWS(name_rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
