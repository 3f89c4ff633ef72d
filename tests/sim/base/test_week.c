/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of the week: valid texts, and arithmetic across the end of a week. */
#include "sim/base/week.h"
#include "tests/lib/harness.h"

#include <string.h>

#define HOUR INT64_C(3600000)
#define DAY  (24 * HOUR)

static const struct {
    const char *text;
    int64_t ms; /* -1: refused */
} rows[] = {
    {"mon 00:00", 0},
    {"mon 09:00", 9 * HOUR},
    {"Fri 17:30", 4 * DAY + 17 * HOUR + HOUR / 2},
    {"sunday 23:59:59", 7 * DAY - 1000},
    {"WEDNESDAY 12:00", 2 * DAY + 12 * HOUR},
    {"tue 24:00", 2 * DAY},
    {"sun 24:00", 0},
    {"", -1},
    {"mon", -1},
    {"mon ", -1},
    {"mon 9:00", -1},
    {"mon 09", -1},
    {"mon 09:", -1},
    {"mon 09:60", -1},
    {"mon 25:00", -1},
    {"mon 24:01", -1},
    {"mon 09:00:", -1},
    {"mon 09:00:00:00", -1},
    {"mon 09:00 ", -1},
    {"moon 09:00", -1},
    {"mo 09:00", -1},
    {"09:00", -1},
};

START_TEST(times_are_read_or_refused)
{
    int64_t ms = -1;
    ck_assert_int_eq(week_parse(rows[_i].text, strlen(rows[_i].text), &ms), rows[_i].ms >= 0);
    ck_assert_int_eq(ms, rows[_i].ms);
}
END_TEST

START_TEST(times_repeat_every_week)
{
    ck_assert_int_eq(week_time(8 * DAY, 0), DAY);
    ck_assert_int_eq(week_time(0, DAY), 6 * DAY);
    ck_assert_int_eq(week_time(-1, 0), WEEK_MS - 1);
    ck_assert_int_eq(week_next(0, 0, 9 * HOUR), 9 * HOUR);
    ck_assert_int_eq(week_next(9 * HOUR, 0, 9 * HOUR), WEEK_MS + 9 * HOUR);
    ck_assert_int_eq(week_next(10 * HOUR, 0, 9 * HOUR), WEEK_MS + 9 * HOUR);
    ck_assert_int_eq(week_next(0, DAY, 0), DAY);
}
END_TEST

/* 2026-11-23 was a Monday. */
START_TEST(clocks_with_dates_know_their_mondays)
{
    const int64_t monday = INT64_C(1795392000000);
    ck_assert_int_eq(week_time(monday, week_monday(monday)), 0);
    ck_assert_int_eq(week_time(monday + 30 * HOUR, week_monday(monday - DAY)), 30 * HOUR);
    ck_assert_int_eq(week_time(9 * DAY, week_monday(9 * DAY)), 2 * DAY);
}
END_TEST

START_TEST(spans_may_run_over_the_end_of_the_week)
{
    ck_assert(week_within(9 * HOUR, 9 * HOUR, 17 * HOUR));
    ck_assert(!week_within(17 * HOUR, 9 * HOUR, 17 * HOUR));
    ck_assert(week_within(6 * DAY, 5 * DAY, HOUR));
    ck_assert(week_within(0, 5 * DAY, HOUR));
    ck_assert(!week_within(HOUR, 5 * DAY, HOUR));
    ck_assert(week_within(3 * DAY, DAY, DAY));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("week");
    TCase *tcase = tcase_create("times");
    tcase_add_loop_test(tcase, times_are_read_or_refused, 0, ROWS(rows));
    tcase_add_test(tcase, times_repeat_every_week);
    tcase_add_test(tcase, clocks_with_dates_know_their_mondays);
    tcase_add_test(tcase, spans_may_run_over_the_end_of_the_week);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
