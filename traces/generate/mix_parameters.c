/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters of all mixes; see mix.h. */
#include "traces/generate/mix.h"

#include <stddef.h>

#define DAY_S 86400.0

/* These ranges keep every product well within double and int64. */
// clang-format off
#define MIX_LIST(X) \
    X(MIX_GPUS,          "gpus",          1,    1e7,          true, \
     "capacity that the load refers to") \
    X(MIX_LOAD,          "load",          1e-3, 10,           false, \
     "sum(GPUs x duration) / (gpus x horizon)") \
    X(MIX_HORIZON_S,     "horizon_s",     60,   3653 * DAY_S, true, \
     "arrivals come before this, when jobs is 0") \
    X(MIX_JOBS,          "jobs",          0,    1e9,          true, \
     "number of jobs, over the time in which they make up the load; 0: by horizon") \
    X(MIX_MAX_GPUS,      "max_gpus",      1,    1e6,          true,  "largest job, in GPUs") \
    X(MIX_USERS,         "users",         1,    100000,       true, \
     "users, if no teams are given") \
    X(MIX_USER_SLOPE,    "user_slope",    0,    5,            false, \
     "n-th user of a queue has weight n^-slope") \
    X(MIX_QUEUES,        "queues",        1,    10000,        true, \
     "queues vc1, vc2, ..., if no teams are given") \
    X(MIX_QUEUE_SLOPE,   "queue_slope",   0,    5,            false, \
     "n-th queue has weight n^-slope") \
    X(MIX_SESSION_SLOPE, "session_slope", 1.01, 10,           false, \
     "a session has n jobs with probability ~ n^-slope") \
    X(MIX_SESSION_MOST,  "session_most",  1,    10000,        true,  "and at most this many") \
    X(MIX_SESSION_GAP_S, "session_gap_s", 0,    86400,        false, \
     "mean time between two jobs of a session, exponential") \
    X(MIX_SAME_SIZE,     "same_size",     0,    1,            false, \
     "share of jobs with the size of the previous job of the session") \
    X(MIX_LIKENESS,      "likeness",      0,    1,            false, \
     "correlation of (normal scores of) run times in a session") \
    X(MIX_DAY,           "day",           0,    10,           false, \
     "exponent of the hourly profile: 0 flat, 2 twice as marked") \
    X(MIX_WEEK,          "week",          0,    10,           false, \
     "exponent of the weekday profile") \
    X(MIX_NOISE_SD,      "noise_sd",      0,    2,            false, \
     "sd of the logarithm of an hour's arrivals, on top of the profiles") \
    X(MIX_NOISE_RHO,     "noise_rho",     0,    0.999,        false, \
     "correlation of this noise from hour to hour") \
    X(MIX_FAIL,          "fail",          0,    10,           false, \
     "factor on failures (at most all jobs that do not complete)") \
    X(MIX_RETRY_SHARE,   "retry_share",   0,    1,            false, \
     "share of failed jobs that are submitted again") \
    X(MIX_RETRY_THINK_S, "retry_think_s", 0,    1e6,          false, \
     "mean time until then, exponential") \
    X(MIX_SWEEP_SHARE,   "sweep_share",   0,    1,            false, \
     "share of train sessions that are sweeps: arrays of equal jobs") \
    X(MIX_SWEEP_LEAST,   "sweep_least",   1,    10000,        true, \
     "trials of a sweep, at least") \
    X(MIX_SWEEP_MOST,    "sweep_most",    1,    10000,        true,  "and at most") \
    X(MIX_SWEEP_LIMIT,   "sweep_limit",   0,    10000,        true, \
     "trials of a sweep that run at a time, 0 any number") \
    X(MIX_SWEEP_HALVING, "sweep_halving", 1,    100,          false, \
     "one in this many trials continues at each of two rungs; 1: all do") \
    X(MIX_SERVER_SHARE,  "server_share",  0,    1,            false, \
     "share of sessions whose jobs of several GPUs have parameter servers") \
    X(MIX_BUILD,         "build",         0,    1000,         false, \
     "factor on the share of build jobs") \
    X(MIX_TRAIN,         "train",         0,    1000,         false, \
     "factor on the share of train jobs (and those without class)") \
    X(MIX_DISTRIBUTED,   "distributed",   0,    1000,         false, \
     "factor on the share of distributed jobs") \
    X(MIX_INFERENCE,     "inference",     0,    1000,         false, \
     "factor on the share of inference jobs") \
    X(MIX_BATCH,         "batch",         0,    1000,         false, \
     "factor on the share of batch jobs")
#define NAME(tag, name, low, high, whole, text)  [tag] = name,
#define TEXT(tag, name, low, high, whole, text)  [tag] = text,
#define RANGE(tag, name, low, high, whole, text) [tag] = {low, high, whole},
// clang-format on

const char *const mix_parameter_names[MIX_PARAMETERS + 1] = {MIX_LIST(NAME)[MIX_PARAMETERS] = NULL};
const char *const mix_parameter_texts[MIX_PARAMETERS] = {MIX_LIST(TEXT)};
const struct gen_range mix_parameter_ranges[MIX_PARAMETERS] = {MIX_LIST(RANGE)};
