/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of keys of `interference`. */
#include "scenarios/schema/interference.h"

// clang-format off

const struct schema_row schema_interference_rows[] = {
    {.key = "sharing", .type = SCHEMA_CHOICE, .choices = SCHEMA_SHARINGS, .fallback = "\"mps\"",
     .summary = "jobs on shares of one device run side by side, or one after the other"},
    {.key = "numa", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "cores, and NICs of sr-iov, are given out without regard to where the devices are"},
    {.key = "cpu", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "jobs are slower that have fewer cores than their model wants; who asks for none has its devices' part of the node's"},
    {0},
};

// clang-format on
