/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a service's keys. */
#include "scenarios/schema/services.h"

// clang-format off

static const struct schema_row load_rows[] = {
    {.key = "file", .type = SCHEMA_PATH, .group = "load source",
     .summary = "CSV of steps: time_s since the first submission, rps from then on"},
    {.key = "peak_rps", .type = SCHEMA_NUMBER, .max = 1e6, .group = "load source",
     .summary = "or a generated load: requests per second at the peak of a weekday"},
    {.key = "base_rps", .type = SCHEMA_NUMBER, .max = 1e6, .fallback = "0", .with = "peak_rps",
     .summary = "and half a day later, at most peak_rps"},
    {.key = "peak_hour", .type = SCHEMA_NUMBER, .max = 24, .fallback = "15", .with = "peak_rps",
     .summary = "hour of the peak; the run begins on a Monday at 0:00"},
    {.key = "weekend", .type = SCHEMA_NUMBER, .max = 1, .fallback = "1", .with = "peak_rps",
     .summary = "share of the load above its base on Saturdays and Sundays"},
    {.key = "noise", .type = SCHEMA_NUMBER, .max = 2, .fallback = "0", .with = "peak_rps",
     .summary = "standard deviation of the logarithm of a factor with mean 1, drawn for each step"},
    {.key = "step", .type = SCHEMA_DURATION, .fallback = "\"5m\"", .with = "peak_rps",
     .summary = "step of the load"},
    {0},
};

static const struct schema_row scaler_rows[] = {
    {.key = "mode", .type = SCHEMA_CHOICE, .choices = "reactive|predictive",
     .fallback = "\"reactive\"",
     .summary = "by the current load, or also by a forecast from previous seasons"},
    {.key = "headroom", .type = SCHEMA_NUMBER, .max = 100, .fallback = "0.2",
     .summary = "capacity beyond the load, as a share of it"},
    {.key = "interval", .type = SCHEMA_DURATION, .fallback = "\"15s\"",
     .summary = "interval at which it checks the load"},
    {.key = "scale_down_after", .type = SCHEMA_DURATION, .fallback = "\"5m\"",
     .summary = "it scales down to the largest number of replicas wanted within this time"},
    {.key = "lead", .type = SCHEMA_DURATION,
     .summary = "predictive: how far ahead it looks [startup and interval]"},
    {.key = "season", .type = SCHEMA_DURATION, .fallback = "\"1d\"",
     .summary = "predictive: period of the load"},
    {.key = "trend", .type = SCHEMA_DURATION, .fallback = "\"1h\"",
     .summary = "predictive: factor by the mean over this time relative to one season ago, a half "
                "to two"},
    {0},
};

static const struct schema_row service_rows[] = {
    {.key = "name", .type = SCHEMA_TEXT, .min = 1, .required = true,
     .summary = "unique name of the service; replicas are the jobs NAME/0, NAME/1, ..."},
    {.key = "queue", .type = SCHEMA_TEXT, .min = 1, .fallback = "\"default\"",
     .summary = "of its replicas; where the policy knows quotas, what is not preemptible wants to "
                "be within one"},
    {.key = "gpus_per_replica", .type = SCHEMA_INTEGER, .min = 1, .max = 64,
     .group = "size of a replica",
     .summary = "GPUs of a replica, all on one node [1]"},
    {.key = "gpu_milli", .type = SCHEMA_INTEGER, .min = 1, .max = 999, .group = "size of a replica",
     .summary = "or thousandths of one GPU"},
    {.key = "gpu_type", .type = SCHEMA_TEXT, .min = 1, .summary = "required type of GPU [any]"},
    {.key = "priority", .type = SCHEMA_INTEGER, .min = -1e9, .max = 1e9, .fallback = "125",
     .summary = "of its replicas, larger goes first"},
    {.key = "preemptible", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "true: they may be evicted"},
    {.key = "min", .type = SCHEMA_INTEGER, .max = 1e5, .fallback = "1",
     .summary = "replicas at least"},
    {.key = "max", .type = SCHEMA_INTEGER, .min = 1, .max = 1e5, .required = true,
     .summary = "and at most"},
    {.key = "rps_per_replica", .type = SCHEMA_NUMBER, .min = 0.001, .max = 1e6, .required = true,
     .summary = "requests per second that one replica serves"},
    {.key = "load", .type = SCHEMA_OBJECT, .child = load_rows, .required = true,
     .summary = "requests per second over time"},
    {.key = "autoscaler", .type = SCHEMA_OBJECT, .child = scaler_rows, .fallback = "{}",
     .summary = "controls the number of replicas"},
    {.key = "startup", .type = SCHEMA_DURATION,
     .summary = "cold start, from when a replica has its GPUs until it serves [as of all jobs of "
                "the class inference]"},
    {0},
};
const struct schema_row schema_service = {.type = SCHEMA_OBJECT, .child = service_rows};

// clang-format on
