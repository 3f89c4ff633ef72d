/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Acme's cluster Kalos (Hu et al., NSDI 2024). Shares of the classes, durations by class, GPUs per
 * job over all classes: vertices of the figures there. The distribution of sizes over classes is
 * fitted (iterative proportional fitting) to the medians and quartiles of its box plot, such that
 * shares and sizes over all classes hold. Classes: evaluation is `batch`, debugging `build`,
 * pretraining `distributed`. Hours, days of the week and sessions are those of Helios: the company
 * has published no others.
 */
#include "traces/mixes/borrowed.h"

/* Evaluation */
static const struct mix_size sizes_evaluation[] = {
    {1000, 92.974},
    {2000, 2.2414},
    {8000, 4.7838},
};
static const struct mix_point durations_evaluation[] = {
    {4, 0},         {8, 0.01},      {16, 1.53},     {32, 19.51},   {64, 39.92},   {128, 52.67},
    {256, 71.81},   {512, 81.16},   {1024, 87.03},  {2048, 93.79}, {4096, 98.06}, {8192, 99.6},
    {16384, 99.84}, {32768, 99.98}, {65536, 99.98}, {131072, 100},
};

/* Pretrain */
static const struct mix_size sizes_pretrain[] = {
    {8000, 0.0013},   {64000, 0.017},   {128000, 0.8904},  {256000, 22.3813},
    {496000, 3.1013}, {504000, 4.6572}, {512000, 45.0629}, {1024000, 23.8879},
};
static const struct mix_point durations_pretrain[] = {
    {16, 0},         {32, 4.21},     {64, 9.83},     {128, 14.35},    {256, 25.74},
    {512, 43.84},    {1024, 57.1},   {2048, 65.37},  {4096, 71.92},   {8192, 76.91},
    {16384, 82.37},  {32768, 87.83}, {65536, 93.29}, {131072, 96.72}, {262144, 98.91},
    {524288, 99.84}, {1048576, 100},
};

/* Debug */
static const struct mix_size sizes_debug[] = {
    {1000, 0.0007},   {8000, 16.6038},   {16000, 6.453},     {32000, 9.009},
    {64000, 17.3977}, {128000, 10.4764}, {256000, 16.1692},  {496000, 0.7686},
    {504000, 1.1466}, {512000, 11.0326}, {1024000, 10.9423},
};
static const struct mix_point durations_debug[] = {
    {8, 0},        {16, 1.3},      {32, 8.38},    {64, 17.32},   {128, 25.89},
    {256, 38.73},  {512, 70.76},   {1024, 88.83}, {2048, 97.21}, {4096, 99.07},
    {8192, 99.63}, {16384, 99.81}, {32768, 100},
};

/* Other */
static const struct mix_size sizes_other[] = {
    {1000, 0.0083},   {2000, 0.0011},   {8000, 51.7166},  {16000, 12.7442},
    {32000, 11.2812}, {64000, 13.8133}, {128000, 5.2741}, {256000, 5.1613},
};
static const struct mix_point durations_other[] = {
    {8, 0},      {16, 2},       {32, 20.4},     {64, 29.2},     {128, 35.2},    {256, 46.4},
    {512, 64.8}, {1024, 75.2},  {2048, 79.2},   {4096, 84},     {8192, 85.2},   {16384, 87.6},
    {32768, 90}, {65536, 92.8}, {131072, 95.6}, {262144, 98.8}, {524288, 98.8}, {1048576, 100},
};

static const struct mix_outcome outcomes[] = {
    {0, {54.1, 39.7, 6.2}},
};

static const struct mix_class classes[] = {
    {.class = TRACE_BATCH,
     .share = 92.8,
     .sizes = sizes_evaluation,
     .size_count = MIX_COUNT(sizes_evaluation),
     .durations = durations_evaluation,
     .duration_count = MIX_COUNT(durations_evaluation),
     .size_effect = 0.1,
     .sm_util = {80, 95},
     .active = {40, 60}},
    {.class = TRACE_DISTRIBUTED,
     .share = 3.2,
     .sizes = sizes_pretrain,
     .size_count = MIX_COUNT(sizes_pretrain),
     .durations = durations_pretrain,
     .duration_count = MIX_COUNT(durations_pretrain),
     .size_effect = 0.1,
     .sm_util = {95, 100},
     .active = {97, 100}},
    {.class = TRACE_BUILD,
     .share = 2.7,
     .sizes = sizes_debug,
     .size_count = MIX_COUNT(sizes_debug),
     .durations = durations_debug,
     .duration_count = MIX_COUNT(durations_debug),
     .size_effect = 0.1,
     .sm_util = {20, 40},
     .active = {40, 80}},
    {.class = TRACE_TRAIN,
     .share = 1.3,
     .sizes = sizes_other,
     .size_count = MIX_COUNT(sizes_other),
     .durations = durations_other,
     .duration_count = MIX_COUNT(durations_other),
     .size_effect = 0.1,
     .sm_util = {30, 100},
     .active = {50, 100}},
};

const double mix_acme_kalos_defaults[MIX_PARAMETERS] = {
    MIX_USUAL,
    [MIX_GPUS] = 2416,
    [MIX_LOAD] = 0.7,
    [MIX_MAX_GPUS] = 1024,
    [MIX_USERS] = 80,
    [MIX_USER_SLOPE] = 1.1,
    [MIX_QUEUES] = 4,
    [MIX_QUEUE_SLOPE] = 0.77,
    [MIX_SESSION_MOST] = 64,
    [MIX_SAME_SIZE] = 0.84,
    [MIX_LIKENESS] = 0.5,
    [MIX_DAY] = 1,
    [MIX_NOISE_SD] = 0.35,
    [MIX_NOISE_RHO] = 0.55,
    [MIX_SWEEP_SHARE] = 0,
};

const struct mix mix_acme_kalos = {
    .name = "acme-kalos",
    .classes = classes,
    .class_count = MIX_COUNT(classes),
    .outcomes = outcomes,
    .outcome_count = MIX_COUNT(outcomes),
    .hour = HOURS_OF_HELIOS,
    .weekday = DAYS_OF_VENUS,
    .fail_short = 0.3,
    .cancel_long = 0.9,
    .max_s = 1209600,
};
