/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The PAI trace (Weng et al., NSDI 2022), instances as jobs. Durations and GPUs: vertices of the
 * cumulative curves in Hu et al., NSDI 2024. GPU shares below one: the requests of its tasks.
 * Hours: relative rates of the company's trace of 2026. Days of the week, sessions and end states:
 * those of Helios, for lack of others.
 */
#include "traces/mixes/borrowed.h"

static const struct mix_size sizes[] = {
    {100, 11.733}, {250, 27.276}, {500, 13.738}, {1000, 44.323}, {2000, 1.58},
    {3000, 0.11},  {4000, 0.35},  {5000, 0.4},   {7000, 0.01},   {8000, 0.48},
};
static const struct mix_point durations[] = {
    {1, 0.08},      {2, 0.08},      {4, 0.12},       {8, 0.43},       {16, 2.99},
    {32, 11.87},    {64, 21.06},    {128, 28.95},    {256, 39.62},    {512, 50.9},
    {1024, 60.79},  {2048, 69.84},  {4096, 78.51},   {8192, 87.12},   {16384, 93.19},
    {32768, 97.05}, {65536, 99.03}, {131072, 99.69}, {262144, 99.95}, {524288, 100},
};
static const struct mix_outcome outcomes[] = {
    {0, {66.81, 14.72, 18.47}}, {2, {40.53, 27.02, 32.46}},  {4, {57.6, 23.03, 19.37}},
    {8, {55.07, 15.68, 29.24}}, {16, {42.83, 10.91, 46.27}}, {32, {43.95, 15, 41.06}},
    {64, {21.28, 10.22, 68.5}},
};

static const struct mix_class classes[] = {
    {.class = TRACE_CLASS_UNSET,
     .share = 1,
     .sizes = sizes,
     .size_count = MIX_COUNT(sizes),
     .durations = durations,
     .duration_count = MIX_COUNT(durations),
     .size_effect = 0.2,
     .sm_util = {0, 40},
     .active = {30, 100}},
};

const double mix_pai_defaults[MIX_PARAMETERS] = {
    MIX_USUAL,
    [MIX_GPUS] = 6742,
    [MIX_LOAD] = 0.6,
    [MIX_MAX_GPUS] = 8,
    [MIX_USERS] = 1300,
    [MIX_USER_SLOPE] = 1.1,
    [MIX_QUEUES] = 30,
    [MIX_QUEUE_SLOPE] = 0.8,
    [MIX_SESSION_MOST] = 64,
    [MIX_SAME_SIZE] = 0.84,
    [MIX_LIKENESS] = 0.5,
    [MIX_DAY] = 1,
    [MIX_NOISE_SD] = 0.35,
    [MIX_NOISE_RHO] = 0.25,
    [MIX_SWEEP_SHARE] = 0,
};

const struct mix mix_pai = {
    .name = "pai",
    .classes = classes,
    .class_count = MIX_COUNT(classes),
    .outcomes = outcomes,
    .outcome_count = MIX_COUNT(outcomes),
    .hour = {.97,  .82,  .73,  .69,  .67,  .73,  .74,  .78,  .83,  .88, 1.30, 1.33,
             1.02, 1.00, 1.31, 1.30, 1.40, 1.32, 1.04, 1.10, 1.13, .99, .98,  .94},
    .weekday = DAYS_OF_VENUS,
    .fail_short = 0.6,
    .cancel_long = 0.3,
    .max_s = 1209600,
};
