/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of a model's keys and of its table of measurements. */
#include "scenarios/schema/model.h"
#include "scenarios/schema/node.h"
#include "scenarios/schema/speeds.h"

// clang-format off

static const struct schema_row text_element = {.type = SCHEMA_TEXT, .min = 1};
static const struct schema_row rate_element = {.type = SCHEMA_NUMBER, .max = 1e15};
static const struct schema_row percent_element = {.type = SCHEMA_NUMBER, .min = -1e4, .max = 100};
static const struct schema_row speed = {.type = SCHEMA_NUMBER, .min = 1e-4, .max = 1e4};

static const struct schema_row calibration_rows[] = {
    {.key = "hardware", .type = SCHEMA_TEXT, .summary = "where it was measured"},
    {.key = "nodes", .type = SCHEMA_LIST, .min = 1, .max = 64, .child = &rate_element,
     .required = true,
     .summary = "sizes, rising: in nodes or devices"},
    {.key = "rate", .type = SCHEMA_LIST, .min = 1, .max = 64, .child = &rate_element,
     .required = true,
     .summary = "samples per second at each"},
    {.key = "linear", .type = SCHEMA_LIST, .min = 1, .max = 64, .child = &rate_element,
     .summary = "published rate of perfect scaling"},
    {.key = "speed_up", .type = SCHEMA_LIST, .min = 1, .max = 64, .child = &rate_element,
     .summary = "published speed-up over the first size"},
    {.key = "reference", .type = SCHEMA_LIST, .min = 1, .max = 64, .child = &rate_element,
     .summary = "rates of another run"},
    {.key = "difference_pct", .type = SCHEMA_LIST, .min = 1, .max = 64, .child = &percent_element,
     .with = "reference",
     .summary = "published difference between rate and reference, in %"},
    {.key = "node", .type = SCHEMA_TEXT, .min = 1, .other = &schema_node,
     .summary = "kind of node measured, by name or the node itself: the prediction of the model "
                "for each size is compared with `rate`"},
    {.key = "tolerance", .type = SCHEMA_NUMBER, .max = 1, .with = "node", .fallback = "0.05",
     .summary = "tolerated difference, such as 0.02"},
    {0},
};

static const struct schema_row model_rows[] = {
    {.key = "summary", .type = SCHEMA_TEXT, .summary = "one line about this model"},
    {.key = "source", .type = SCHEMA_TEXT,
     .summary = "source of its figures, unless `sources` names another"},
    {.key = "sources", .type = SCHEMA_OBJECT, .open = &text_element,
     .summary = "sources of single figures, such as {\"batch\": \"inferred\"}"},
    {.key = "unverified", .type = SCHEMA_LIST, .max = 64, .child = &text_element,
     .summary = "figures that are estimates or unchecked; speeds.v100 for one speed"},

    {.key = "intensity", .type = SCHEMA_NUMBER, .max = 1000, .group = "work",
     .summary = "instead of all other figures: GB all-reduced per device-second of computing, with "
                "8 devices"},
    {.key = "work_s", .type = SCHEMA_NUMBER, .min = 1e-6, .max = 1e9, .group = "work",
     .summary = "device-seconds of a step on A100-SXM"},
    {.key = "scaling", .type = SCHEMA_CHOICE, .choices = "strong|weak", .fallback = "\"strong\"",
     .summary = "weak: work and batch are per device"},
    {.key = "batch", .type = SCHEMA_NUMBER, .min = 1e-6, .max = 1e12,
     .summary = "samples per step [1]"},
    {.key = "samples", .type = SCHEMA_TEXT, .min = 1, .fallback = "\"samples\"",
     .summary = "unit of the samples"},
    {.key = "gradient_gb", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "GB that each device all-reduces in a step [0]"},
    {.key = "imbalance", .type = SCHEMA_NUMBER, .min = 1, .max = 100, .fallback = "1",
     .summary = "all-reduce time over that of equal ranks"},
    {.key = "overlap", .type = SCHEMA_NUMBER, .max = 1, .fallback = "0",
     .summary = "share of the all-reduce that overlaps with computing"},
    {.key = "bucket_gb", .type = SCHEMA_NUMBER, .max = 1e6, .fallback = "0.2",
     .summary = "size of gradient buckets, each with its latency; 0 none"},
    {.key = "fixed_s", .type = SCHEMA_NUMBER, .max = 1e6, .fallback = "0",
     .summary = "constant seconds per step"},
    {.key = "tensor_parallel", .type = SCHEMA_INTEGER, .min = 1, .max = 1024, .fallback = "1",
     .summary = "devices of a tensor group"},
    {.key = "pipeline_parallel", .type = SCHEMA_INTEGER, .min = 1, .max = 1024, .fallback = "1",
     .summary = "stages of the pipeline"},
    {.key = "micro_batches", .type = SCHEMA_NUMBER, .min = 1, .max = 1e6, .fallback = "1",
     .summary = "micro-batches of a step, divided among replicas; with weak scaling per pipeline"},
    {.key = "virtual_stages", .type = SCHEMA_NUMBER, .min = 1, .max = 1e4, .fallback = "1",
     .summary = "chunks of the model on each device of a pipeline"},
    {.key = "tensor_gb", .type = SCHEMA_NUMBER, .max = 1e9, .fallback = "0",
     .summary = "GB all-reduced in a tensor group per step, over the whole batch"},
    {.key = "pipeline_gb", .type = SCHEMA_NUMBER, .max = 1e9, .fallback = "0",
     .summary = "GB that a device passes to the next stage per step, over the whole batch"},
    {.key = "input_core_s", .type = SCHEMA_NUMBER, .max = 1e6, .group = "input",
     .summary = "core-seconds to prepare a sample"},
    {.key = "cpu_curve", .type = SCHEMA_CHOICE, .choices = SCHEMA_CPU_CURVES, .group = "input",
     .summary = "needs cores like this kind of neural network [none]"},
    {.key = "numa_slowdown", .type = SCHEMA_NUMBER, .min = 1, .max = 10, .fallback = "1",
     .summary = "factor on computing with cores on another NUMA domain"},
    {.key = "family", .type = SCHEMA_CHOICE, .choices = SCHEMA_FAMILIES, .fallback = "\"none\"",
     .summary = "shares a device like this kind of neural network"},
    {.key = "utilization", .type = SCHEMA_NUMBER, .max = 1, .fallback = "0",
     .summary = "utilization of a device of its own, 0 unknown"},
    {.key = "speed_class", .type = SCHEMA_CHOICE, .choices = SCHEMA_SPEED_CLASSES,
     .fallback = "\"unknown\"",
     .summary = "class of work, which decides the relative speed of GPUs: see `list speeds`"},
    {.key = "precision", .type = SCHEMA_CHOICE, .choices = SCHEMA_PRECISIONS,
     .fallback = "\"recorded\"",
     .summary = "recorded: BF16 or FP16, whichever a GPU has; bf16: that only; fp8, fp4: where a "
                "GPU has it"},
    {.key = "speeds", .type = SCHEMA_OBJECT, .open = &speed, .fallback = "{}",
     .summary = "measured for this model, by device type, relative to A100-SXM, such as {\"t4\": "
                "0.09} [those of its class]"},
    {.key = "calibration", .type = SCHEMA_OBJECT, .child = calibration_rows,
     .summary = "published measurements; refused if they contradict themselves or the model"},
    {0},
};
const struct schema_row schema_model = {.type = SCHEMA_OBJECT, .child = model_rows};

static const struct schema_row models_rows[] = {
    {.key = "fauxfleet_catalog", .type = SCHEMA_INTEGER, .min = 1, .max = 1, .required = true,
     .summary = "version of this format"},
    {.key = "models", .type = SCHEMA_OBJECT, .open = &schema_model, .required = true,
     .summary = "models by name"},
    {0},
};
const struct schema_row schema_models = {.type = SCHEMA_OBJECT, .child = models_rows};

// clang-format on
