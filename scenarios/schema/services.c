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

static const struct schema_row signal_rows[] = {
    {.key = "of", .type = SCHEMA_CHOICE, .required = true,
     .choices = "load|queue|concurrency|utilization|memory|schedule",
     .summary = "what it looks at: requests that arrive, that wait, or that are waiting or in "
                "service; the used share of the ready replicas, or of their GPU memory; the time"},
    {.key = "target", .type = SCHEMA_NUMBER, .min = 1e-6, .max = 1e6,
     .summary = "of queue and concurrency: requests per replica; of utilization and memory: a "
                "share of at most 1"},
    {.key = "from", .type = SCHEMA_TEXT, .min = 1, .with = "to",
     .summary = "schedule: a time of the week, such as \"mon 09:00\""},
    {.key = "to", .type = SCHEMA_TEXT, .min = 1, .with = "from",
     .summary = "schedule: and when it ends"},
    {.key = "replicas", .type = SCHEMA_INTEGER, .max = 1e5,
     .summary = "schedule: replicas from `from` to `to`"},
    {0},
};
static const struct schema_row signal_element = {.type = SCHEMA_OBJECT, .child = signal_rows};

static const struct schema_row hour_rows[] = {
    {.key = "from", .type = SCHEMA_TEXT, .min = 1, .required = true,
     .summary = "a time of the week, such as \"mon 08:00\""},
    {.key = "to", .type = SCHEMA_TEXT, .min = 1, .required = true, .summary = "and when it ends"},
    {.key = "headroom", .type = SCHEMA_NUMBER, .max = 100, .required = true,
     .summary = "capacity beyond the load, as a share of it"},
    {0},
};
static const struct schema_row hour_element = {.type = SCHEMA_OBJECT, .child = hour_rows};

static const struct schema_row request_rows[] = {
    {.key = "queue", .type = SCHEMA_INTEGER, .max = 1e9,
     .summary = "requests that may wait for a replica; others are rejected [any number]"},
    {.key = "latency", .type = SCHEMA_DURATION, .fallback = "0",
     .summary = "time that a request is in service, for signals and the SLO"},
    {.key = "memory_gib", .type = SCHEMA_NUMBER, .max = 1e6, .fallback = "0",
     .summary = "GPU memory of a request in service"},
    {.key = "model_gib", .type = SCHEMA_NUMBER, .max = 1e6, .fallback = "0",
     .summary = "GPU memory of the model in each replica"},
    {.key = "replica_gib", .type = SCHEMA_NUMBER, .min = 0.001, .max = 1e6,
     .summary = "GPU memory of a replica, for the signal memory"},
    {0},
};

static const struct schema_row slo_rows[] = {
    {.key = "percent", .type = SCHEMA_NUMBER, .max = 100, .required = true,
     .summary = "of the requests, below 100, ..."},
    {.key = "within", .type = SCHEMA_DURATION, .required = true,
     .summary = "... end within this time of their arrival, latency included"},
    {0},
};

static const struct schema_row scaler_rows[] = {
    {.key = "mode", .type = SCHEMA_CHOICE, .choices = "reactive|predictive",
     .fallback = "\"reactive\"",
     .summary = "by the current load, or also by a forecast from previous seasons"},
    {.key = "headroom", .type = SCHEMA_NUMBER, .max = 100, .fallback = "0.2",
     .summary = "capacity beyond the load, as a share of it"},
    {.key = "headroom_hours", .type = SCHEMA_LIST, .max = 168, .child = &hour_element,
     .summary = "other headrooms between times of the week; the first that holds counts"},
    {.key = "signals", .type = SCHEMA_LIST, .max = 16, .child = &signal_element,
     .summary = "what it looks at; the largest number that one asks for counts [load]"},
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
     .summary = "of its replicas; if the policy has quotas, replicas that are not preemptible have to fit the quota"},
    {.key = "gpus_per_replica", .type = SCHEMA_INTEGER, .min = 1, .max = 64,
     .group = "size of a replica",
     .summary = "GPUs of a replica, all on one node [1]"},
    {.key = "gpu_milli", .type = SCHEMA_INTEGER, .min = 1, .max = 999, .group = "size of a replica",
     .summary = "or thousandths of one GPU"},
    {.key = "roles", .type = SCHEMA_TEXT, .min = 1, .group = "size of a replica",
     .summary = "or tasks that are not all alike, as in the column of a trace, such as \"prefill "
                "gpus=8; decode tasks=2 gpus=8\""},
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
    {.key = "requests", .type = SCHEMA_OBJECT, .child = request_rows, .fallback = "{}",
     .summary = "requests that cannot be served at once, and what one takes"},
    {.key = "slo", .type = SCHEMA_OBJECT, .child = slo_rows,
     .summary = "service level objective: the share of requests that must end in time [none]"},
    {.key = "autoscaler", .type = SCHEMA_OBJECT, .child = scaler_rows, .fallback = "{}",
     .summary = "controls the number of replicas"},
    {.key = "startup", .type = SCHEMA_DURATION,
     .summary = "cold start, from when a replica has its GPUs until it serves [as of all jobs of "
                "the class inference]"},
    {0},
};
const struct schema_row schema_service = {.type = SCHEMA_OBJECT, .child = service_rows};

// clang-format on
