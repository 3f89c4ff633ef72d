/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dates of the clock: expected values are those of `date -u -d @SECONDS`. */
#include "report/words/dates.h"
#include "tests/lib/harness.h"

#include <math.h>

static const struct {
    double time_s;
    const char *minute, *day, *month;
    double month_start_s;
} rows[] = {
    {978307200, "2001-01-01 00:00", "1 Jan", "Jan 2001", 978307200},
    {951827696.5 + 86400 * 366, "2001-03-01 12:34", "1 Mar", "Mar 2001", 983404800},
    {1709251199, "2024-02-29 23:59", "29 Feb", "Feb 2024", 1706745600},
    {1772467470, "2026-03-02 16:04", "2 Mar", "Mar 2026", 1772323200},
    {1798761599.9, "2026-12-31 23:59", "31 Dec", "Dec 2026", 1796083200},
};

START_TEST(dates_are_those_of_the_calendar)
{
    char text[UNIT_TEXT];
    ck_assert(date_known(rows[_i].time_s));
    ck_assert_str_eq(date_minute(text, rows[_i].time_s), rows[_i].minute);
    ck_assert_str_eq(date_day(text, rows[_i].time_s), rows[_i].day);
    ck_assert_str_eq(date_month(text, rows[_i].time_s), rows[_i].month);
    ck_assert_double_eq(date_month_start(rows[_i].time_s), rows[_i].month_start_s);
}
END_TEST

START_TEST(other_clocks_have_none)
{
    ck_assert(!date_known(978307199));
    ck_assert(!date_known(0));
    ck_assert(!date_known(-1e12));
    ck_assert(!date_known(1e18));
    ck_assert(!date_known((double)NAN));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dates");
    TCase *tcase = tcase_create("dates");
    tcase_add_loop_test(tcase, dates_are_those_of_the_calendar, 0, ROWS(rows));
    tcase_add_test(tcase, other_clocks_have_none);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
