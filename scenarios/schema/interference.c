/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of keys of `interference`. */
#include "scenarios/schema/interference.h"

const struct schema_row schema_interference_rows[] = {
    {.key = "sharing",
     .type = SCHEMA_CHOICE,
     .choices = SCHEMA_SHARINGS,
     .fallback = "\"mps\"",
     .summary = "jobs on shares of one device run side by side, or one after the other"},
    {.key = "numa",
     .type = SCHEMA_BOOLEAN,
     .fallback = "false",
     .summary = "cores, and NICs of sr-iov, are assigned regardless of the place of the devices"},
    {.key = "cpu",
     .type = SCHEMA_BOOLEAN,
     .fallback = "false",
     .summary = "jobs with fewer cores than their model wants are slower; a job that requests none "
                "has its devices' share of the node's cores"},
    {0},
};
