/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wall clocks, offsets and spans; moments are those of `TZ=... date -d`. */
#include "tests/lib/harness.h"
#include "traces/times.h"

#include <string.h>

static const struct {
    const char *text;
    const struct times_zone *zone;
    int64_t ms;
} clocks[] = {
    {"1970-01-01 00:00:00", &times_utc, 0},
    {"2020-09-01 00:00:03", &times_china, INT64_C(1598889603000)},
    {"2021-01-01T21:18:32", &times_utc, INT64_C(1609535912000)},
    {"2023-11-16 18:15:46.6805900", &times_utc, INT64_C(1700158546680)},
    {"2023-05-01 00:00:00+08:00", &times_us_pacific, INT64_C(1682870400000)},
    {"2023-05-01T00:00:00Z", &times_china, INT64_C(1682899200000)},
    {"2023-05-01 00:00:00.25-0730", &times_utc, INT64_C(1682926200250)},
    {"2017-09-04 10:30:41", &times_us_pacific, INT64_C(1504546241000)}, // PDT
    {"2017-12-22 08:02:11", &times_us_pacific, INT64_C(1513958531000)}, // PST
    {"2017-03-12 01:59:59", &times_us_pacific, INT64_C(1489312799000)},
    {"2017-03-12 03:00:00", &times_us_pacific, INT64_C(1489312800000)}, // one second later
    {"2017-11-05 01:59:59", &times_us_pacific, INT64_C(1509872399000)}, // the first of two
    {"2017-11-05 02:00:00", &times_us_pacific, INT64_C(1509876000000)},
};

START_TEST(moments)
{
    int64_t ms = -1;
    ck_assert(times_clock(clocks[_i].text, strlen(clocks[_i].text), clocks[_i].zone, &ms));
    ck_assert_int_eq(ms, clocks[_i].ms);
}
END_TEST

/* `date -u -d @S +%FT%TZ` */
static const struct {
    int64_t ms;
    const char *text;
} texts[] = {
    {0, "1970-01-01T00:00:00Z"},
    {INT64_C(1598889603999), "2020-08-31T16:00:03Z"},
    {INT64_C(1709164800000), "2024-02-29T00:00:00Z"},
    {-1, "1969-12-31T23:59:59Z"},
    {INT64_C(-2203891200000), "1900-03-01T00:00:00Z"},
    {INT64_C(253402300799000), "9999-12-31T23:59:59Z"},
    {INT64_MAX, "9999-12-31T23:59:59Z"},
    {INT64_MIN, "0000-03-01T00:00:00Z"},
};

START_TEST(moments_as_text)
{
    char buffer[TIMES_TEXT];
    ck_assert_str_eq(times_text(texts[_i].ms, buffer), texts[_i].text);
}
END_TEST

static const char *const no_clocks[] = {
    "",
    "2020-09-01",
    "2020-09-01 00:00",
    "2020/09/01 00:00:00",
    "1969-12-31 23:59:59",
    "2021-02-29 00:00:00",
    "2020-13-01 00:00:00",
    "2020-09-01 24:00:00",
    "2020-09-01 00:00:00.",
    "2020-09-01 00:00:00 ",
    "2020-09-01 00:00:00+8",
    "2020-09-01 00:00:00+19:00",
    "2020-09-01 00:00:00+08:60",
    "Unknown",
};

/* Any usual form; 1767600000 is 2026-01-05T08:00:00Z. */
static const struct {
    const char *text;
    int64_t ms; /* INT64_MIN: none */
} written[] = {
    {"1767600000", INT64_C(1767600000000)},
    {"1767600000.5", INT64_C(1767600000500)},
    {"1.7676e9", INT64_C(1767600000000)},
    {"1767600000123", INT64_C(1767600000123)},
    {"1767600000123456", INT64_C(1767600000123)},
    {"1767600000123456789", INT64_C(1767600000123)},
    {"0", 0},
    {"-5", -5000},
    {"99999999999", INT64_C(99999999999000)},
    {"100000000000", INT64_C(100000000000)},
    {"2026-01-05T09:00:00", INT64_C(1767600000000)}, // an hour east of Greenwich
    {"2026-01-05 08:00:00Z", INT64_C(1767600000000)},
    {"2026-01-05 08:00:00 UTC", INT64_C(1767600000000)},
    {"2026-01-05 08:00 GMT", INT64_C(1767600000000)},
    {"2026/01/05 10:00:00.250 +0200", INT64_C(1767600000250)},
    {"2026-01-05T09:00", INT64_C(1767600000000)},
    {"2026-01-05", INT64_C(1767567600000)},
    {"05.01.2026 08:00", INT64_MIN},
    {"2026-01-05 8:00", INT64_MIN},
    {"2026-01-05 08:00:00 CET", INT64_MIN},
    {"99999999999999999999", INT64_MIN},
    {"2026-01-05T08:00:00 and a text that is too long to be any moment at all", INT64_MIN},
    {"Unknown", INT64_MIN},
    {"", INT64_MIN},
};

START_TEST(moments_of_logs)
{
    const struct times_zone east = {3600, TIMES_NO_SUMMER};
    int64_t ms = INT64_MIN;
    bool found = times_moment(written[_i].text, strlen(written[_i].text), &east, &ms);
    ck_assert_int_eq(found ? ms : INT64_MIN, written[_i].ms);
}
END_TEST

START_TEST(no_moments)
{
    int64_t ms;
    ck_assert(!times_clock(no_clocks[_i], strlen(no_clocks[_i]), &times_utc, &ms));
}
END_TEST

static const struct {
    const char *text;
    int64_t ms; /* -1: none */
} spans[] = {
    {"00:00:00", 0},           {"01:02:03", 3723000},
    {"2-00:00:01", 172801000}, {"365-00:00:00", INT64_C(31536000000)},
    {"02:03.5", 123500},       {"99:00:00", INT64_C(356400000)},
    {"1:00:00", 3600000},      {"1-1:00:00", -1},
    {"00:60:00", -1},          {"-01:00:00", -1},
    {"12345678-00:00:00", -1}, {"1-02:03", -1},
    {"UNLIMITED", -1},         {"", -1},
};

START_TEST(elapsed)
{
    int64_t ms = -1;
    ck_assert_int_eq(times_elapsed(spans[_i].text, strlen(spans[_i].text), &ms), spans[_i].ms >= 0);
    ck_assert_int_eq(ms, spans[_i].ms);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("times");
    TCase *tcase = tcase_create("times");
    tcase_add_loop_test(tcase, moments, 0, ROWS(clocks));
    tcase_add_loop_test(tcase, moments_as_text, 0, ROWS(texts));
    tcase_add_loop_test(tcase, no_moments, 0, ROWS(no_clocks));
    tcase_add_loop_test(tcase, moments_of_logs, 0, ROWS(written));
    tcase_add_loop_test(tcase, elapsed, 0, ROWS(spans));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
