/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times of a run as dates in UTC, if the trace's clock counts from 1970 (sim/base/week.h). Times of
 * other clocks have no date.
 */
#ifndef REPORT_WORDS_DATES_H
#define REPORT_WORDS_DATES_H

#include "report/words/units.h"

#include <stdbool.h>

struct date {
    int year, month, day; /* 2026, 1..12, 1..31 */
    int hour, minute;
};

/* Returns false if a clock that shows this time (in seconds) has no dates. */
bool date_known(double time_s);

/* Returns the date of a time, to the minute. Only if date_known(). */
struct date date_of(double time_s);

/* Returns 0:00 on the first day of the month of a time. Only if date_known(). */
double date_month_start(double time_s);

const char *date_minute(char text[UNIT_TEXT], double time_s); /* 2026-03-02 09:15 */
const char *date_day(char text[UNIT_TEXT], double time_s);    /* 2 Mar */
const char *date_month(char text[UNIT_TEXT], double time_s);  /* Mar 2026 */

#endif
