/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Acme's cluster Seren (Hu et al., NSDI 2024). Shares of the classes, durations by class, GPUs per
 * job over all classes: vertices of the figures there. The distribution of sizes over classes is
 * fitted (iterative proportional fitting) to the medians and quartiles of its box plot, such that
 * shares and sizes over all classes hold. Classes: evaluation is `batch`, debugging `build`,
 * pretraining `distributed`. Hours, days of the week and sessions are those of Helios: the company
 * has published no others.
 */
#include "traces/mixes/borrowed.h"

/* Evaluation */
static const struct mix_size sizes_evaluation[] = {
    {1000, 69.0844}, {2000, 13.5643}, {3000, 0.1283},  {4000, 2.2479},  {7000, 0.0236},
    {8000, 14.6647}, {16000, 0.2253}, {32000, 0.0556}, {56000, 0.0008}, {64000, 0.0047},
};
static const struct mix_point durations_evaluation[] = {
    {1, 2.31},      {2, 2.92},      {4, 5.22},       {8, 10.57},      {16, 25.18},
    {32, 32.78},    {64, 37.37},    {128, 49.75},    {256, 67.17},    {512, 79.97},
    {1024, 88.8},   {2048, 93.85},  {4096, 96.53},   {8192, 98.19},   {16384, 99.06},
    {32768, 99.57}, {65536, 99.79}, {131072, 99.91}, {262144, 99.96}, {524288, 99.99},
    {1048576, 100},
};

/* SFT */
static const struct mix_size sizes_sft[] = {
    {1000, 5.8925},  {2000, 4.5386},   {3000, 0.0955},   {4000, 2.9507},  {7000, 0.0936},
    {8000, 75.5117}, {16000, 4.5491},  {32000, 4.3901},  {48000, 0.0808}, {56000, 0.1833},
    {64000, 1.4087}, {128000, 0.2636}, {256000, 0.0417},
};
static const struct mix_point durations_sft[] = {
    {1, 1.02},      {2, 1.49},     {4, 3.47},       {8, 6.56},       {16, 12.62},
    {32, 21.68},    {64, 27.59},   {128, 37.52},    {256, 57.61},    {512, 78.8},
    {1024, 89.27},  {2048, 94.48}, {4096, 97.34},   {8192, 98.64},   {16384, 99.16},
    {32768, 99.51}, {65536, 99.8}, {131072, 99.92}, {262144, 99.98}, {524288, 99.99},
    {1048576, 100},
};

/* Other */
static const struct mix_size sizes_other[] = {
    {1000, 50.0905}, {2000, 11.1619},  {3000, 0.1278},   {4000, 2.704},   {7000, 0.0465},
    {8000, 33.2135}, {16000, 1.237},   {32000, 0.9506},  {48000, 0.0172}, {56000, 0.0397},
    {64000, 0.3129}, {128000, 0.0774}, {256000, 0.0209},
};
static const struct mix_point durations_other[] = {
    {1, 2.5},         {2, 3.02},      {4, 9.39},       {8, 22.83},      {16, 29.09},
    {32, 39.02},      {64, 46.81},    {128, 58.88},    {256, 70.91},    {512, 79.48},
    {1024, 85.53},    {2048, 89.2},   {4096, 94.19},   {8192, 95.32},   {16384, 96.65},
    {32768, 98.01},   {65536, 99.31}, {131072, 99.63}, {262144, 99.83}, {524288, 99.94},
    {1048576, 99.99}, {2097152, 100},
};

/* MLLM */
static const struct mix_size sizes_mllm[] = {
    {1000, 36.7943}, {2000, 10.0394},  {3000, 0.1294},   {4000, 2.978},    {7000, 0.0603},
    {8000, 44.7887}, {16000, 2.0425},  {32000, 1.9219},  {48000, 0.0392},  {56000, 0.0946},
    {64000, 0.7745}, {128000, 0.2344}, {256000, 0.0771}, {512000, 0.0258},
};
static const struct mix_point durations_mllm[] = {
    {1, 2.09},        {2, 3.07},      {4, 5.1},        {8, 9.41},       {16, 14.7},
    {32, 27.37},      {64, 33.44},    {128, 40.85},    {256, 50.17},    {512, 66.84},
    {1024, 79.7},     {2048, 85.61},  {4096, 89.16},   {8192, 91.3},    {16384, 92.91},
    {32768, 97.31},   {65536, 98.88}, {131072, 99.46}, {262144, 99.83}, {524288, 99.98},
    {1048576, 99.98}, {2097152, 100},
};

/* Debug */
static const struct mix_size sizes_debug[] = {
    {1000, 0.0008}, {2000, 0.0561},  {3000, 0.012},   {4000, 1.1839},
    {7000, 0.1148}, {8000, 96.7515}, {16000, 1.8253}, {32000, 0.0542},
};
static const struct mix_point durations_debug[] = {
    {1, 3.68},        {2, 4.62},      {4, 6.32},       {8, 11.73},      {16, 19.34},
    {32, 29.8},       {64, 39.13},    {128, 52.15},    {256, 68.37},    {512, 81.95},
    {1024, 91.21},    {2048, 95.5},   {4096, 97.35},   {8192, 98.29},   {16384, 98.81},
    {32768, 99.22},   {65536, 99.56}, {131072, 99.79}, {262144, 99.86}, {524288, 99.96},
    {1048576, 99.99}, {2097152, 100},
};

/* Pretrain */
static const struct mix_size sizes_pretrain[] = {
    {1000, 0.0021},    {2000, 0.0061},   {4000, 0.0238},    {7000, 0.0033},
    {8000, 3.7563},    {16000, 1.3997},  {32000, 8.3573},   {48000, 0.4468},
    {56000, 1.52},     {64000, 16.5919}, {128000, 19.2051}, {256000, 18.7422},
    {512000, 14.3753}, {768000, 2.2243}, {776000, 6.6729},  {1024000, 6.6726},
};
static const struct mix_point durations_pretrain[] = {
    {1, 4.27},        {2, 5.71},      {4, 9.86},       {8, 12.1},       {16, 15.6},
    {32, 20.49},      {64, 27.37},    {128, 34.87},    {256, 46.8},     {512, 61.8},
    {1024, 73.42},    {2048, 80.45},  {4096, 84.08},   {8192, 86.61},   {16384, 88.45},
    {32768, 91.08},   {65536, 94.31}, {131072, 97.19}, {262144, 98.78}, {524288, 99.63},
    {1048576, 99.97}, {2097152, 100},
};

static const struct mix_outcome outcomes[] = {
    {0, {49.7, 42.9, 7.5}},
};

static const struct mix_class classes[] = {
    {.class = TRACE_BATCH,
     .share = 64.9,
     .sizes = sizes_evaluation,
     .size_count = MIX_COUNT(sizes_evaluation),
     .durations = durations_evaluation,
     .duration_count = MIX_COUNT(durations_evaluation),
     .size_effect = 0.1,
     .sm_util = {80, 95},
     .active = {40, 60}},
    {.class = TRACE_TRAIN,
     .share = 14.9,
     .sizes = sizes_sft,
     .size_count = MIX_COUNT(sizes_sft),
     .durations = durations_sft,
     .duration_count = MIX_COUNT(durations_sft),
     .size_effect = 0.1,
     .sm_util = {90, 100},
     .active = {95, 100}},
    {.class = TRACE_TRAIN,
     .share = 14.6,
     .sizes = sizes_other,
     .size_count = MIX_COUNT(sizes_other),
     .durations = durations_other,
     .duration_count = MIX_COUNT(durations_other),
     .size_effect = 0.1,
     .sm_util = {30, 100},
     .active = {50, 100}},
    {.class = TRACE_TRAIN,
     .share = 2.9,
     .sizes = sizes_mllm,
     .size_count = MIX_COUNT(sizes_mllm),
     .durations = durations_mllm,
     .duration_count = MIX_COUNT(durations_mllm),
     .size_effect = 0.1,
     .sm_util = {80, 100},
     .active = {90, 100}},
    {.class = TRACE_BUILD,
     .share = 1.9,
     .sizes = sizes_debug,
     .size_count = MIX_COUNT(sizes_debug),
     .durations = durations_debug,
     .duration_count = MIX_COUNT(durations_debug),
     .size_effect = 0.1,
     .sm_util = {20, 40},
     .active = {40, 80}},
    {.class = TRACE_DISTRIBUTED,
     .share = 0.9,
     .sizes = sizes_pretrain,
     .size_count = MIX_COUNT(sizes_pretrain),
     .durations = durations_pretrain,
     .duration_count = MIX_COUNT(durations_pretrain),
     .size_effect = 0.1,
     .sm_util = {95, 100},
     .active = {97, 100}},
};

const double mix_acme_seren_defaults[MIX_PARAMETERS] = {
    MIX_USUAL,
    [MIX_GPUS] = 2288,
    [MIX_LOAD] = 0.7,
    [MIX_MAX_GPUS] = 1024,
    [MIX_USERS] = 150,
    [MIX_USER_SLOPE] = 1.1,
    [MIX_QUEUES] = 8,
    [MIX_QUEUE_SLOPE] = 0.77,
    [MIX_SESSION_MOST] = 64,
    [MIX_SAME_SIZE] = 0.84,
    [MIX_LIKENESS] = 0.5,
    [MIX_DAY] = 1,
    [MIX_NOISE_SD] = 0.35,
    [MIX_NOISE_RHO] = 0.55,
    [MIX_SWEEP_SHARE] = 0,
};

const struct mix mix_acme_seren = {
    .name = "acme-seren",
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
