/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dates in UTC; see dates.h. */
#include "report/words/dates.h"

#include "sim/base/week.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#define DAY_S    86400.0
#define LATEST_S 253402300799.0 /* 9999-12-31 23:59:59 */

static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

bool date_known(double time_s)
{
    return time_s * 1000 >= (double)SIM_CLOCK_HAS_DATE && time_s <= LATEST_S;
}

struct date date_of(double time_s)
{
    time_t seconds = (time_t)floor(time_s);
    struct tm tm = {.tm_mday = 1};
    (void)gmtime_r(&seconds, &tm);
    return (struct date){.year = tm.tm_year + 1900,
                         .month = tm.tm_mon + 1,
                         .day = tm.tm_mday,
                         .hour = tm.tm_hour,
                         .minute = tm.tm_min};
}

double date_month_start(double time_s)
{
    double day_s = floor(time_s / DAY_S) * DAY_S;
    return day_s - DAY_S * (date_of(time_s).day - 1);
}

const char *date_minute(char text[UNIT_TEXT], double time_s)
{
    struct date d = date_of(time_s);
    (void)snprintf(text, UNIT_TEXT, "%04d-%02d-%02d %02d:%02d", d.year, d.month, d.day, d.hour,
                   d.minute);
    return text;
}

const char *date_day(char text[UNIT_TEXT], double time_s)
{
    struct date d = date_of(time_s);
    (void)snprintf(text, UNIT_TEXT, "%d %s", d.day, months[d.month - 1]);
    return text;
}

const char *date_month(char text[UNIT_TEXT], double time_s)
{
    struct date d = date_of(time_s);
    (void)snprintf(text, UNIT_TEXT, "%s %d", months[d.month - 1], d.year);
    return text;
}
