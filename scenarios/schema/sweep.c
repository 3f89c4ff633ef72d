/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of keys of a sweep's plan. */
#include "scenarios/schema/sweep.h"

// clang-format off

static const struct schema_row seed_element = {.type = SCHEMA_SEED};
static const struct schema_row seed_list = {.type = SCHEMA_LIST, .min = 1, .max = SWEEP_SEEDS_MAX,
   .child = &seed_element};
static const struct schema_row metric_element = {.type = SCHEMA_TEXT, .min = 1};

static const struct schema_row sweep_rows[] = {
    {.key = "fauxfleet_sweep", .type = SCHEMA_INTEGER, .min = 1, .max = 1, .required = true,
     .summary = "version of this format"},
    {.key = "name", .type = SCHEMA_TEXT, .min = 1, .summary = "of the sweep [that of its file]"},
    {.key = "description", .type = SCHEMA_TEXT, .summary = "a note to readers"},
    {.key = "scenario", .type = SCHEMA_PATH, .required = true,
     .summary = "file of the scenario to vary"},
    {.key = "grid", .type = SCHEMA_OBJECT,
     .summary = "lists of values by key of the scenario (a path as --set takes it), \"policy\" or "
                "\"trace\"; every combination is simulated, the last key varies fastest"},
    {.key = "points", .type = SCHEMA_LIST, .max = 1000000,
     .summary = "values by key that belong together; with a grid, each with every combination of "
                "it"},
    {.key = "seeds", .type = SCHEMA_INTEGER, .min = 1, .max = SWEEP_SEEDS_MAX, .other = &seed_list,
     .summary = "each of these with each point, as points of their own; a number N means 1..N"},
    {.key = "replicas", .type = SCHEMA_INTEGER, .min = 1, .max = 100000,
     .summary = "simulations of each point, whose means are its result [as in the scenario]"},
    {.key = "metrics", .type = SCHEMA_LIST, .max = 10000, .child = &metric_element,
     .summary = "columns of the table: paths in summary.json, or such as p95(wait){queue=vision}; "
                "\"sd.\" before one: its deviation over replicas"},
    {.key = "$schema", .type = SCHEMA_TEXT,
     .summary = "JSON Schema of the file, for editors (see 'fauxfleet schema'); not read"},
    {0},
};
const struct schema_row schema_sweep = {.type = SCHEMA_OBJECT, .child = sweep_rows};

// clang-format on
