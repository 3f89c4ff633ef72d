/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charts of text: whole lines compared, and that each has the requested width. */
#include "report/terminal/spark.h"
#include "report/words/units.h"
#include "tests/lib/harness.h"

#include <math.h>

static const struct {
    struct spark_terminal at;
    enum spark spark;
} choice_rows[] = {
    {{false, "xterm", "C.UTF-8", NULL}, SPARK_NONE},
    {{true, "xterm", "C.UTF-8", NULL}, SPARK_UNICODE},
    {{true, "xterm", "en_US.utf8", ""}, SPARK_UNICODE},
    {{true, "xterm", "en_US.utf8", "1"}, SPARK_ASCII},
    {{true, "xterm", "de_DE.UTF-8@euro", NULL}, SPARK_UNICODE},
    {{true, "dumb", "C.UTF-8", NULL}, SPARK_ASCII},
    {{true, NULL, "C.UTF-8", NULL}, SPARK_ASCII},
    {{true, "xterm", "C", NULL}, SPARK_ASCII},
    {{true, "xterm", "de_DE.ISO-8859-1", NULL}, SPARK_ASCII},
    {{true, "xterm", NULL, NULL}, SPARK_ASCII},
};

START_TEST(the_environment_chooses)
{
    ck_assert_int_eq(spark_choose(&choice_rows[_i].at), choice_rows[_i].spark);
}
END_TEST

static void check(struct out *out, const char *text, size_t width)
{
    ck_assert_str_eq(out_memory_text(out, NULL), text);
    ck_assert_uint_eq(unit_width(text), width);
    out_discard(out);
}

#define N ((double)NAN)

static const struct {
    size_t count, width;
    double value[16], top;
    const char *unicode, *ascii;
} line_rows[] = {
    {9, 9, {0, 1, 2, 3, 4, 5, 6, 7, 8}, 0, "_▁▂▃▄▅▆▇█", "_.:-=+*%@"},
    {9, 9, {0, 1, 2, 3, 4, 5, 6, 7, 8}, 16, "_▁▁▂▂▃▃▄▄", "_..::--=="},
    {4, 4, {1, N, 0.001, 1}, 0, "█ ▁█", "@ .@"},
    {4, 2, {0, 8, 4, 4}, 8, "▄▄", "=="}, // means of two
    {4, 2, {N, 8, N, N}, 8, "█ ", "@ "}, // of the known ones
    {2, 6, {4, 8}, 0, "▄▄▄███", "===@@@"},
    {3, 3, {0, 0, N}, 0, "__ ", "__ "},
    {0, 3, {0}, 0, "   ", "   "},
    {2, 2, {99, 1}, 2, "█▄", "@="}, // never above the top
};

START_TEST(series_are_drawn)
{
    for (int spark = SPARK_ASCII; spark <= SPARK_UNICODE; spark++) {
        struct out *out = out_memory();
        spark_line(out, (enum spark)spark, line_rows[_i].value, line_rows[_i].count,
                   line_rows[_i].top, line_rows[_i].width);
        check(out, spark == SPARK_ASCII ? line_rows[_i].ascii : line_rows[_i].unicode,
              line_rows[_i].width);
    }
}
END_TEST

static const struct {
    double share;
    const char *unicode, *ascii;
} bar_rows[] = {
    {0, "    ", "    "},       {1, "████", "####"},  {0.5, "██  ", "##  "},
    {0.53125, "██▏ ", "##- "}, // 17 of 32 eighths
    {0.65625, "██▋ ", "##= "}, // 21
    {1e-6, "▏   ", "-   "},    // small values are visible
    {7, "████", "####"},       {-1, "    ", "    "}, {N, "    ", "    "},
};

START_TEST(bars_are_drawn)
{
    for (int spark = SPARK_ASCII; spark <= SPARK_UNICODE; spark++) {
        struct out *out = out_memory();
        spark_bar(out, (enum spark)spark, bar_rows[_i].share, 4);
        check(out, spark == SPARK_ASCII ? bar_rows[_i].ascii : bar_rows[_i].unicode, 4);
    }
}
END_TEST

static const struct {
    double part[7];
    size_t count, width;
    const char *unicode, *ascii;
} part_rows[] = {
    {{5, 3, 2}, 3, 10, "█████▓▓▓▒▒", "#####===++"},
    {{1, 1, 1},
     3,
     10,
     "████▓▓▓▒▒▒",
     "####===+++"},                       // the remaining column goes to the first of equals
    {{55, 25, 20}, 3, 4, "██▓▒", "##=+"}, // due 2.2, 1, 0.8
    {{0, N, 4}, 3, 4, "▒▒▒▒", "++++"},
    {{0, 0, 0}, 3, 4, "    ", "    "},
    {{1, 1, 1, 1, 1, 1, 1}, 7, 7, "█▓▒░╱·█", "#=+-/.#"},
};

START_TEST(parts_add_up_to_the_width)
{
    for (int spark = SPARK_ASCII; spark <= SPARK_UNICODE; spark++) {
        struct out *out = out_memory();
        spark_parts(out, (enum spark)spark, part_rows[_i].part, part_rows[_i].count,
                    part_rows[_i].width);
        check(out, spark == SPARK_ASCII ? part_rows[_i].ascii : part_rows[_i].unicode,
              part_rows[_i].width);
    }
}
END_TEST

/* A column per unit from -5 to 5. */
static const struct {
    struct spark_interval interval;
    const char *unicode, *ascii;
} interval_rows[] = {
    {{-2.5, -0.5, 2.5, 0.5}, "  ──●┼──  ", "  --o+--  "},
    {{1.5, 2.5, 3.5, 0.5}, "     │─●─ ", "     |-o- "},
    {{-9, -4.5, 2.5, 0.5}, "●────┼──  ", "o----+--  "},
    {{-9, -3.5, 2.5, 0.5}, "◀●───┼──  ", "<o---+--  "},
    {{1.5, 9, 19, N}, "      ───▶", "      --->"},
    {{6, 7, 8, 0.5}, "     │   ▶", "     |   >"},
    {{N, N, N, 0.5}, "     │    ", "     |    "},
    {{N, 3.5, N, 0.5}, "     │  ● ", "     |  o "}, // an estimate alone
};

START_TEST(intervals_are_drawn)
{
    const struct spark_scale scale = {-5, 5, false};
    for (int spark = SPARK_ASCII; spark <= SPARK_UNICODE; spark++) {
        struct out *out = out_memory();
        spark_interval(out, (enum spark)spark, &interval_rows[_i].interval, &scale, 10);
        check(out, spark == SPARK_ASCII ? interval_rows[_i].ascii : interval_rows[_i].unicode, 10);
    }
}
END_TEST

START_TEST(scales_are_even)
{
    const struct spark_scale log = {1, 10000, true}, even = {0, 40, false};
    ck_assert_double_eq_tol(spark_at(&log, 0, 2), 10, 1e-9);
    ck_assert_double_eq_tol(spark_at(&log, 1, 2), 1000, 1e-9);
    ck_assert_double_eq_tol(spark_at(&even, 3, 4), 35, 1e-9);
}
END_TEST

START_TEST(tics_of_time_do_not_touch)
{
    // Columns per factor of ten: 8; 1m at log10(60) x 8 = 14.2, 1h at 28.4, 6h at 34.7, 1d at 39.5.
    const struct spark_scale scale = {1, 1e6, true};
    struct out *out = out_memory();
    spark_durations(out, &scale, 48);
    check(out, "1s      10s   1m      10m   1h    6h   1d     7d", 48);
    out = out_memory();
    spark_durations(out, &scale,
                    12); // 2 columns per factor: 10s would touch 1s, 10m 1m, 6h and 1d (at 9.9) 1h
    check(out, "1s 1m  1h   ", 12);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("spark");
    TCase *tcase = tcase_create("charts");
    tcase_add_loop_test(tcase, the_environment_chooses, 0, ROWS(choice_rows));
    tcase_add_loop_test(tcase, series_are_drawn, 0, ROWS(line_rows));
    tcase_add_loop_test(tcase, bars_are_drawn, 0, ROWS(bar_rows));
    tcase_add_loop_test(tcase, parts_add_up_to_the_width, 0, ROWS(part_rows));
    tcase_add_loop_test(tcase, intervals_are_drawn, 0, ROWS(interval_rows));
    tcase_add_test(tcase, scales_are_even);
    tcase_add_test(tcase, tics_of_time_do_not_touch);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
