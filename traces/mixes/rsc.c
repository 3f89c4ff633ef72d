/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RSC-1 (Kokolis et al., "Revisiting reliability in large-scale machine learning research clusters", HPCA 2025), in so far as it was
 * published: over 40 % of the jobs have one GPU, over 90 % at most 8; jobs of 256 GPUs and more have 66 % of the GPU time, those of 4,096 12 %;
 * ends: completed 60, failed 24, without those preempted and requeued, which is the simulator's business; limit 7 days, 7,200 jobs a day.
 * The table of sizes is our own, made to meet these figures; run times are those of Helios up to the limit, of which the published number of
 * jobs a day and utilization leave a mean of about 6,600 s; hours and days are those of ThetaGPU.
 */
#include "traces/mix.h"

static const struct mix_size sizes[] = {
    {1000,    44  },
    {2000,    6   },
    {4000,    8   },
    {8000,    33  },
    {16000,   2.5 },
    {32000,   2   },
    {64000,   1.5 },
    {128000,  1.1 },
    {256000,  0.8 },
    {512000,  0.45},
    {1024000, 0.3 },
    {2048000, 0.2 },
    {4096000, 0.06},
};
static const struct mix_point durations[] = {
    {1,       4    },
    {2,       4.94 },
    {4,       6.35 },
    {8,       7.7  },
    {16,      10.72},
    {32,      16.15},
    {64,      24.88},
    {128,     37.81},
    {256,     56.57},
    {512,     67.58},
    {1024,    75.25},
    {2048,    84.1 },
    {4096,    87.53},
    {8192,    90.75},
    {16384,   94.36},
    {32768,   96.26},
    {65536,   97.77},
    {131072,  98.9 },
    {262144,  99.55},
    {524288,  99.86},
    {1048576, 99.96},
    {2097152, 100  },
};
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
    [MIX_GPUS] = 16000,
    [MIX_LOAD] = 0.84,
    [MIX_HORIZON_S] = 1209600,
    [MIX_JOBS] = 0,
    [MIX_MAX_GPUS] = 4096,
    [MIX_USERS] = 400,
    [MIX_USER_SLOPE] = 1.1,
    [MIX_QUEUES] = 20,
    [MIX_QUEUE_SLOPE] = 0.77,
    [MIX_SESSION_SLOPE] = 2.2,
    [MIX_SESSION_MOST] = 64,
    [MIX_SESSION_GAP_S] = 60,
    [MIX_SAME_SIZE] = 0.84,
    [MIX_LIKENESS] = 0.5,
    [MIX_DAY] = 1,
    [MIX_WEEK] = 1,
    [MIX_NOISE_SD] = 0.35,
    [MIX_NOISE_RHO] = 0.25,
    [MIX_FAIL] = 1,
    [MIX_RETRY_SHARE] = 0,
    [MIX_RETRY_THINK_S] = 300,
    [MIX_SWEEP_SHARE] = 0,
    [MIX_SWEEP_LEAST] = 8,
    [MIX_SWEEP_MOST] = 32,
    [MIX_SWEEP_LIMIT] = 4,
    [MIX_SWEEP_HALVING] = 3,
    [MIX_BUILD] = 1,
    [MIX_TRAIN] = 1,
    [MIX_DISTRIBUTED] = 1,
    [MIX_INFERENCE] = 1,
    [MIX_BATCH] = 1,
};

const struct mix mix_rsc = {
    .name = "rsc",
    .classes = classes,
    .class_count = MIX_COUNT(classes),
    .outcomes = outcomes,
    .outcome_count = MIX_COUNT(outcomes),
    .hour = {.89,  .68,   .60,  .70,  .66, .55, .55, .67, .99,  1.30, 1.30, 1.49,
             1.27, 1.47, 1.40, 1.34, 1.23, .94, .92, .94, 1.00, .95,  1.18, .99},
    .weekday = {.77, 1.19, 1.25, 1.22, 1.14,                         .65,                        .77                      },
    .fail_short = 0.6,
    .cancel_long = 0.3,
    .max_s = 604800,
};
