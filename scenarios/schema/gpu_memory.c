/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of keys of shared device memory. */
#include "scenarios/schema/gpu_memory.h"

// clang-format off

const struct schema_row schema_gpu_memory[] = {
    {.key = "mode", .type = SCHEMA_CHOICE, .choices = "static|none|wait|priority|swap",
     .fallback = "\"wait\"",
     .summary = "what happens when tasks outgrow a device: nothing, as they are placed by limit; "
                "one is killed; one waits; others are ended; all swap"},
    {.key = "grow_share", .type = SCHEMA_NUMBER, .max = 1, .fallback = "0.3",
     .summary = "share of its time in which a task with a limit needs more than its request"},
    {.key = "grow_least", .type = SCHEMA_NUMBER, .max = 1, .fallback = "0",
     .summary = "it then grows by at least this share of the way to its limit, uniformly drawn; 1: "
                "always to the limit"},
    {.key = "phase", .type = SCHEMA_DURATION, .fallback = "\"10m\"",
     .summary = "mean time between two changes of the need of a task; in interactive (build) "
                "sessions they follow activity"},
    {.key = "idle_after", .type = SCHEMA_DURATION, .fallback = "\"30m\"",
     .summary = "priority: an interactive (build) session idle for this long is ended when others "
                "need its memory"},
    {.key = "retry", .type = SCHEMA_DURATION, .fallback = "\"10s\"",
     .summary = "a task killed for memory requests it again this long after its next start; the "
                "delay doubles with each failure, up to 32 times"},
    {.key = "host_gbps", .type = SCHEMA_NUMBER, .min = 0.001, .max = 1e6, .fallback = "25",
     .summary = "swap: GB/s between device and host, as PCIe 4.0 x16 reaches"},
    {.key = "turn", .type = SCHEMA_DURATION, .fallback = "\"1m\"",
     .summary = "swap: work between two swaps of the tenants of a device; an assumption"},
    {0},
};

// clang-format on
