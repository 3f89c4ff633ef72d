/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of an offer's keys. Missing keys come from the offer that it is based on. */
#include "scenarios/schema/spot.h"

// clang-format off

static const struct schema_row text_element = {.type = SCHEMA_TEXT, .min = 1};

static const struct schema_row spot_rows[] = {
    {.key = "summary", .type = SCHEMA_TEXT, .summary = "one line about it"},
    {.key = "source", .type = SCHEMA_TEXT,
     .summary = "source of its figures, unless `sources` names another"},
    {.key = "sources", .type = SCHEMA_OBJECT, .open = &text_element,
     .summary = "sources of single figures"},
    {.key = "unverified", .type = SCHEMA_LIST, .max = 64, .child = &text_element,
     .summary = "figures that are estimates or unchecked"},
    {.key = "based_on", .type = SCHEMA_TEXT, .min = 1,
     .summary = "an offer of the catalogue that this one changes [generic]"},
    {.key = "notice", .type = SCHEMA_DURATION, .summary = "notice before the node leaves"},
    {.key = "monthly_interruption", .type = SCHEMA_NUMBER, .max = 0.9999,
     .summary = "share of the nodes that are reclaimed at least once in 30 days"},
    {.key = "correlated", .type = SCHEMA_NUMBER, .max = 1,
     .summary = "share of reclaims that take several nodes of the pool"},
    {.key = "correlated_nodes", .type = SCHEMA_INTEGER, .min = 1, .max = 4194304,
     .summary = "neighbouring nodes that such a reclaim takes, at most the pool"},
    {.key = "away", .type = SCHEMA_DURATION, .summary = "time until the capacity is back"},
    {.key = "usd_per_gpu_hour", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "price while the node is there [of the node: its usd_per_hour, else its "
                "spot_usd_per_hour]"},
    {0},
};
const struct schema_row schema_spot = {.type = SCHEMA_OBJECT, .child = spot_rows};

static const struct schema_row catalog_rows[] = {
    {.key = "fauxfleet_catalog", .type = SCHEMA_INTEGER, .min = 1, .max = 1, .required = true,
     .summary = "version of this format"},
    {.key = "spot", .type = SCHEMA_OBJECT, .open = &schema_spot, .required = true,
     .summary = "offers of spot capacity"},
    {0},
};
const struct schema_row schema_spot_catalog = {.type = SCHEMA_OBJECT, .child = catalog_rows};

// clang-format on
