/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times of the week, in milliseconds since Monday 0:00, as people write them: "mon 09:00",
 * "fri 17:30:15". The zero of a clock is a Monday, 0:00, as in generated traces, unless the clock
 * counts from 1970 in UTC. There is no daylight saving time: every week has 604,800 s.
 */
#ifndef SIM_BASE_WEEK_H
#define SIM_BASE_WEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEEK_MS            INT64_C(604800000)
#define SIM_CLOCK_HAS_DATE INT64_C(978307200000) /* 2001-01-01: later times count from 1970 */

/* Some Monday 0:00 on the clock of a run that begins at `begin_ms`: 1970-01-05 if that is a date,
 * zero if it is not. */
int64_t week_monday(int64_t begin_ms);

/* Days are sun to sat or spelled out, in any case; hours are 00:00 to 24:00. False when the text is
 * no time of the week, which leaves *ms as it was. */
bool week_parse(const char *text, size_t n, int64_t *ms);

/* The time of the week at `at_ms`, where `monday_ms` is some Monday 0:00: 0..WEEK_MS - 1. */
int64_t week_time(int64_t at_ms, int64_t monday_ms);

/* True if the time of the week is in [from, to), which may run over Sunday's end; equal ends are
 * the whole week. */
bool week_within(int64_t time_ms, int64_t from_ms, int64_t to_ms);

/* The first time after `at_ms` whose time of the week is `time_ms`. */
int64_t week_next(int64_t at_ms, int64_t monday_ms, int64_t time_ms);

#endif
