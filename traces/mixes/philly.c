/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Philly trace (Jeon et al., USENIX ATC 2019), as released. Durations and GPUs per job:
 * vertices of the cumulative curves in Hu et al., NSDI 2024, figures 2 and 3. End states by size,
 * attempts, sessions: the first 10,765 jobs. Days of the week: submissions of October to December.
 * Its own hours are dominated by one team's periodic batches, so hours are those of ThetaGPU, a
 * machine in the same country. The dependence of run time on size is our choice, within the
 * measured range (correlation of log2 GPUs and ln run time 0.10 to 0.20).
 */
#include "traces/mixes/borrowed.h"

static const struct mix_size sizes[] = {
    {1000, 82.42}, {2000, 2.06},  {4000, 7.57},    {8000, 6.86},
    {16000, 0.89}, {32000, 0.18}, {1024000, 0.02},
};
static const struct mix_point durations[] = {
    {1, 0.03},       {2, 0.08},      {4, 0.17},       {8, 0.82},       {16, 3.62},
    {32, 8.42},      {64, 18.88},    {128, 26.99},    {256, 31.5},     {512, 36.28},
    {1024, 54.91},   {2048, 67.47},  {4096, 79.28},   {8192, 84.6},    {16384, 90.29},
    {32768, 92.71},  {65536, 94.86}, {131072, 96.95}, {262144, 98.39}, {524288, 99.32},
    {1048576, 99.8}, {2097152, 100},
};
static const struct mix_outcome outcomes[] = {
    {0, {75.7, 13.4, 10.8}}, {2, {72.9, 14.3, 12.8}}, {4, {42.8, 34, 23.2}},
    {8, {35.2, 31.5, 33.3}}, {16, {41, 50, 9}},
};

static const struct mix_class classes[] = {
    {.class = TRACE_CLASS_UNSET,
     .share = 1,
     .sizes = sizes,
     .size_count = MIX_COUNT(sizes),
     .durations = durations,
     .duration_count = MIX_COUNT(durations),
     .size_effect = 0.25,
     .sm_util = {20, 90},
     .active = {60, 100}},
};

const double mix_philly_defaults[MIX_PARAMETERS] = {
    MIX_USUAL,
    [MIX_GPUS] = 2490,
    [MIX_LOAD] = 0.6,
    [MIX_MAX_GPUS] = 128,
    [MIX_USERS] = 319,
    [MIX_USER_SLOPE] = 1.25,
    [MIX_QUEUES] = 15,
    [MIX_QUEUE_SLOPE] = 0.65,
    [MIX_SESSION_MOST] = 64,
    [MIX_SAME_SIZE] = 0.97,
    [MIX_LIKENESS] = 0.82,
    [MIX_DAY] = 1,
    [MIX_NOISE_SD] = 1.0,
    [MIX_NOISE_RHO] = 0.55,
    [MIX_SWEEP_SHARE] = 0,
};

const struct mix mix_philly = {
    .name = "philly",
    .classes = classes,
    .class_count = MIX_COUNT(classes),
    .outcomes = outcomes,
    .outcome_count = MIX_COUNT(outcomes),
    .hour = HOURS_OF_THETAGPU,
    .weekday = {.96, 1.12, 1.22, 1.33, 1.26, .61, .51},
    .fail_short = 0.2,
    .cancel_long = 0.3,
    .attempts = {1.11, 2.66, 1.41},
    .max_s = 4000000,
};
