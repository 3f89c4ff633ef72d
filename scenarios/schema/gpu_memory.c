/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of keys of device memory that tasks share. */
#include "scenarios/schema/gpu_memory.h"

// clang-format off

const struct schema_row schema_gpu_memory[] = {
    {.key = "mode", .type = SCHEMA_CHOICE, .choices = "static|none|wait|priority|swap", .fallback = "\"wait\"",
     .summary = "when tasks outgrow a device: never, since placed by limits; one is killed; waits; others end; all swap"},
    {.key = "grow_share", .type = SCHEMA_NUMBER, .max = 1, .fallback = "0.3",
     .summary = "share of its time in which a task with a limit needs more than its request"},
    {.key = "grow_least", .type = SCHEMA_NUMBER, .max = 1, .fallback = "0",
     .summary = "it then grows at least this part of the way to its limit, evenly drawn; 1: always to the limit"},
    {.key = "phase", .type = SCHEMA_DURATION, .fallback = "\"10m\"",
     .summary = "mean time between two changes of what a task needs; of build sessions those of their activity"},
    {.key = "idle_after", .type = SCHEMA_DURATION, .fallback = "\"30m\"",
     .summary = "priority: a build session idle for so long is ended when others need its memory"},
    {.key = "retry", .type = SCHEMA_DURATION, .fallback = "\"10s\"",
     .summary = "a task that was ended for memory asks for it again so long after its next start; in vain, twice as long, up to 32 times"},
    {.key = "host_gbps", .type = SCHEMA_NUMBER, .min = 0.001, .max = 1e6, .fallback = "25",
     .summary = "swap: GB/s between device and host, as PCIe 4.0 x16 reaches"},
    {.key = "turn", .type = SCHEMA_DURATION, .fallback = "\"1m\"",
     .summary = "swap: work between two moves of memory, all tenants of a device once; an assumption"},
    {0},
};

// clang-format on
