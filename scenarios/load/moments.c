/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moments of planned changes: times of the run, dates, and times of the week. */
#include "scenarios/load/fill.h"

#include "sim/base/text.h"
#include "sim/base/week.h"
#include "sim/planned_changes.h"
#include "traces/times.h"

#include <stdio.h>
#include <string.h>

/* Reads a day and a clock time as one time of the week: "mon" and " 09:00". */
static bool read_day(const char *day, size_t n, const char *clock, int64_t *ms)
{
    char text[64];
    int written = snprintf(text, sizeof text, "%.*s%s", (int)n, day, clock);
    return n < 16 && written > 0 && (size_t)written < sizeof text &&
           week_parse(text, (size_t)written, ms);
}

/* Reads "mon 09:00", "mon-fri 09:00" and "sat,sun 09:00"; "fri-mon" is four days. */
static bool read_weekly(const char *text, struct sim_moment *moment)
{
    const char *clock = strchr(text, ' ');
    *moment = (struct sim_moment){.kind = SIM_WEEKLY};
    for (const char *at = text; clock != NULL; at++) {
        size_t n = strcspn(at, "-, ");
        int64_t first, last;
        if (!read_day(at, n, clock, &first))
            return false;
        last = first;
        at += n;
        if (*at == '-') {
            n = strcspn(at + 1, "-, ");
            if (!read_day(at + 1, n, clock, &last))
                return false;
            at += 1 + n;
        }
        moment->ms = first % SIM_DAY_MS;
        for (int64_t day = first / SIM_DAY_MS;; day = (day + 1) % 7) {
            moment->days |= UINT32_C(1) << day;
            if (day == last / SIM_DAY_MS)
                break;
        }
        if (at == clock)
            return true;
        if (*at != ',')
            return false;
    }
    return false;
}

/* Reads "2026-11-23", "2026-11-23 09:00", "2026-11-23T09:00:00Z". */
static bool read_date(const char *text, int64_t *ms)
{
    char whole[40];
    size_t n = strlen(text);
    const char *rest = n == 10 ? " 00:00:00" : n == 16 ? ":00" : "";
    int written = snprintf(whole, sizeof whole, "%s%s", text, rest);
    return written > 0 && (size_t)written < sizeof whole &&
           times_clock(whole, (size_t)written, &times_utc, ms);
}

bool fill_moment(struct build *build, const char *path, const cJSON *value,
                 struct sim_moment *moment)
{
    if (cJSON_IsNumber(value)) {
        moment->kind = SIM_AFTER_BEGIN;
        moment->ms = (int64_t)(value->valuedouble * 1000 + 0.5);
        return true;
    }
    const char *text = value->valuestring;
    if (read_weekly(text, moment))
        return true;
    *moment = (struct sim_moment){.kind = SIM_AFTER_BEGIN};
    if (text_duration_ms(text, strlen(text), &moment->ms))
        return true;
    moment->kind = SIM_ON_DATE;
    return read_date(text, &moment->ms) ||
           build_fail(build, path,
                      "expected a time of the run (\"2h\"), a date (\"2026-11-23 09:00\") or days "
                      "of the week (\"mon 09:00\", \"mon-fri 09:00\"), got '%.64s'",
                      text);
}
