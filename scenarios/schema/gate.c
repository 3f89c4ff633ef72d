/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of keys of a gate's suite. */
#include "scenarios/schema/gate.h"

// clang-format off

static const struct schema_row scenario_rows[] = {
    {.key = "scenario", .type = SCHEMA_PATH, .required = true,
     .summary = "its file, relative to the suite's folder"},
    {.key = "name", .type = SCHEMA_TEXT, .min = 1,
     .summary = "its name in reports [that of its file]"},
    {.key = "set", .type = SCHEMA_OBJECT,
     .summary = "changes to the scenario, by key (a path as for --set)"},
    {.key = "starvation", .type = SCHEMA_DURATION,
     .summary = "the bound of the suite, for this scenario"},
    {0},
};
static const struct schema_row scenario_object = {.type = SCHEMA_OBJECT, .child = scenario_rows};
static const struct schema_row scenario_element = {.type = SCHEMA_PATH, .other = &scenario_object};

static const struct schema_row metric_rows[] = {
    {.key = "metric", .type = SCHEMA_TEXT, .min = 1, .required = true,
     .summary = "a path in summary.json, such as wait_s.p95, or p95(wait){queue=vision} (see 'list "
                "metrics')"},
    {.key = "class", .type = SCHEMA_CHOICE, .choices = "build|train|distributed|batch|inference",
     .summary = "of the jobs of this class: by_class.CLASS.METRIC [of all]"},
    {.key = "queue", .type = SCHEMA_TEXT, .min = 1,
     .summary = "of the jobs of this queue, or \"*\": of each queue separately; by_queue.QUEUE.METRIC, for fairness fairness.queues.QUEUE.METRIC [of all]"},
    {.key = "margin", .type = SCHEMA_NUMBER, .max = 100, .fallback = "0.05",
     .summary = "tolerated harm, as a share of the base's value"},
    {.key = "floor", .type = SCHEMA_NUMBER, .max = 1e15,
     .summary = "harm below this is always tolerated, in the metric's unit [30 for times, else 0]"},
    {.key = "direction", .type = SCHEMA_CHOICE, .choices = "lower|higher",
     .summary = "which is better [as in 'list metrics']"},
    {.key = "role", .type = SCHEMA_CHOICE, .choices = "primary|guard", .fallback = "\"primary\"",
     .summary = "primary: a harm fails the gate; guard: it warns"},
    {0},
};
static const struct schema_row metric_element = {.type = SCHEMA_OBJECT, .child = metric_rows};
static const struct schema_row look_element = {.type = SCHEMA_INTEGER, .min = 2, .max = 100000};

/* The cost of a policy: `m` relative to the base's value; `f` is tolerated in any case. */
#define RESOURCE_ROWS(m, f, unit) \
    {.key = "margin", .type = SCHEMA_NUMBER, .max = 1000, .fallback = m, \
     .summary = "tolerated growth, as a share of the base's value"}, \
    {.key = "floor", .type = SCHEMA_NUMBER, .max = 1e12, .fallback = f, \
     .summary = "growth below this is always tolerated, in " unit}, \
    {.key = "role", .type = SCHEMA_CHOICE, .choices = "primary|guard|off", \
     .fallback = "\"primary\"", \
     .summary = "primary: more fails the gate, guard: more warns, off: not judged"}, \
    {0}
static const struct schema_row decision_time_rows[] = {RESOURCE_ROWS("0.25", "10", "us")};
static const struct schema_row peak_memory_rows[] = {RESOURCE_ROWS("0.1", "16", "MiB")};
static const struct schema_row memory_growth_rows[] = {RESOURCE_ROWS("0.1", "64", "bytes")};
static const struct schema_row resource_rows[] = {
    {.key = "decision_time", .type = SCHEMA_OBJECT, .child = decision_time_rows, .fallback = "{}",
     .summary = "CPU time of the policy core per decision, including the facts before it"},
    {.key = "peak_memory", .type = SCHEMA_OBJECT, .child = peak_memory_rows, .fallback = "{}",
     .summary = "peak memory of the process of a replica"},
    {.key = "memory_growth", .type = SCHEMA_OBJECT, .child = memory_growth_rows, .fallback = "{}",
     .summary = "memory not freed at the end of a replica, per decision: a leak"},
    {0},
};

static const struct schema_row gate_rows[] = {
    {.key = "fauxfleet_gate", .type = SCHEMA_INTEGER, .min = 1, .max = 1, .required = true,
     .summary = "version of this format"},
    {.key = "name", .type = SCHEMA_TEXT, .min = 1, .summary = "of the suite [that of its file]"},
    {.key = "description", .type = SCHEMA_TEXT, .summary = "a note to readers"},
    {.key = "scenarios", .type = SCHEMA_LIST, .min = 1, .max = 1000, .child = &scenario_element,
     .required = true,
     .summary = "scenarios of both sides: files, or objects with changes"},
    {.key = "metrics", .type = SCHEMA_LIST, .min = 1, .max = 1000, .child = &metric_element,
     .required = true,
     .summary = "judged metrics, in every scenario"},
    {.key = "resources", .type = SCHEMA_OBJECT, .child = resource_rows, .fallback = "{}",
     .summary = "how much time and memory the candidate may take beyond the base"},
    {.key = "alpha", .type = SCHEMA_NUMBER, .min = 1e-6, .max = 0.5, .fallback = "0.05",
     .summary = "probability of error: half for failing a primary metric without harm, half for "
                "passing a harm"},
    {.key = "looks", .type = SCHEMA_LIST, .min = 1, .max = 16, .child = &look_element,
     .fallback = "[20, 40, 80]",
     .summary = "numbers of replicas, rising, after which verdicts are taken"},
    {.key = "starvation", .type = SCHEMA_DURATION,
     .summary = "no job that could start may wait longer [no bound]"},
    {.key = "audit", .type = SCHEMA_INTEGER, .max = 100000,
     .summary = "number of replicas whose invariants are checked after every event, and of the "
                "others at the end [those of the first look]"},
    {.key = "$schema", .type = SCHEMA_TEXT,
     .summary = "JSON Schema of the file, for editors (see 'fauxfleet schema'); not read"},
    {0},
};
const struct schema_row schema_gate = {.type = SCHEMA_OBJECT, .child = gate_rows};

// clang-format on
