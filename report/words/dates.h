/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Moments of a run as dates, in UTC, where the trace's clock counts from 1970 (sim/base/week.h).
 * Times of other clocks have no date.
 */
#ifndef REPORT_WORDS_DATES_H
#define REPORT_WORDS_DATES_H

#include "report/words/units.h"

#include <stdbool.h>

struct date {
    int year, month, day; /* 2026, 1..12, 1..31 */
    int hour, minute;
};

/* False if the clock that shows this time, in seconds, has no dates. */
bool date_known(double time_s);

/* The minute that a time with a date is in. */
struct date date_of(double time_s);

/* 0:00 on the first day of the month that a time with a date is in. */
double date_month_start(double time_s);

const char *date_minute(char text[UNIT_TEXT], double time_s); /* 2026-03-02 09:15 */
const char *date_day(char text[UNIT_TEXT], double time_s);    /* 2 Mar */
const char *date_month(char text[UNIT_TEXT], double time_s);  /* Mar 2026 */

#endif
