/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of a fabric's keys. */
#include "scenarios/schema/fabrics.h"

// clang-format off

static const struct schema_row text_element = {.type = SCHEMA_TEXT, .min = 1};
static const struct schema_row nodes = {.type = SCHEMA_INTEGER, .min = 1, .max = 4194304};
static const struct schema_row over = {.type = SCHEMA_NUMBER, .min = 1, .max = 1000};

static const struct schema_row installed_rows[] = {
    {.key = "units", .type = SCHEMA_INTEGER, .min = 1, .max = 4194304, .required = true,
     .summary = "number of scalable units of the fabric"},
    {.key = "leaf", .type = SCHEMA_INTEGER, .min = 1, .max = 1e9, .required = true,
     .summary = "leaf switches of such a fabric"},
    {.key = "spine", .type = SCHEMA_INTEGER, .max = 1e9, .fallback = "0",
     .summary = "its spine switches"},
    {.key = "core", .type = SCHEMA_INTEGER, .max = 1e9, .fallback = "0",
     .summary = "its core switches"},
    {0},
};
static const struct schema_row installed = {.type = SCHEMA_OBJECT, .child = installed_rows};

static const struct schema_row fabric_rows[] = {
    {.key = "summary", .type = SCHEMA_TEXT, .summary = "one line about this fabric"},
    {.key = "source", .type = SCHEMA_TEXT,
     .summary = "source of its figures, unless `sources` names another"},
    {.key = "sources", .type = SCHEMA_OBJECT, .open = &text_element,
     .summary = "sources of single figures"},
    {.key = "unverified", .type = SCHEMA_LIST, .max = 64, .child = &text_element,
     .summary = "figures that are estimates or unchecked"},

    {.key = "unit_nodes", .type = SCHEMA_INTEGER, .min = 1, .max = 4194304,
     .summary = "nodes of a scalable unit: gives the switches, with rails and radix [only "
                "nodes_per counts]"},
    {.key = "leaf_nodes", .type = SCHEMA_INTEGER, .min = 1, .max = 4096,
     .summary = "nodes below one leaf switch [those of a unit]"},
    {.key = "spare_slots", .type = SCHEMA_INTEGER, .max = 4096,
     .summary = "node ports used for something else, such as the fabric manager [0]"},
    {.key = "rails", .type = SCHEMA_INTEGER, .min = 1, .max = 256,
     .summary = "ports of a node, each to a leaf switch of its own"},
    {.key = "radix", .type = SCHEMA_INTEGER, .min = 2, .max = 4096, .summary = "ports of a switch"},
    {.key = "max_tiers", .type = SCHEMA_INTEGER, .min = 1, .max = 3,
     .summary = "maximum number of switch tiers [3]"},
    {.key = "installed", .type = SCHEMA_LIST, .max = 8, .child = &installed,
     .summary = "installed switches, where they differ from the formula"},
    {.key = "nic_gbit_s", .type = SCHEMA_NUMBER, .max = 1e5, .summary = "Gbit/s of a port"},
    {.key = "ecmp", .type = SCHEMA_NUMBER, .min = 0.01, .max = 1,
     .summary = "usable share of the uplinks, as paths are loaded unevenly [1]"},

    {.key = "nodes_per", .type = SCHEMA_OBJECT, .open = &nodes,
     .summary = "nodes in one domain of a level, such as {\"rack\": 4}; unit_nodes gives core, pod "
                "and leaf"},
    {.key = "oversubscription", .type = SCHEMA_OBJECT, .open = &over,
     .summary = "oversubscription (o:1) of the switches at a level, such as {\"pod\": 7} [leaf and "
                "pod of units: 1; others: no switches]"},
    {0},
};
const struct schema_row schema_fabric = {.type = SCHEMA_OBJECT, .child = fabric_rows};

static const struct schema_row catalog_rows[] = {
    {.key = "fauxfleet_catalog", .type = SCHEMA_INTEGER, .min = 1, .max = 1, .required = true,
     .summary = "version of this format"},
    {.key = "fabrics", .type = SCHEMA_OBJECT, .open = &schema_fabric, .required = true,
     .summary = "fabrics by name"},
    {0},
};
const struct schema_row schema_fabrics_catalog = {.type = SCHEMA_OBJECT, .child = catalog_rows};
