/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keys of a run that starts from a snapshot (scenarios/load/start.c), and of changes to a fleet
 * for a what-if.
 */
#ifndef SCENARIOS_SCHEMA_START_H
#define SCENARIOS_SCHEMA_START_H

#include "scenarios/schema/schema.h"

extern const struct schema_row schema_start_rows[]; /* `start` of a scenario */
extern const struct schema_row schema_pattern, schema_added;

#define SCHEMA_FLEET_CHANGES                                                                       \
    {.key = "add",                                                                                 \
     .type = SCHEMA_OBJECT,                                                                        \
     .open = &schema_added,                                                                        \
     .summary = "nodes added to a pool of a snapshot, such as {\"train\": 8}: like its last one, " \
                "and apart"},                                                                      \
        {.key = "drain",                                                                           \
         .type = SCHEMA_LIST,                                                                      \
         .max = 10000,                                                                             \
         .child = &schema_pattern,                                                                 \
         .summary =                                                                                \
             "nodes that take nothing new: names with * ? [a-z], or LEVEL=DOMAIN, LABEL=VALUE"},   \
    {                                                                                              \
        .key = "lose", .type = SCHEMA_LIST, .max = 10000, .child = &schema_pattern,                \
        .summary = "nodes to remove, named in the same way; their jobs are pending again"          \
    }

#endif
