/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and durations in text, and the nearest name. Expected values are arithmetic. */
#include "sim/base/text.h"
#include "tests/lib/harness.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text;
    bool ok;
    int64_t value;
} whole[] = {
    {"0", true, 0},
    {"7", true, 7},
    {"-7", true, -7},
    {"+7", true, 7},
    {"007", true, 7},
    {"123.0", true, 123},
    {"123.", true, 123},
    {"12e2", true, 1200},
    {"1.5e1", true, 15},
    {"1500e-2", true, 15},
    {"0e999999999999", true, 0},
    {"9223372036854775807", true, INT64_MAX},
    {"-9223372036854775808", true, INT64_MIN},
    {"999999999999999999", true, 999999999999999999},
    {"00000000000000000000000000000000000012", true, 12},
    {"9223372036854775808", false, 0},
    {"-9223372036854775809", false, 0},
    {"99999999999999999999999", false, 0},
    {"1e19", false, 0},
    {"1e999999999999", false, 0},
    {"1.5", false, 0},
    {"1e-3", false, 0},
    {"", false, 0},
    {"-", false, 0},
    {".", false, 0},
    {"-.", false, 0},
    {"e5", false, 0},
    {"1e", false, 0},
    {"1e+", false, 0},
    {"1e5x", false, 0},
    {" 1", false, 0},
    {"1 ", false, 0},
    {"0x10", false, 0},
    {"1,000", false, 0},
    {"1.2.3", false, 0},
    {"--1", false, 0},
    {"nan", false, 0},
};

START_TEST(whole_numbers)
{
    int64_t value = -99;
    const char *text = whole[_i].text;
    ck_assert_msg(text_i64(text, strlen(text), &value) == whole[_i].ok, "'%s'", text);
    ck_assert_int_eq(value, whole[_i].ok ? whole[_i].value : -99);
}
END_TEST

static const struct {
    const char *text;
    int digits;
    bool ok;
    int64_t value;
} scaled[] = {
    {"1.5", 3, true, 1500},
    {"1", 3, true, 1000},
    {"0.0004", 3, true, 0},
    {"0.0005", 3, true, 1},
    {"-0.0005", 3, true, -1},
    {"-0.0004", 3, true, 0},
    {"2.5", 0, true, 3},
    {"-2.5", 0, true, -3},
    {"2.49999999999999999999", 0, true, 2},
    {"1.23456", 3, true, 1235},
    {"1.2344999", 3, true, 1234},
    {".5", 3, true, 500},
    {"5.", 3, true, 5000},
    {"12345678.5", 3, true, 12345678500},
    {"123456789012", 6, true, 123456789012000000},
    {"1e-3", 3, true, 1},
    {"1E3", 3, true, 1000000},
    {"5e-4", 3, true, 1},
    {"4.9e-4", 3, true, 0},
    {"1e-400", 3, true, 0},
    {"0.00000000000000000001", 18, true, 0},
    {"9223372036854775.807", 3, true, INT64_MAX},
    {"9223372036854775.8071", 3, true, INT64_MAX},
    {"9223372036854775.8075", 3, false, 0},
    {"-9223372036854775.808", 3, true, INT64_MIN},
    {"9223372036854775.808", 3, false, 0},
    {"1e18", 3, false, 0},
    {"99999999999999999999", 0, false, 0},
    {"abc", 3, false, 0},
    {"1.5s", 3, false, 0},
    {"", 3, false, 0},
};

START_TEST(scaled_numbers_round_half_away_from_zero)
{
    int64_t value = -99;
    const char *text = scaled[_i].text;
    ck_assert_msg(text_scaled(text, strlen(text), scaled[_i].digits, &value) == scaled[_i].ok,
                  "'%s'", text);
    ck_assert_int_eq(value, scaled[_i].ok ? scaled[_i].value : -99);
}
END_TEST

/* The fast path for short numbers and the slow path must agree: leading zeros force the slow one.
 */
START_TEST(short_and_long_way_agree)
{
    char plain[40], padded[80];
    for (int i = 0; i < 5000; i++) {
        int64_t a = -1, b = -2;
        (void)snprintf(plain, sizeof plain, "%d.%0*d", i * 7919 % 100003, 1 + i % 5, i % 10);
        (void)snprintf(padded, sizeof padded, "0000000000000%s", plain);
        ck_assert(text_scaled(plain, strlen(plain), i % 7, &a));
        ck_assert(text_scaled(padded, strlen(padded), i % 7, &b));
        ck_assert_msg(a == b, "%s with %d digits: %lld and %lld", plain, i % 7, (long long)a,
                      (long long)b);
    }
}
END_TEST

static const struct {
    const char *text;
    bool ok;
    double value;
} real[] = {
    {"1.5", true, 1.5},   {"-2e3", true, -2000}, {"0.1", true, 0.1}, {"1e308", true, 1e308},
    {"1e309", false, 0},  {"inf", false, 0},     {"nan", false, 0},  {"0x1p3", false, 0},
    {"1.5abc", false, 0}, {"", false, 0},
};

START_TEST(real_numbers)
{
    double value = -99;
    const char *text = real[_i].text;
    ck_assert_msg(text_f64(text, strlen(text), &value) == real[_i].ok, "'%s'", text);
    ck_assert_double_eq_tol(value, real[_i].ok ? real[_i].value : -99, DBL_MIN);
}
END_TEST

START_TEST(real_numbers_are_those_of_strtod)
{
    uint64_t random = 1;
    char text[40];
    for (int i = 0; i < 100000; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int decimals = (int)(random >> 40) % 16, digits = 1 + (int)(random >> 50) % 17;
        uint64_t most = 10;
        while (--digits > 0)
            most *= 10;
        uint64_t number = (random >> 4) % most;
        int n = i % 2 == 0
                    ? snprintf(text, sizeof text, "%llu", (unsigned long long)number)
                    : snprintf(text, sizeof text, "%llu.%0*llu", (unsigned long long)(number >> 20),
                               decimals, (unsigned long long)(random >> 44));
        double value;
        ck_assert(text_f64(text, (size_t)n, &value));
        double expected = strtod(text, NULL);
        ck_assert_msg(memcmp(&value, &expected, sizeof value) == 0, "'%s': %.17g", text, value);
    }
}
END_TEST

START_TEST(length_counts_and_not_the_nul)
{
    int64_t value;
    double number;
    ck_assert(text_i64("123456", 3, &value));
    ck_assert_int_eq(value, 123);
    ck_assert(!text_i64("1\0002", 3, &value));
    ck_assert(!text_scaled("1\0002", 3, 3, &value));
    ck_assert(!text_f64("1\0002", 3, &number));
}
END_TEST

static const struct {
    const char *text;
    bool ok;
    int64_t ms;
} durations[] = {
    {"90", true, 90000},
    {"90s", true, 90000},
    {"1.5s", true, 1500},
    {"15m", true, 900000},
    {"2h", true, 7200000},
    {"14d", true, 1209600000},
    {"1w", true, 604800000},
    {"0", true, 0},
    {"0.5h", true, 1800000},
    {"0.0001h", true, 360},
    {"0.0001m", true, 6},
    {"0.00001m", true, 1}, // 0.6 ms
    {"9223372036854775807", false, 0},
    {"1e15d", false, 0},
    {"-1s", false, 0},
    {"-0.1m", false, 0},
    {"s", false, 0},
    {"", false, 0},
    {"1.5 h", false, 0},
    {"1y", false, 0},
    {"1hh", false, 0},
};

START_TEST(durations_in_units)
{
    int64_t ms = -99;
    const char *text = durations[_i].text;
    ck_assert_msg(text_duration_ms(text, strlen(text), &ms) == durations[_i].ok, "'%s'", text);
    ck_assert_int_eq(ms, durations[_i].ok ? durations[_i].ms : -99);
}
END_TEST

static const char *const known[] = {"job_id", "submit_s", "duration_s", "gpus", "queue"};

static const struct {
    const char *name, *nearest;
} near[] = {
    {"gpu", "gpus"},
    {"GPUS", "gpus"},
    {"jobid", "job_id"},
    {"submit", "submit_s"},
    {"sumbit_s", "submit_s"}, // two neighbours exchanged: one step
    {"duration", "duration_s"},
    {"queeu", "queue"},
    {"", NULL},
    {"x", NULL},
    {"colour", NULL},
    {"completely_different_and_much_longer_than_any_other_name_in_the_table_of_names", NULL},
};

START_TEST(nearest_name)
{
    const char *nearest =
        text_nearest(near[_i].name, known, sizeof known / sizeof *known, sizeof *known);
    if (near[_i].nearest)
        ck_assert_pstr_eq(nearest, near[_i].nearest);
    else
        ck_assert_ptr_null(nearest);
}
END_TEST

/* In a short name, two edits are accepted if its beginning matches; nonsense matches nothing. */
START_TEST(short_names)
{
    static const char *const names[] = {"fifo", "sjf", "skip", "strict"};
    static const struct {
        const char *name, *nearest;
    } rows[] = {
        {"fof", "fifo"}, {"skp", "skip"}, {"strc", "strict"}, {"sj", "sjf"}, {"oifo", "fifo"},
        {"abcd", NULL},  {"xifx", NULL},  {"ten", NULL},      {"f", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_pstr_eq(text_nearest(rows[i].name, names, 4, sizeof *names), rows[i].nearest);
}
END_TEST

START_TEST(suggestions_read_names_by_stride)
{
    static const struct {
        const char *name;
        int other;
    } rows[] = {
        {"fifo", 1},
        {"sjf", 2},
    };
    char text[64];
    ck_assert_str_eq(text_suggest(text, sizeof text, "fiof", &rows->name, 2, sizeof *rows),
                     ", did you mean 'fifo'?");
    ck_assert_str_eq(text_suggest(text, sizeof text, "sfj", &rows->name, 2, sizeof *rows),
                     ", did you mean 'sjf'?");
    ck_assert_str_eq(text_suggest(text, sizeof text, "lottery", &rows->name, 2, sizeof *rows), "");
}
END_TEST

START_TEST(the_end_of_a_name_does_not_match)
{
    ck_assert(text_ends_in("a.json", ".json"));
    ck_assert(!text_ends_in(".json", ".json"));
    ck_assert(!text_ends_in("a.json.gz", ".json"));
    ck_assert(!text_ends_in("json", ".json"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("text");
    TCase *tcase = tcase_create("text");
    tcase_add_loop_test(tcase, whole_numbers, 0, ROWS(whole));
    tcase_add_loop_test(tcase, scaled_numbers_round_half_away_from_zero, 0, ROWS(scaled));
    tcase_add_test(tcase, short_and_long_way_agree);
    tcase_add_loop_test(tcase, real_numbers, 0, ROWS(real));
    tcase_add_test(tcase, real_numbers_are_those_of_strtod);
    tcase_add_test(tcase, length_counts_and_not_the_nul);
    tcase_add_loop_test(tcase, durations_in_units, 0, ROWS(durations));
    tcase_add_loop_test(tcase, nearest_name, 0, ROWS(near));
    tcase_add_test(tcase, short_names);
    tcase_add_test(tcase, suggestions_read_names_by_stride);
    tcase_add_test(tcase, the_end_of_a_name_does_not_match);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
