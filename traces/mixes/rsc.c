/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RSC-1 (Kokolis et al., "Revisiting reliability in large-scale machine learning research
 * clusters", HPCA 2025), as far as published: over 40 % of the jobs have one GPU, over 90 % at most
 * 8; jobs of 256 GPUs and more have 66 % of the GPU time, those of 4,096 12 %; ends: completed 60,
 * failed 24, without those preempted and requeued, which the simulator decides; limit 7 days, 7,200
 * jobs a day. The table of sizes is our own and meets these figures. Run times are those of Helios
 * up to the limit; the published number of jobs a day and utilization leave a mean of about 6,600
 * s. Hours and days are those of ThetaGPU.
 */
#include "traces/mixes/borrowed.h"

static const struct mix_size sizes[] = {
    {1000, 44},     {2000, 6},      {4000, 8},       {8000, 33},    {16000, 2.5},
    {32000, 2},     {64000, 1.5},   {128000, 1.1},   {256000, 0.8}, {512000, 0.45},
    {1024000, 0.3}, {2048000, 0.2}, {4096000, 0.06},
};
static const struct mix_point durations[] = RUN_TIMES_OF_HELIOS;
static const struct mix_outcome outcomes[] = {
    {0, {69, 27.6, 3.4}},
};

static const struct mix_class classes[] = {
    {.class = TRACE_CLASS_UNSET,
     .share = 1,
     .sizes = sizes,
     .size_count = MIX_COUNT(sizes),
     .durations = durations,
     .duration_count = MIX_COUNT(durations),
     .size_effect = 0,
     .sm_util = {60, 100},
     .active = {80, 100}},
};

const double mix_rsc_defaults[MIX_PARAMETERS] = {
    MIX_USUAL,
    [MIX_GPUS] = 16000,
    [MIX_LOAD] = 0.84,
    [MIX_MAX_GPUS] = 4096,
    [MIX_USERS] = 400,
    [MIX_USER_SLOPE] = 1.1,
    [MIX_QUEUES] = 20,
    [MIX_QUEUE_SLOPE] = 0.77,
    [MIX_SESSION_MOST] = 64,
    [MIX_SAME_SIZE] = 0.84,
    [MIX_LIKENESS] = 0.5,
    [MIX_DAY] = 1,
    [MIX_NOISE_SD] = 0.35,
    [MIX_NOISE_RHO] = 0.25,
    [MIX_SWEEP_SHARE] = 0,
};

const struct mix mix_rsc = {
    .name = "rsc",
    .classes = classes,
    .class_count = MIX_COUNT(classes),
    .outcomes = outcomes,
    .outcome_count = MIX_COUNT(outcomes),
    .hour = HOURS_OF_THETAGPU,
    .weekday = DAYS_OF_THETAGPU,
    .fail_short = 0.6,
    .cancel_long = 0.3,
    .max_s = 604800,
};
