/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dates, clocks and spans; see times.h. */
#include "traces/times.h"

#include "sim/base/text.h"

#include <stdio.h>
#include <string.h>

#define HOUR_S INT64_C(3600)
#define DAY_S  INT64_C(86400)

#define MOMENT_TEXT 64 /* a longer text is no moment */

const struct times_zone times_utc = {0, TIMES_NO_SUMMER};
const struct times_zone times_china = {8 * HOUR_S, TIMES_NO_SUMMER};
const struct times_zone times_us_pacific = {-8 * HOUR_S, TIMES_UNITED_STATES};

/* Days from 1970-01-01 to a date of the Gregorian calendar (H. Hinnant's days_from_civil, for years
 * from 1970). */
static int64_t days_since_1970(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = year / 400, of_era = year % 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = of_era * 365 + of_era / 4 - of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

/* The inverse (civil_from_days); `days` must not be before March of year 0. */
static void date_of(int64_t days, int64_t date[3])
{
    days += 719468;
    int64_t era = days / 146097, of_era = days % 146097;
    int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month = (5 * day_of_year + 2) / 153;
    date[2] = day_of_year - (153 * month + 2) / 5 + 1;
    date[1] = month < 10 ? month + 3 : month - 9;
    date[0] = year_of_era + era * 400 + (date[1] <= 2);
}

const char *times_text(int64_t ms, char buffer[TIMES_TEXT])
{
    static const int64_t first = INT64_C(-62162035200), last = INT64_C(253402300799);
    int64_t s = ms / 1000 - (ms % 1000 < 0), date[3];
    s = s < first ? first : s > last ? last : s;
    int64_t days = s / DAY_S - (s % DAY_S < 0), of_day = s - days * DAY_S;
    date_of(days, date);
    (void)snprintf(buffer, TIMES_TEXT, "%04u-%02u-%02uT%02u:%02u:%02uZ", (unsigned)date[0] % 10000,
                   (unsigned)date[1] % 100, (unsigned)date[2] % 100,
                   (unsigned)(of_day / HOUR_S) % 100, (unsigned)(of_day / 60 % 60),
                   (unsigned)(of_day % 60));
    return buffer;
}

static int64_t days_in(int64_t year, int64_t month)
{
    static const int64_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

/* The n-th Sunday of a month at 02:00 local time, in seconds since 1970 as if it were UTC.
 * 1970-01-04 was a Sunday. */
static int64_t sunday_at_two(int64_t year, int64_t month, int64_t n)
{
    int64_t first = days_since_1970(year, month, 1);
    int64_t sunday = first + (3 - first % 7 + 7) % 7;
    return (sunday + 7 * (n - 1)) * DAY_S + 2 * HOUR_S;
}

static int64_t summer_s(const struct times_zone *zone, int64_t year, int64_t clock_s)
{
    if (zone->summer != TIMES_UNITED_STATES)
        return 0;
    bool summer = clock_s >= sunday_at_two(year, 3, 2) && clock_s < sunday_at_two(year, 11, 1);
    return summer ? HOUR_S : 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Matches a pattern: 'd' is a digit of the current number, '?' a blank or a T; any other character
 * matches itself and ends the number. */
static bool follow(const char *pattern, const char *text, int64_t *parts)
{
    size_t part = 0;
    for (size_t i = 0; pattern[i]; i++) {
        char wanted = pattern[i], c = text[i];
        if (wanted == 'd' ? !is_digit(c) : wanted == '?' ? c != ' ' && c != 'T' : c != wanted)
            return false;
        if (wanted == 'd')
            parts[part] = parts[part] * 10 + (c - '0');
        else
            part++;
    }
    return true;
}

bool times_offset(const char *text, size_t n, int64_t *offset_s)
{
    static const char *const patterns[] = {"dd", "dddd", "dd:dd"};
    if (n == 1 && *text == 'Z') {
        *offset_s = 0;
        return true;
    }
    if (n < 3 || (*text != '+' && *text != '-'))
        return false;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        int64_t part[2] = {0, 0};
        if (strlen(patterns[i]) != n - 1 || !follow(patterns[i], text + 1, part))
            continue;
        if (i == 1) {
            part[1] = part[0] % 100;
            part[0] /= 100;
        }
        if (part[0] > 18 || part[1] > 59 || part[0] * 60 + part[1] > 18 * 60)
            return false;
        *offset_s = (part[0] * HOUR_S + part[1] * 60) * (*text == '-' ? -1 : 1);
        return true;
    }
    return false;
}

/* Converts ".9799600" to milliseconds; *used is its length, 0 if there is none. */
static int64_t fraction_ms(const char *text, size_t n, size_t *used)
{
    int64_t ms = 0, scale = 100;
    *used = 0;
    if (n < 2 || text[0] != '.' || !is_digit(text[1]))
        return 0;
    for (*used = 1; *used < n && is_digit(text[*used]); ++*used, scale /= 10)
        ms += (text[*used] - '0') * scale;
    return ms;
}

bool times_clock(const char *text, size_t n, const struct times_zone *zone, int64_t *ms)
{
    static const char pattern[] = "dddd-dd-dd?dd:dd:dd";
    int64_t part[6] = {0}, offset_s;
    if (n < sizeof pattern - 1 || !follow(pattern, text, part))
        return false;
    if (part[0] < 1970 || part[1] < 1 || part[1] > 12 || part[2] < 1 ||
        part[2] > days_in(part[0], part[1]) || part[3] > 23 || part[4] > 59 || part[5] > 60)
        return false;
    size_t at = sizeof pattern - 1, used;
    int64_t rest_ms = fraction_ms(text + at, n - at, &used);
    at += used;
    int64_t s = days_since_1970(part[0], part[1], part[2]) * DAY_S + part[3] * HOUR_S +
                part[4] * 60 + part[5];
    if (at == n)
        offset_s = zone->offset_s + summer_s(zone, part[0], s);
    else if (!times_offset(text + at, n - at, &offset_s))
        return false;
    *ms = (s - offset_s) * 1000 + rest_ms;
    return true;
}

/* Seconds, or finer units if the number would be too large for a date in seconds. */
static bool since_1970(const char *text, size_t n, int64_t *ms)
{
    const int64_t largest = INT64_C(100000000000); /* in seconds, then in milliseconds, ... */
    int64_t whole;
    if (text_scaled(text, n, 3, ms) && *ms / 1000 < largest && *ms / 1000 > -largest)
        return true;
    if (!text_scaled(text, n, 0, &whole))
        return false;
    *ms = whole;
    while (*ms / 1000 >= largest || *ms / 1000 <= -largest)
        *ms /= 1000;
    return true;
}

static bool is_zone_name(const char *text, size_t n)
{
    return n == 3 && (memcmp(text, "UTC", 3) == 0 || memcmp(text, "GMT", 3) == 0);
}

/* Splits a moment into the date, the time of day and the offset; the last two may be missing. */
static void divide(const char *text, size_t n, size_t end_of[2])
{
    size_t at = 0;
    while (at < n && text[at] != ' ' && text[at] != 'T')
        at++;
    end_of[0] = at;
    at += at < n;
    while (at < n && (is_digit(text[at]) || text[at] == ':' || text[at] == '.'))
        at++;
    end_of[1] = at;
}

/* Rewrites the text for times_clock(); false if it is too long or too short for a moment. */
static bool as_clock(char clock[MOMENT_TEXT], const char *text, size_t n)
{
    size_t end_of[2], used = 0;
    if (n < 8 || n + 10 > MOMENT_TEXT)
        return false;
    divide(text, n, end_of);
    for (size_t i = 0; i < end_of[0]; i++)
        clock[used++] = (char)(text[i] == '/' ? '-' : text[i]);
    clock[used++] = 'T';
    size_t day = end_of[1] > end_of[0] ? end_of[1] - end_of[0] - 1 : 0;
    memcpy(clock + used, text + end_of[0] + (day > 0), day);
    used += day;
    const char *missing = day == 0 ? "00:00:00" : day == 5 ? ":00" : "";
    memcpy(clock + used, missing, strlen(missing));
    used += strlen(missing);
    size_t at = end_of[1];
    while (at < n && text[at] == ' ')
        at++;
    const char *zone = is_zone_name(text + at, n - at) ? "Z" : text + at;
    size_t length = is_zone_name(text + at, n - at) ? 1 : n - at;
    memcpy(clock + used, zone, length);
    clock[used + length] = '\0';
    return true;
}

bool times_moment(const char *text, size_t n, const struct times_zone *zone, int64_t *ms)
{
    char clock[MOMENT_TEXT];
    return since_1970(text, n, ms) || times_clock(text, n, zone, ms) ||
           (as_clock(clock, text, n) && times_clock(clock, strlen(clock), zone, ms));
}

bool times_elapsed(const char *text, size_t n, int64_t *ms)
{
    const char *dash = memchr(text, '-', n);
    int64_t days = 0, part[3] = {0, 0, 0};
    size_t at = dash ? (size_t)(dash - text) + 1 : 0, used;
    if (dash && (at > 7 || !text_i64(text, at - 1, &days) || days < 0))
        return false;
    if (n - at >= 8 && follow("dd:dd:dd", text + at, part)) {
        at += 8;
    } else if (!dash && n >= 7 && follow("d:dd:dd", text, part)) {
        at += 7;
    } else if (!dash && n - at >= 5 && follow("dd:dd", text + at, part + 1)) {
        at += 5;
    } else {
        return false;
    }
    int64_t rest_ms = fraction_ms(text + at, n - at, &used);
    if (at + used != n || part[1] > 59 || part[2] > 60)
        return false;
    *ms = (days * DAY_S + part[0] * HOUR_S + part[1] * 60 + part[2]) * 1000 + rest_ms;
    return true;
}
