/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time axis: tics at round hours, days, Mondays and months, computed with a calendar. */
#include "report/figures/plot.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <string.h>

#define HOUR   3600.0
#define DAY    86400.0
#define MARCH2 1772409600.0 /* Monday, 2026-03-02 00:00 UTC */

static const struct {
    const char *what;
    double first_s, span_s, window_s;
    const char *script[3];
} rows[] = {
    {"no date", 0, 4 * DAY, 4 * DAY, {"set xlabel 'days since the start of the window'\n"}},
    {"no date, and a drain",
     0,
     4 * DAY,
     2 * DAY,
     {"set xlabel 'days; the window ends at the dashed line'\n", "set arrow from 2,"}},
    {"hours",
     MARCH2 + 22 * HOUR,
     4 * HOUR,
     4 * HOUR,
     {"set xrange [0:4]\n", "set xlabel '2026, UTC'\n",
      "set xtics ('22:00' 0, '23:00' 1, '3 Mar' 2, '01:00' 3, '02:00' 4)\n"}},
    {"days from the evening",
     MARCH2 + 18 * HOUR,
     4 * DAY,
     4 * DAY,
     {"set xtics ('3 Mar' 0.25, '12:00' 0.75, '4 Mar' 1.25, '12:00' 1.75, "}},
    {"weeks begin on Mondays",
     MARCH2 + 2 * DAY,
     30 * DAY,
     30 * DAY,
     {"set xtics ('9 Mar' 5, '16 Mar' 12, '23 Mar' 19, '30 Mar' 26)\n"}},
    {"months over a new year",
     MARCH2 + 250 * DAY, /* 2026-11-07 */
     200 * DAY,
     100 * DAY,
     {"set xlabel '2026 to 2027, UTC; the window ends at the dashed line'\n",
      "set xtics ('Dec 2026' 24, 'Jan 2027' 55, 'Feb 2027' 86, 'Mar 2027' 114, 'Apr 2027' 145, "
      "'May 2027' 175)\n"}},
    {"quarters", MARCH2, 600 * DAY, 600 * DAY, {"set xtics ('Apr 2026' 30, 'Jul 2026' 121, "}},
};

START_TEST(tics_are_round)
{
    double first_s = rows[_i].first_s, last_s = first_s + rows[_i].span_s;
    struct plot_time time = plot_time_of(first_s, first_s + rows[_i].window_s, rows[_i].span_s);
    struct out *gp = out_memory();
    plot_time_range(gp, &time, first_s, last_s);
    const char *script = out_memory_text(gp, NULL);
    for (size_t i = 0; i < 3 && rows[_i].script[i]; i++)
        harness_contains(script, rows[_i].script[i]);
    ck_assert_msg(time.dated == (strstr(script, "set xtics") != NULL), "%s", rows[_i].what);
    out_discard(gp);
}
END_TEST

START_TEST(moments_have_dates)
{
    char text[64];
    struct plot_time dated = plot_time_of(MARCH2, (double)NAN, 5 * DAY);
    struct plot_time other = plot_time_of(0, (double)NAN, 5 * DAY);
    ck_assert_str_eq(plot_moment(text, &dated, MARCH2 + 1.5 * DAY), "2026-03-03 12:00");
    ck_assert_str_eq(plot_moment(text, &other, 1.5 * DAY), "day 1.5");
}
END_TEST

/* A class has the same colour in every run, whatever other classes there are. */
START_TEST(classes_keep_their_colour)
{
    ck_assert_uint_eq(palette_class("train", 0), palette_class("train", 5));
    ck_assert_uint_ne(palette_class("train", 0), palette_class("build", 0));
    ck_assert_uint_eq(palette_class("mine", PALETTE_COLORS + 3), 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plot");
    TCase *tcase = tcase_create("axis");
    tcase_add_loop_test(tcase, tics_are_round, 0, ROWS(rows));
    tcase_add_test(tcase, moments_have_dates);
    tcase_add_test(tcase, classes_keep_their_colour);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
