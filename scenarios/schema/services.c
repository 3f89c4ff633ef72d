/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a service's keys. */
#include "scenarios/schema/services.h"

// clang-format off

static const struct schema_row load_rows[] = {
    {.key = "file", .type = SCHEMA_PATH, .group = "load source",
     .summary = "CSV of steps: time_s since the first submission, rps from then on"},
    {.key = "peak_rps", .type = SCHEMA_NUMBER, .max = 1e6, .group = "load source",
     .summary = "or a made load: requests a second at the peak of a weekday"},
    {.key = "base_rps", .type = SCHEMA_NUMBER, .max = 1e6, .fallback = "0", .with = "peak_rps",
     .summary = "and half a day from it, at most peak_rps"},
    {.key = "peak_hour", .type = SCHEMA_NUMBER, .max = 24, .fallback = "15", .with = "peak_rps",
     .summary = "hour of the peak; the run begins on a Monday at 0:00"},
    {.key = "weekend", .type = SCHEMA_NUMBER, .max = 1, .fallback = "1", .with = "peak_rps",
     .summary = "of what the load has above its base, so much on Saturdays and Sundays"},
    {.key = "noise", .type = SCHEMA_NUMBER, .max = 2, .fallback = "0", .with = "peak_rps",
     .summary = "standard deviation of the logarithm of a factor with mean 1, drawn for each step"},
    {.key = "step", .type = SCHEMA_DURATION, .fallback = "\"5m\"", .with = "peak_rps",
     .summary = "the load is constant for so long"},
    {0},
};

static const struct schema_row scaler_rows[] = {
    {.key = "mode", .type = SCHEMA_CHOICE, .choices = "reactive|predictive", .fallback = "\"reactive\"",
     .summary = "by the load of the moment, or also by what is expected from former seasons"},
    {.key = "headroom", .type = SCHEMA_NUMBER, .max = 100, .fallback = "0.2",
     .summary = "capacity beyond the load, as a share of it"},
    {.key = "interval", .type = SCHEMA_DURATION, .fallback = "\"15s\"", .summary = "it looks at the load so often"},
    {.key = "scale_down_after", .type = SCHEMA_DURATION, .fallback = "\"5m\"",
     .summary = "it keeps the largest number of replicas that it asked for within so long"},
    {.key = "lead", .type = SCHEMA_DURATION,
     .summary = "predictive: how far ahead it looks [startup and interval]"},
    {.key = "season", .type = SCHEMA_DURATION, .fallback = "\"1d\"",
     .summary = "predictive: the load is taken to come again after so long"},
    {.key = "trend", .type = SCHEMA_DURATION, .fallback = "\"1h\"",
     .summary = "predictive: times the mean of so long to that of one season ago, a half to two"},
    {0},
};

static const struct schema_row service_rows[] = {
    {.key = "name", .type = SCHEMA_TEXT, .min = 1, .required = true,
     .summary = "unique name of the service; replicas are the jobs NAME/0, NAME/1, ..."},
    {.key = "queue", .type = SCHEMA_TEXT, .min = 1, .fallback = "\"default\"",
     .summary = "of its replicas; where the policy knows quotas, what is not preemptible wants to be within one"},
    {.key = "gpus_per_replica", .type = SCHEMA_INTEGER, .min = 1, .max = 64, .group = "size of a replica",
     .summary = "GPUs of a replica, all on one node [1]"},
    {.key = "gpu_milli", .type = SCHEMA_INTEGER, .min = 1, .max = 999, .group = "size of a replica",
     .summary = "or so many thousandths of one GPU"},
    {.key = "gpu_type", .type = SCHEMA_TEXT, .min = 1, .summary = "the only type of GPUs that will do [any]"},
    {.key = "priority", .type = SCHEMA_INTEGER, .min = -1e9, .max = 1e9, .fallback = "125",
     .summary = "of its replicas, larger goes first"},
    {.key = "preemptible", .type = SCHEMA_BOOLEAN, .fallback = "false", .summary = "whether they may be evicted"},
    {.key = "min", .type = SCHEMA_INTEGER, .max = 1e5, .fallback = "1", .summary = "replicas at least"},
    {.key = "max", .type = SCHEMA_INTEGER, .min = 1, .max = 1e5, .required = true, .summary = "and at most"},
    {.key = "rps_per_replica", .type = SCHEMA_NUMBER, .min = 0.001, .max = 1e6, .required = true,
     .summary = "requests a second that one can serve"},
    {.key = "load", .type = SCHEMA_OBJECT, .child = load_rows, .required = true, .summary = "requests a second over time"},
    {.key = "autoscaler", .type = SCHEMA_OBJECT, .child = scaler_rows, .fallback = "{}",
     .summary = "who submits replicas, and ends them"},
    {.key = "startup", .type = SCHEMA_DURATION,
     .summary = "cold start, from when a replica has its GPUs until it serves [as of all jobs of the class inference]"},
    {0},
};
const struct schema_row schema_service = {.type = SCHEMA_OBJECT, .child = service_rows};

// clang-format on
