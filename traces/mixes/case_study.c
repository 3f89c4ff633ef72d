/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The organization of a published case study (30 deep-learning engineers on mixed machines, each
 * with their own devices: 28 % overall utilization; over 70 % with pooled devices and guaranteed
 * quotas). It says: build sessions last hours, are mostly idle and below 50 % utilized when active;
 * training lasts hours to weeks at high utilization, and hyperparameters are searched in bursts.
 * The numbers below are our choice for this: sessions log-normal with a median of 3 h, cut at 12 h,
 * active 15 to 40 % of the time; training log-normal with a median of 4 h, cut at 21 d; one
 * training session in four is a sweep of 8 to 32 trials, at most 4 at a time, and two thirds are
 * stopped early at each rung. Hours: those of ThetaGPU with twice the contrast (people with working
 * days).
 */
#include "traces/mixes/borrowed.h"

static const struct mix_size sizes_build[] = {
    {1000, 80},
    {2000, 20},
};
static const struct mix_point durations_build[] = {
    {960, 0},       {1920, 2.75},   {3840, 12.53}, {7680, 35.24},
    {15360, 65.22}, {30720, 87.73}, {43200, 100},
};
static const struct mix_size sizes_train[] = {
    {1000, 62},
    {2000, 18},
    {4000, 12},
    {8000, 8},
};
static const struct mix_point durations_train[] = {
    {60, 0},         {120, 0.24},     {240, 0.8},      {480, 2.27},
    {960, 5.56},     {1920, 11.8},    {3840, 21.84},   {7680, 35.58},
    {15360, 51.51},  {30720, 67.21},  {61440, 80.33},  {122880, 89.64},
    {245760, 95.24}, {491520, 98.11}, {983040, 99.35}, {1814400, 100},
};
static const struct mix_outcome outcomes[] = {
    {0, {70, 18, 12}},
};

static const struct mix_class classes[] = {
    {.class = TRACE_BUILD,
     .share = 45,
     .sizes = sizes_build,
     .size_count = MIX_COUNT(sizes_build),
     .durations = durations_build,
     .duration_count = MIX_COUNT(durations_build),
     .size_effect = 0,
     .sm_util = {20, 49},
     .active = {15, 40},
     .session_most = 1},
    {.class = TRACE_TRAIN,
     .share = 55,
     .sizes = sizes_train,
     .size_count = MIX_COUNT(sizes_train),
     .durations = durations_train,
     .duration_count = MIX_COUNT(durations_train),
     .size_effect = 0.1,
     .sm_util = {75, 98},
     .active = {85, 100},
     .sweeps = true},
};

const double mix_case_study_defaults[MIX_PARAMETERS] = {
    MIX_USUAL,
    [MIX_GPUS] = 64,
    [MIX_LOAD] = 0.6,
    [MIX_MAX_GPUS] = 8,
    [MIX_USERS] = 30,
    [MIX_USER_SLOPE] = 0,
    [MIX_QUEUES] = 30,
    [MIX_QUEUE_SLOPE] = 0.6,
    [MIX_SESSION_MOST] = 16,
    [MIX_SAME_SIZE] = 0.9,
    [MIX_LIKENESS] = 0.5,
    [MIX_DAY] = 2,
    [MIX_NOISE_SD] = 0.5,
    [MIX_NOISE_RHO] = 0.55,
    [MIX_SWEEP_SHARE] = 0.25,
};

const struct mix mix_case_study = {
    .name = "case-study",
    .classes = classes,
    .class_count = MIX_COUNT(classes),
    .outcomes = outcomes,
    .outcome_count = MIX_COUNT(outcomes),
    .hour = HOURS_OF_THETAGPU,
    .weekday = DAYS_OF_THETAGPU,
    .fail_short = 0.6,
    .cancel_long = 0.2,
    .max_s = 1814400,
};
