/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Helios traces (Hu et al., SC 2021), GPU jobs of the four clusters together. Durations and
 * GPUs per job: vertices of the cumulative curves in Hu et al., NSDI 2024. Hours of the day and end
 * states by size: those of the SC paper (sums over the clusters). Days of the week, sessions,
 * users: Venus, whose jobs are public. The dependence of run time on size is our choice: without
 * it, large jobs would have too little of the GPU time.
 */
#include "traces/mixes/borrowed.h"

static const struct mix_size sizes[] = {
    {1000, 72.19},  {2000, 2.56},   {3000, 0.09},    {4000, 5.63},  {5000, 0.03},   {7000, 0.18},
    {8000, 14.01},  {16000, 3.03},  {24000, 0.36},   {32000, 1.27}, {40000, 0.1},   {48000, 0.09},
    {56000, 0.07},  {64000, 0.12},  {80000, 0.03},   {88000, 0.05}, {120000, 0.05}, {128000, 0.02},
    {152000, 0.05}, {160000, 0.02}, {1024000, 0.05},
};
static const struct mix_point durations[] = RUN_TIMES_OF_HELIOS;
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
     .sm_util = {40, 100},
     .active = {70, 100}},
};

const double mix_helios_defaults[MIX_PARAMETERS] = {
    MIX_USUAL,
    [MIX_GPUS] = 6416,
    [MIX_LOAD] = 0.75,
    [MIX_MAX_GPUS] = 1024,
    [MIX_USERS] = 400,
    [MIX_USER_SLOPE] = 1.1,
    [MIX_QUEUES] = 60,
    [MIX_QUEUE_SLOPE] = 0.77,
    [MIX_SESSION_MOST] = 64,
    [MIX_SAME_SIZE] = 0.84,
    [MIX_LIKENESS] = 0.5,
    [MIX_DAY] = 1,
    [MIX_NOISE_SD] = 0.35,
    [MIX_NOISE_RHO] = 0.55,
    [MIX_SWEEP_SHARE] = 0,
};

const struct mix mix_helios = {
    .name = "helios",
    .classes = classes,
    .class_count = MIX_COUNT(classes),
    .outcomes = outcomes,
    .outcome_count = MIX_COUNT(outcomes),
    .hour = HOURS_OF_HELIOS,
    .weekday = DAYS_OF_VENUS,
    .fail_short = 0.6,
    .cancel_long = 0.3,
    .max_s = 1209600,
};
