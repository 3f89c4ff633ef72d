/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times as logs write them: a date with a wall clock, and spans of days and hours. The parsers are
 * strict: the whole text must be valid. Results are milliseconds since 1970-01-01 00:00:00 UTC, or
 * of the span.
 *
 * A wall clock needs a time zone. An offset in the text ("+08:00", "Z") counts; without one the
 * caller gives the zone in which the log was written.
 */
#ifndef TRACES_TIMES_H
#define TRACES_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum times_summer {
    TIMES_NO_SUMMER,
    /*
     * The United States since 2007: one hour ahead from the second Sunday of March, 02:00, to the
     * first Sunday of November, 02:00. The hour that occurs twice in November means the first one,
     * the hour missing in March the one after the change.
     */
    TIMES_UNITED_STATES,
};

struct times_zone {
    int64_t offset_s; /* of standard time, positive east of Greenwich: -64800..64800 */
    enum times_summer summer;
};

extern const struct times_zone times_utc, times_china, times_us_pacific;

/* "2020-09-01 00:00:03", also with a T between, with decimals, and with an offset: Z, +08:00,
 * +0800, +08. */
bool times_clock(const char *text, size_t n, const struct times_zone *, int64_t *ms);

/*
 * A moment in any usual form: a clock as above; with "/" in the date, without seconds, or a date
 * alone; with "UTC" or "GMT" for the offset, with a blank before it; or a number since 1970, whose
 * size tells seconds from milli-, micro- and nanoseconds: below 1e11 they are seconds (until the
 * year 5138).
 */
bool times_moment(const char *text, size_t n, const struct times_zone *, int64_t *ms);

/* Writes the moment as "2020-09-01T00:00:03Z", in whole seconds, and returns buffer. Moments
 * outside 0000-03-01 to the year 9999 become the nearest end. */
#define TIMES_TEXT 24
const char *times_text(int64_t ms, char buffer[TIMES_TEXT]);

/* "+08:00", "-0700", "Z" in seconds, -64800..64800. */
bool times_offset(const char *text, size_t n, int64_t *offset_s);

/* "[DD-]HH:MM:SS[.fff]", "H:MM:SS[.fff]" or "MM:SS[.fff]", as Slurm prints elapsed time. */
bool times_elapsed(const char *text, size_t n, int64_t *ms);

#endif
