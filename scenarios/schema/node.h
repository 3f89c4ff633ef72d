/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keys of a node: a row of the catalogue, or a node in a scenario's pool. Both use the same
 * table, so an object of the catalogue (`list nodes NAME --json`) can be copied into a scenario and
 * changed there.
 */
#ifndef SCENARIOS_SCHEMA_NODE_H
#define SCENARIOS_SCHEMA_NODE_H

#include "scenarios/schema/schema.h"

extern const struct schema_row schema_node;
extern const struct schema_row schema_instances; /* how many MIG instances of a profile */

/* Kinds of links and networks in the order of enum traits_links and enum traits_network. */
#define SCHEMA_LINKS    "pcie|pairs|cube-mesh|mesh|switch"
#define SCHEMA_NETWORKS "none|infiniband|roce|tcp"

/* MIG keys of a node and a pool. */
#define SCHEMA_MIG_ROWS                                                                            \
    {.key = "mig",                                                                                 \
     .type = SCHEMA_CHOICE,                                                                        \
     .choices = "off|single|mixed|dynamic",                                                        \
     .summary =                                                                                    \
         "MIG: instances as whole devices, a fixed number of each kind, or made as wanted"},       \
    {                                                                                              \
        .key = "mig_profiles", .type = SCHEMA_OBJECT, .open = &schema_instances, .with = "mig",    \
        .summary = "mixed: instances of each profile on a node, such as {\"3g.40gb\": 2}"          \
    }

#endif
