/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers and names for people, the same on the page and in the terminal: 3h12m, 64.1%, 23,859.
 * Plain ASCII. Undefined values (NaN) print as "-". Every function fills the caller's buffer and
 * returns it.
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

/*
 * Formats by the unit of a metric (metric_rows.h): "s" as a duration, "count" as a count, any other
 * as an amount.
 */
const char *unit_any(char text[UNIT_TEXT], const char *unit, double value);

/*
 * Returns a printable copy of a name (escape_shown()), which the caller frees. If wider than
 * `limit` columns, it is cut and ends in "..."; limit 0 means none.
 */
char *unit_name(const char *name, size_t limit);

/*
 * Returns the width of valid UTF-8 in terminal columns: 2 for East Asian wide characters, 0 for
 * combining ones.
 */
size_t unit_width(const char *text);

#endif
