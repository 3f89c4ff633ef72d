/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of speeds.json: types of GPUs, and classes of work with their rows and their rule. */
#include "scenarios/schema/speeds.h"

// clang-format off

static const struct schema_row text_element = {.type = SCHEMA_TEXT, .min = 1};

static const struct schema_row gpu_rows[] = {
    {.key = "summary", .type = SCHEMA_TEXT, .required = true, .summary = "one line about it"},
    {.key = "source", .type = SCHEMA_TEXT, .required = true,
     .summary = "source of its figures"},
    {.key = "names", .type = SCHEMA_LIST, .max = 16, .child = &text_element,
     .summary = "other names, in lower case and without vendor, form and memory"},
    {.key = "variant_of", .type = SCHEMA_TEXT, .min = 1,
     .summary = "the type of the same name with more memory"},
    {.key = "mem_gb", .type = SCHEMA_NUMBER, .max = 1e4, .with = "variant_of",
     .summary = "memory that tells them apart"},
    {.key = "peak_tflops", .type = SCHEMA_NUMBER, .min = 1e-3, .max = 1e6, .required = true,
     .summary = "dense BF16 or FP16 peak of the data sheet"},
    {.key = "matmul_tflops", .type = SCHEMA_NUMBER, .min = 1e-3, .max = 1e6,
     .summary = "measured on large BF16 matmuls [0.8 of the peak]"},
    {.key = "mem_tb_s", .type = SCHEMA_NUMBER, .min = 1e-3, .max = 1e4, .required = true,
     .summary = "TB/s of its memory"},
    {.key = "pcie", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "no NVLink switch between such GPUs"},
    {.key = "bf16", .type = SCHEMA_NUMBER, .max = 10,
     .summary = "speed of jobs that need BF16, without BF16 units"},
    {0},
};
static const struct schema_row gpu = {.type = SCHEMA_OBJECT, .child = gpu_rows};

static const struct schema_row speed_rows[] = {
    {.key = "speed", .type = SCHEMA_NUMBER, .min = 1e-4, .max = 1e4, .required = true,
     .summary = "relative to A100 SXM with 80 GB, at equal numbers of GPUs"},
    {.key = "low", .type = SCHEMA_NUMBER, .min = 1e-4, .max = 1e4, .with = "high",
     .summary = "observed range [by the mark]"},
    {.key = "high", .type = SCHEMA_NUMBER, .min = 1e-4, .max = 1e4, .with = "low",
     .summary = "the same"},
    {.key = "chip", .type = SCHEMA_NUMBER, .min = 1e-4, .max = 1e4,
     .summary = "without the gain of its NVLink domain [the speed]"},
    {.key = "mark", .type = SCHEMA_CHOICE, .choices = "m|v|d|r|a", .required = true,
     .summary = "measured, claimed by the vendor, derived from measurements, by the rule, assumed"},
    {.key = "source", .type = SCHEMA_TEXT, .min = 1, .required = true,
     .summary = "its source"},
    {0},
};
static const struct schema_row speed = {.type = SCHEMA_OBJECT, .child = speed_rows};

static const struct schema_row rule_rows[] = {
    {.key = "a", .type = SCHEMA_NUMBER, .max = 10, .required = true,
     .summary = "exponent of the matmul rate"},
    {.key = "b", .type = SCHEMA_NUMBER, .max = 10, .required = true,
     .summary = "exponent of the memory bandwidth"},
    {.key = "p", .type = SCHEMA_NUMBER, .min = 1e-3, .max = 1, .required = true,
     .summary = "factor without NVLink switch, for jobs on several GPUs"},
    {.key = "error", .type = SCHEMA_NUMBER, .min = 1, .max = 10, .required = true,
     .summary = "rms error (a factor) when one type is left out of the fit"},
    {0},
};

static const struct schema_row class_rows[] = {
    {.key = "summary", .type = SCHEMA_TEXT, .required = true, .summary = "its kind of work"},
    {.key = "like", .type = SCHEMA_TEXT, .min = 1,
     .summary = "an earlier class that supplies missing rows"},
    {.key = "rule", .type = SCHEMA_OBJECT, .child = rule_rows, .required = true,
     .summary = "for types without a row"},
    {.key = "speeds", .type = SCHEMA_OBJECT, .open = &speed, .required = true,
     .summary = "by type, as recorded: BF16 or FP16"},
    {.key = "fp8", .type = SCHEMA_OBJECT, .open = &speed, .summary = "by type, in FP8"},
    {.key = "fp4", .type = SCHEMA_OBJECT, .open = &speed, .summary = "by type, in FP4"},
    {0},
};
static const struct schema_row class = {.type = SCHEMA_OBJECT, .child = class_rows};

static const struct schema_row speeds_rows[] = {
    {.key = "fauxfleet_catalog", .type = SCHEMA_INTEGER, .min = 1, .max = 1, .required = true,
     .summary = "version of this format"},
    {.key = "gpus", .type = SCHEMA_OBJECT, .open = &gpu, .required = true,
     .summary = "types of GPUs, the first is what all speeds are relative to"},
    {.key = "classes", .type = SCHEMA_OBJECT, .open = &class, .required = true,
     .summary = "classes of work"},
    {0},
};
const struct schema_row schema_speeds = {.type = SCHEMA_OBJECT, .child = speeds_rows};

// clang-format on
