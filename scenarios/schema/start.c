/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of `start`, and of changes to a fleet. */
#include "scenarios/schema/start.h"

const struct schema_row schema_pattern = {.type = SCHEMA_TEXT, .min = 1};
const struct schema_row schema_added = {.type = SCHEMA_INTEGER, .max = 4194304};

const struct schema_row schema_start_rows[] = {
    {.key = "snapshot", .type = SCHEMA_PATH, .required = true, .summary = "snapshot of a cluster"},
    {.key = "remaining",
     .type = SCHEMA_TEXT,
     .min = 1,
     .fallback = "\"known\"",
     .summary =
         "how long jobs take: known (duration_s, else the time limit, else estimate_s), limits, "
         "exponential:MEAN, lognormal:MEDIAN:SIGMA, trace:FILE (durations of its jobs)"},
    {.key = "arrivals",
     .type = SCHEMA_CHOICE,
     .choices = "later|from-now",
     .fallback = "\"later\"",
     .summary =
         "jobs of the workload: those after the snapshot, on its clock; or all, beginning now"},
    {0},
};
