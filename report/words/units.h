/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers and names as people read them, the same on the page and in the terminal: 3h12m, 64.1%,
 * 23,859. Plain ASCII. Undefined values (nan) print as "-". Every function fills the caller's
 * buffer and returns it.
 */
#ifndef REPORT_WORDS_UNITS_H
#define REPORT_WORDS_UNITS_H

#include <stddef.h>

#define UNIT_TEXT 64

const char *unit_duration(char text[UNIT_TEXT],
                          double seconds); /* 0s 4.5s 45s 12m05s 3h12m 2d04h 123d */
const char *unit_percent(char text[UNIT_TEXT], double ratio); /* 0.6412 is 64.1% */
const char *unit_count(char text[UNIT_TEXT], double n); /* 23,859; a mean over replicas 23,859.5 */
const char *unit_amount(char text[UNIT_TEXT],
                        double value); /* about four digits: 1.25 12.5 125 12,500 */
const char *unit_exact(char text[UNIT_TEXT], double value); /* as configured: 16, 0.25, 1,024 */
const char *unit_ratio(char text[UNIT_TEXT], double value); /* 0.912 */

/* By the unit of a metric (metric_rows.h): "s" a duration, "count" a count, any other an amount. */
const char *unit_any(char text[UNIT_TEXT], const char *unit, double value);

/*
 * A copy of a name as people read it (escape_shown()), freed by the caller. One of more than
 * `limit` columns is cut and ends in "...". (limit 0: none.)
 */
char *unit_name(const char *name, size_t limit);

/* Columns that valid UTF-8 takes in a terminal: 2 for East Asian wide characters, 0 for combining
 * ones. */
size_t unit_width(const char *text);

#endif
