/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of the week; see week.h. */
#include "sim/base/week.h"

#include <string.h>
#include <strings.h>

static const char *const days[] = {"monday", "tuesday",  "wednesday", "thursday",
                                   "friday", "saturday", "sunday"};

int64_t week_monday(int64_t begin_ms)
{
    return begin_ms >= SIM_CLOCK_HAS_DATE ? 4 * (WEEK_MS / 7) : 0;
}

/* Which day the first n bytes name, in full or by three letters; -1: none. */
static int day_of(const char *text, size_t n)
{
    for (int day = 0; day < 7; day++)
        if ((n == 3 || n == strlen(days[day])) && strncasecmp(text, days[day], n) == 0)
            return day;
    return -1;
}

/* Two digits below `end` at *at, which moves on; -1: there are none. */
static int two_digits(const char **at, const char *stop, int end)
{
    const char *p = *at;
    if (stop - p < 2 || p[0] < '0' || p[0] > '9' || p[1] < '0' || p[1] > '9')
        return -1;
    int value = (p[0] - '0') * 10 + (p[1] - '0');
    *at += 2;
    return value < end ? value : -1;
}

bool week_parse(const char *text, size_t n, int64_t *ms)
{
    const char *stop = text + n, *at = memchr(text, ' ', n);
    int day = day_of(text, at != NULL ? (size_t)(at - text) : n);
    int part[3] = {0, 0, 0};
    if (day < 0 || at == NULL)
        return false;
    at++;
    for (int i = 0; i < 3; i++) {
        part[i] = two_digits(&at, stop, i == 0 ? 25 : 60);
        if (part[i] < 0)
            return false;
        if (at == stop && i > 0)
            break;
        if (at == stop || *at != ':' || i == 2)
            return false;
        at++;
    }
    int64_t second = ((int64_t)part[0] * 60 + part[1]) * 60 + part[2];
    if (second > 86400)
        return false;
    *ms = (day * INT64_C(86400) + second) * 1000 % WEEK_MS;
    return true;
}

int64_t week_time(int64_t at_ms, int64_t monday_ms)
{
    int64_t time = (at_ms - monday_ms) % WEEK_MS;
    return time < 0 ? time + WEEK_MS : time;
}

bool week_within(int64_t time_ms, int64_t from_ms, int64_t to_ms)
{
    if (from_ms < to_ms)
        return time_ms >= from_ms && time_ms < to_ms;
    return time_ms >= from_ms || time_ms < to_ms;
}

int64_t week_next(int64_t at_ms, int64_t monday_ms, int64_t time_ms)
{
    int64_t ahead = (time_ms - week_time(at_ms, monday_ms) + WEEK_MS) % WEEK_MS;
    return at_ms + (ahead > 0 ? ahead : WEEK_MS);
}
