/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times as logs write them: a date with a wall clock, and spans of days and hours. Strict parsers:
 * all of the text or nothing. Results are milliseconds since 1970-01-01 00:00:00 UTC, or of the
 * span.
 *
 * A wall clock needs a zone to be a moment. A text that names its offset ("+08:00", "Z") is taken
 * at its word; for all others the caller says which zone the log was written in.
 */
#ifndef TRACES_TIMES_H
#define TRACES_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum times_summer {
    TIMES_NO_SUMMER,
    /*
     * Since 2007 in the United States: one hour more from the second Sunday of March, 02:00, to the
     * first Sunday of November, 02:00. Of the hour that November has twice the first is meant, of
     * the one that March lacks the hour after the change.
     */
    TIMES_UNITED_STATES,
};

struct times_zone {
    int64_t offset_s; /* of standard time, east of Greenwich positive: -64800..64800 */
    enum times_summer summer;
};

extern const struct times_zone times_utc, times_china, times_us_pacific;

/* "2020-09-01 00:00:03", also with a T between and decimals, and with an offset: Z, +08:00, +0800,
 * +08. */
bool times_clock(const char *text, size_t n, const struct times_zone *, int64_t *ms);

/*
 * A moment however a log writes it: a clock as above, with "/" in its date, without seconds, or
 * alone a date; "UTC" or "GMT" for the offset, a blank before it; or a number since 1970, whose
 * size tells seconds from milli-, micro- and nanoseconds: below 1e11 they are seconds (until the
 * year 5138).
 */
bool times_moment(const char *text, size_t n, const struct times_zone *, int64_t *ms);

/* The moment as "2020-09-01T00:00:03Z", whole seconds; returns buffer. From 0000-03-01 to the year
 * 9999, else the end nearest to it. */
#define TIMES_TEXT 24
const char *times_text(int64_t ms, char buffer[TIMES_TEXT]);

/* "+08:00", "-0700", "Z" in seconds, -64800..64800. */
bool times_offset(const char *text, size_t n, int64_t *offset_s);

/* "[DD-]HH:MM:SS[.fff]", "H:MM:SS[.fff]" or "MM:SS[.fff]", as Slurm prints elapsed time. */
bool times_elapsed(const char *text, size_t n, int64_t *ms);

#endif
