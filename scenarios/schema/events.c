/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of planned changes. */
#include "scenarios/schema/events.h"

// clang-format off

static const struct schema_row seconds = {.type = SCHEMA_NUMBER, .max = 1e12};

static const struct schema_row pool_quota = {
    .type = SCHEMA_NUMBER, .max = 1e9,
    .summary = "guaranteed GPUs of the pool, of the type, or of the pools together"};

#define SHARE(name_, unit_, most_, ...) \
    static const struct schema_row name_[] = { \
        __VA_ARGS__ \
        {.key = "quota", .type = SCHEMA_AMOUNT, .max = most_, \
         .summary = "guaranteed " unit_ ", -1 unlimited [as before]"}, \
        {.key = "limit", .type = SCHEMA_AMOUNT, .max = most_, \
         .summary = "most " unit_ ", -1 unlimited [as before]"}, \
        {.key = "weight", .type = SCHEMA_NUMBER, .max = 1e9, \
         .summary = "weight in the division of what quotas leave [as before]"}, \
        {0}, \
    }
SHARE(gpu_rows, "GPUs", 1e9,
      {.key = "by_pool", .type = SCHEMA_OBJECT, .open = &pool_quota, .whole = true,
       .summary = "quotas of the queue's gpu.by_pool that change [as before]"}, );
SHARE(cpu_rows, "cores", 1e9, );
SHARE(mem_rows, "MiB", 1e12, );

static const struct schema_row event_rows[] = {
    {.key = "at", .type = SCHEMA_TEXT, .min = 1, .other = &seconds, .required = true,
     .summary = "when it begins: a time of the run (\"2h\"), a date (\"2026-11-23 09:00\") or every "
                "week (\"mon 09:00\", \"mon-fri 09:00\", \"sat,sun 00:00\"); UTC"},
    {.key = "until", .type = SCHEMA_TEXT, .min = 1, .other = &seconds,
     .summary = "when it ends, of the same kind: the queue or pool is as before again [never]"},
    {.key = "queue", .type = SCHEMA_TEXT, .min = 1, .group = "what",
     .summary = "the queue that changes"},
    {.key = "pool", .type = SCHEMA_TEXT, .min = 1, .group = "what",
     .summary = "or the pool that changes, one with a `count`"},
    {.key = "gpu", .type = SCHEMA_OBJECT, .child = gpu_rows, .summary = "its share of GPUs"},
    {.key = "cpu", .type = SCHEMA_OBJECT, .child = cpu_rows, .summary = "its share of cores"},
    {.key = "mem", .type = SCHEMA_OBJECT, .child = mem_rows, .summary = "its share of memory"},
    {.key = "priority", .type = SCHEMA_INTEGER, .min = -1e9, .max = 1e9,
     .summary = "its priority [as before]"},
    {.key = "suspended", .type = SCHEMA_BOOLEAN,
     .summary = "it starts nothing, nor do queues below it; what runs goes on [as before]"},
    {.key = "nodes", .type = SCHEMA_INTEGER, .max = 4194304,
     .summary = "nodes of the pool from then on; of fewer nodes the last ones go, each when its "
                "jobs have ended"},
    {.key = "grace", .type = SCHEMA_DURATION,
     .summary = "jobs on nodes that go are evicted after so long [they run to their ends]"},
    {.key = "warmup", .type = SCHEMA_DURATION,
     .summary = "nodes that come take jobs after so long [0]"},
    {0},
};
const struct schema_row schema_event = {.type = SCHEMA_OBJECT, .child = event_rows};
// clang-format on
