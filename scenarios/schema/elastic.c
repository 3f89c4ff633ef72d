/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of keys of an elastic pool. */
#include "scenarios/schema/elastic.h"

// clang-format off

static const struct schema_row delay_rows[] = {
    {.key = "from", .type = SCHEMA_DURATION, .required = true, .summary = "anything from here..."},
    {.key = "to", .type = SCHEMA_DURATION, .required = true,
     .summary = "...to here, equally likely, drawn for each order"},
    {0},
};
static const struct schema_row delay_object = {.type = SCHEMA_OBJECT, .child = delay_rows};

static const struct schema_row seconds = {.type = SCHEMA_NUMBER, .max = 1e12};

const struct schema_row schema_elastic[] = {
    {.key = "min", .type = SCHEMA_INTEGER, .max = 4194304, .fallback = "0",
     .summary = "nodes that are there from the beginning and always kept"},
    {.key = "max", .type = SCHEMA_INTEGER, .max = 4194304, .required = true,
     .summary = "most nodes, those of `min` included; the pool has no `count`"},
    {.key = "provider", .type = SCHEMA_CHOICE, .choices = "on-prem|on-demand|reserved|spot",
     .fallback = "\"on-demand\"",
     .summary = "on-prem: `min` and `max` are equal; reserved: all nodes are there, and billed, from "
                "`from` until `until`; spot: the pool's `spot` says when nodes are reclaimed"},
    {.key = "from", .type = SCHEMA_TEXT, .min = 1, .other = &seconds,
     .summary = "reserved: first instant, a date (\"2026-12-01 00:00\") or a time of the run [the "
                "beginning]"},
    {.key = "until", .type = SCHEMA_TEXT, .min = 1, .other = &seconds,
     .summary = "reserved: end, of the same kind; jobs that still run are evicted [never]"},
    {.key = "notice", .type = SCHEMA_DURATION,
     .summary = "reserved: the nodes take no more jobs for so long before `until`, and jobs write a "
                "last checkpoint [0]"},
    {.key = "delay", .type = SCHEMA_DURATION, .other = &delay_object, .fallback = "\"5m\"",
     .summary = "from an order until the node is there"},
    {.key = "warmup", .type = SCHEMA_DURATION, .fallback = "0",
     .summary = "after that, to load images and data before its first job"},
    {.key = "idle_down", .type = SCHEMA_DURATION, .fallback = "\"10m\"",
     .summary = "an empty node is given back after so long"},
    {.key = "after", .type = SCHEMA_DURATION, .fallback = "0",
     .summary = "only jobs that have waited for so long are a reason to order (bursting)"},
    {.key = "min_billing", .type = SCHEMA_DURATION, .fallback = "\"60s\"",
     .summary = "an order costs at least as much as so long a time"},
    {.key = "price", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "USD for a node and an hour, from its order to its release [of the pool: its "
                "usd_per_hour or spot price, else the node's]"},
    {0},
};
// clang-format on
