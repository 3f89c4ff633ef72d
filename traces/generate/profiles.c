/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The built-in profiles of generated traces. Each is a list of parameters with defaults and ranges,
 * a few tables of statistics, a function that fills the plan from them, and a row in the table at
 * the end of the file. To add one, add these here (or in a file of its own if its tables are long).
 *
 * Sources. Arrivals, sizes, end states and distributions by class: published statistics of GPU
 * clusters, mainly Helios (Hu et al., "Characterization and prediction of deep learning workloads
 * in large-scale GPU datacenters", SC 2021) and Acme (Hu et al., "Characterization of large
 * language model development in the datacenter", NSDI 2024). Our own choices are marked as such.
 */
#include "traces/generate/mix.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- parameters: one list per profile, expanded to an enum and parallel arrays -----------------
 */

#define PARAMETER_ENUM(tag, name, value, low, high, whole, text)    tag,
#define PARAMETER_NAME(tag, name, value, low, high, whole, text)    name,
#define PARAMETER_DEFAULT(tag, name, value, low, high, whole, text) value,
#define PARAMETER_RANGE(tag, name, value, low, high, whole, text)   {low, high, whole},
#define PARAMETER_TEXT(tag, name, value, low, high, whole, text)    text,

#define DAY_S 86400.0

/* These ranges keep every product and every exponential well within double and int64. */
// clang-format off
#define COMMON_PARAMETERS(X, P, gpus, load, max_gpus, max_gpus_limit) \
    X(P##_GPUS,      "gpus",      gpus,       1,    1e7,        true, \
     "capacity that the load refers to") \
    X(P##_LOAD,      "load",      load,       1e-3, 10,         false, \
     "sum(GPUs x duration) / (gpus x horizon)") \
    X(P##_HORIZON_S, "horizon_s", 14 * DAY_S, 60,   3653*DAY_S, true, \
     "arrivals come before this, when jobs is 0") \
    X(P##_JOBS,      "jobs",      0,          0,    1e9,        true, \
     "number of jobs; 0: by horizon") \
    X(P##_MAX_GPUS,  "max_gpus",  max_gpus,   1,    max_gpus_limit, true, "largest job, in GPUs") \
    X(P##_USER_SLOPE, "user_slope", 1.1,      0,    5,          false, \
     "n-th user of a team has weight n^-slope")

#define BATCH_PARAMETERS(X) \
    COMMON_PARAMETERS(X, BATCH, 1024, 0.85, 128, 128) \
    X(BATCH_MEDIAN_S,     "median_s",     1800,   10,   1e7,   false, "median run time") \
    X(BATCH_SIGMA,        "sigma",        1.6,    0,    4,     false, \
     "sd of the logarithm of the run time") \
    X(BATCH_SINGLE_SHARE, "single_share", 0.6,    0,    1,     false, \
     "share of the jobs with one GPU") \
    X(BATCH_MAX_RUN_S,    "max_run_s",    172800, 10,   1e8,   true, \
     "longest run time; longer jobs are cut") \
    X(BATCH_LIMIT_LOW,    "limit_low",    1.1,    1,    1000,  false, \
     "declared limit / run time, at least") \
    X(BATCH_LIMIT_HIGH,   "limit_high",   4,      1,    1000,  false, "and at most")

#define TEAMS_PARAMETERS(X) \
    COMMON_PARAMETERS(X, TEAMS, 128, 0.85, 64, 64) \
    X(TEAMS_BUILD_SHARE,     "build_share",          0.30,   0,  1e6, false, \
     "share of the jobs, relative") \
    X(TEAMS_BUILD_MEDIAN_S,  "build_median_s",       8100,   10, 1e7, false, \
     "median session of class build") \
    X(TEAMS_BUILD_SIGMA,     "build_sigma",          1.2,    0,  4,   false, \
     "sd of the logarithm") \
    X(TEAMS_BUILD_MAX_S,     "build_max_s",          43200,  10, 1e8, true,  "longest session") \
    X(TEAMS_FRACTION_SHARE,  "fraction_share",       0.4,    0,  1,   false, \
     "share of build jobs that use a share of a GPU") \
    X(TEAMS_TRAIN_SHARE,     "train_share",          0.65,   0,  1e6, false, \
     "share of the jobs, relative") \
    X(TEAMS_TRAIN_MEDIAN_S,  "train_median_s",       5400,   10, 1e7, false, \
     "median of completed jobs") \
    X(TEAMS_TRAIN_SIGMA,     "train_sigma",          1.5,    0,  4,   false, \
     "sd of the logarithm") \
    X(TEAMS_TRAIN_MAX_S,     "train_max_s",          259200, 10, 1e8, true,  "longest job") \
    X(TEAMS_DIST_SHARE,      "distributed_share",    0.05,   0,  1e6, false, \
     "share of the jobs, relative") \
    X(TEAMS_DIST_MEDIAN_S,   "distributed_median_s", 21600,  10, 1e7, false, \
     "median of completed jobs") \
    X(TEAMS_DIST_SIGMA,      "distributed_sigma",    1.1,    0,  4,   false, \
     "sd of the logarithm") \
    X(TEAMS_DIST_MAX_S,      "distributed_max_s",    345600, 10, 1e8, true,  "longest job") \
    X(TEAMS_BURST_SHARE,     "burst_share",          0.15,   0,  1,   false, \
     "train sessions with several jobs") \
    X(TEAMS_BURST_EXPONENT,  "burst_exponent",       2.2,    0,  10,  false, \
     "P(n jobs) ~ n^-exponent, from 2") \
    X(TEAMS_BURST_MAX,       "burst_max",            32,     2,  1000, true, \
     "most jobs of a burst") \
    X(TEAMS_BURST_GAP_S,     "burst_gap_s",          6,      0,  3600, false, \
     "mean time between jobs of a burst") \
    X(TEAMS_MEM_GROWTH,      "mem_growth",           1,      1,  1000, false, \
     "memory limit of a share / its part of gpu_mem_mib") \
    X(TEAMS_GPU_MEM_MIB,     "gpu_mem_mib",          81920,  100,  1e9,  true, \
     "memory of a device, the most that a limit can be")

#define QUEUE_PARAMETERS(X) \
    COMMON_PARAMETERS(X, QUEUE, 8, 0.8, 1, 1) \
    X(QUEUE_MEAN_S,       "mean_s",       3600,   10,   1e7,   false, "mean run time") \
    X(QUEUE_SCV,          "scv",          1,      0,    100,   false, \
     "variance of the run time / mean_s^2: 0 all alike, 1 exponential")
// clang-format on

enum { BATCH_PARAMETERS(PARAMETER_ENUM) BATCH_COUNT };
static const char *const batch_names[] = {BATCH_PARAMETERS(PARAMETER_NAME) NULL};
static const char *const batch_texts[] = {BATCH_PARAMETERS(PARAMETER_TEXT) NULL};
static const double batch_defaults[] = {BATCH_PARAMETERS(PARAMETER_DEFAULT)};
static const struct gen_range batch_ranges[] = {BATCH_PARAMETERS(PARAMETER_RANGE)};

enum { TEAMS_PARAMETERS(PARAMETER_ENUM) TEAMS_COUNT };
static const char *const teams_names[] = {TEAMS_PARAMETERS(PARAMETER_NAME) NULL};
static const char *const teams_texts[] = {TEAMS_PARAMETERS(PARAMETER_TEXT) NULL};
static const double teams_defaults[] = {TEAMS_PARAMETERS(PARAMETER_DEFAULT)};
static const struct gen_range teams_ranges[] = {TEAMS_PARAMETERS(PARAMETER_RANGE)};

enum { QUEUE_PARAMETERS(PARAMETER_ENUM) QUEUE_COUNT };
static const char *const queue_names[] = {QUEUE_PARAMETERS(PARAMETER_NAME) NULL};
static const char *const queue_texts[] = {QUEUE_PARAMETERS(PARAMETER_TEXT) NULL};
static const double queue_defaults[] = {QUEUE_PARAMETERS(PARAMETER_DEFAULT)};
static const struct gen_range queue_ranges[] = {QUEUE_PARAMETERS(PARAMETER_RANGE)};

/* ---- statistics ------------------------------------------------------------------------------ */

static const struct gen_calendar flat_week = {
    .hour = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
    .weekday = {1, 1, 1, 1, 1, 1, 1},
};

/* Helios Venus, April to September 2020: dips at lunch and dinner, two thirds of a weekday at the
 * weekend. */
static const struct gen_calendar venus_week = {
    .hour = {0.90, 0.66, 0.60, 0.38, 0.27, 0.21, 0.19, 0.22, 0.37, 0.80, 1.29, 1.47,
             1.16, 1.30, 1.56, 1.66, 1.73, 1.73, 1.28, 1.31, 1.34, 1.36, 1.15, 1.04},
    .weekday = {1.06, 1.10, 1.27, 1.19, 0.94, 0.68, 0.77},
};

static const struct gen_outcome all_complete[] = {
    {0, {[TRACE_COMPLETED] = 1}},
};

/* Helios, percent of the jobs by GPUs: large jobs get cancelled. */
static const struct gen_outcome helios_outcomes[] = {
    {0, {[TRACE_COMPLETED] = 66.8, [TRACE_CANCELLED] = 18.5, [TRACE_FAILED] = 14.7}},
    {2, {[TRACE_COMPLETED] = 40.5, [TRACE_CANCELLED] = 32.5, [TRACE_FAILED] = 27.0}},
    {4, {[TRACE_COMPLETED] = 57.6, [TRACE_CANCELLED] = 19.4, [TRACE_FAILED] = 23.0}},
    {8, {[TRACE_COMPLETED] = 55.1, [TRACE_CANCELLED] = 29.2, [TRACE_FAILED] = 15.7}},
    {16, {[TRACE_COMPLETED] = 42.8, [TRACE_CANCELLED] = 46.3, [TRACE_FAILED] = 10.9}},
    {32, {[TRACE_COMPLETED] = 44.0, [TRACE_CANCELLED] = 41.1, [TRACE_FAILED] = 15.0}},
    {64, {[TRACE_COMPLETED] = 21.3, [TRACE_CANCELLED] = 68.5, [TRACE_FAILED] = 10.2}},
};

/* Interactive sessions: their users end most of them (our choice, after Acme). */
static const struct gen_outcome build_outcomes[] = {
    {0, {[TRACE_COMPLETED] = 35, [TRACE_CANCELLED] = 60, [TRACE_FAILED] = 5}},
};

/* Failures are short: median durations by status of Venus, September 2020, were 248, 84 and 278 s.
 */
static const double status_factor[TRACE_STATUSES] = {
    [TRACE_COMPLETED] = 1, [TRACE_FAILED] = 84.0 / 248, [TRACE_CANCELLED] = 278.0 / 248};

/* Jobs of one node at most: 1, 2, 3-4 and 5-8 GPUs in Venus. Larger: 9-16, 17-32, 33-64. */
static const struct gen_size train_sizes[] = {{1000, 51.8}, {2000, 5.5}, {4000, 7.4}, {8000, 25.2}};
static const struct gen_size distributed_sizes[] = {{16000, 4.2}, {32000, 3.6}, {64000, 0.95}};

/* Sizes of the synthetic batch workload beside single GPUs, percent of these. */
static const struct gen_size batch_sizes[] = {{2000, 20}, {4000, 25},   {8000, 36}, {16000, 9.5},
                                              {32000, 5}, {64000, 3.5}, {128000, 1}};

/*
 * A few round values cover nine tenths of all declared limits. A quarter of the users know the run
 * time; for the others, the median of run time / request is about one eighth (ThetaGPU, KTH,
 * Curie).
 */
static const int64_t limit_steps_s[] = {600,   1200,  1800,   3600,   7200,   14400,   21600,
                                        43200, 86400, 172800, 259200, 604800, 1209600, 0};
static const struct gen_limit round_limits = {
    .steps_s = limit_steps_s, .exact_share = 0.25, .log_mean = 2.0794415, .sigma = 1.5}; /* ln 8 */

/* ---- plans ----------------------------------------------------------------------------------- */

static void add_sizes(struct gen_kind *kind, const struct gen_size *sizes, size_t count,
                      double max_gpus, double total_weight)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += sizes[i].weight;
    for (size_t i = 0; i < count; i++) {
        if ((double)sizes[i].gpu_milli > max_gpus * 1000 || total_weight <= 0)
            continue;
        kind->sizes[kind->size_count++] =
            (struct gen_size){sizes[i].gpu_milli, sizes[i].weight / sum * total_weight};
    }
}

static void set_medians(struct gen_kind *kind, double median_s, bool by_status)
{
    for (int s = 0; s < TRACE_STATUSES; s++)
        kind->median_s[s] = median_s * (by_status ? status_factor[s] : 1);
}

static void plan_common(struct gen_plan *plan, const double *values)
{
    // The common parameters come first, in the same order, in every profile.
    plan->gpus = values[BATCH_GPUS];
    plan->load = values[BATCH_LOAD];
    plan->horizon_s = (int64_t)values[BATCH_HORIZON_S];
    plan->jobs = (int64_t)values[BATCH_JOBS];
    plan->user_slope = values[BATCH_USER_SLOPE];
}

static bool plan_batch(struct gen_plan *plan, const double *values, struct err *err)
{
    if (values[BATCH_LIMIT_LOW] > values[BATCH_LIMIT_HIGH])
        return err_set(err, EXIT_INPUT,
                       "profile 'batch': limit_low is %g, expected at most limit_high %g",
                       values[BATCH_LIMIT_LOW], values[BATCH_LIMIT_HIGH]);
    plan_common(plan, values);
    struct gen_kind *kind = &plan->kinds[plan->kind_count++];
    *kind = (struct gen_kind){
        .class = TRACE_BATCH,
        .share = 1,
        .calendar = &flat_week,
        .calendar_power = 0,
        .outcomes = all_complete,
        .outcome_count = COUNT(all_complete),
        .sigma = values[BATCH_SIGMA],
        .max_s = values[BATCH_MAX_RUN_S],
        .limit = {.low = values[BATCH_LIMIT_LOW], .high = values[BATCH_LIMIT_HIGH]},
        .sm_util = {-1, -1},
        .active = {-1, -1},
    };
    set_medians(kind, values[BATCH_MEDIAN_S], false);
    double single = values[BATCH_SINGLE_SHARE],
           largest = fmin(values[BATCH_MAX_GPUS], values[BATCH_GPUS]);
    add_sizes(kind, &(struct gen_size){1000, 1}, 1, 1, single);
    add_sizes(kind, batch_sizes, COUNT(batch_sizes), largest, 1 - single);
    if (kind->size_count == 0)
        return err_set(
            err, EXIT_INPUT,
            "profile 'batch': single_share 0 leaves no job size up to %g GPUs (max_gpus, gpus)",
            largest);
    return true;
}

/*
 * Workloads for which queueing theory has formulas: Poisson arrivals, one GPU per job, run times
 * with a given mean and variance. M/M/c with scv 1 (Erlang's C), M/G/1 with one GPU (Pollaczek and
 * Khinchine), M/D/c with scv 0.
 */
static bool plan_queue(struct gen_plan *plan, const double *values, struct err *err)
{
    (void)err;
    plan_common(plan, values);
    struct gen_kind *kind = &plan->kinds[plan->kind_count++];
    *kind = (struct gen_kind){
        .class = TRACE_BATCH,
        .share = 1,
        .calendar = &flat_week,
        .outcomes = all_complete,
        .outcome_count = COUNT(all_complete),
        .mean_s = values[QUEUE_MEAN_S],
        .scv = values[QUEUE_SCV],
        .max_s = 1e9,
        .limit = {.low = 1, .high = 1},
        .sm_util = {-1, -1},
        .active = {-1, -1},
    };
    set_medians(kind, values[QUEUE_MEAN_S], false);
    add_sizes(kind, &(struct gen_size){1000, 1}, 1, 1, 1);
    return true;
}

static void plan_build(struct gen_plan *plan, const double *values)
{
    double fraction = values[TEAMS_FRACTION_SHARE];
    struct gen_kind *kind = &plan->kinds[plan->kind_count++];
    *kind = (struct gen_kind){
        .class = TRACE_BUILD,
        .share = values[TEAMS_BUILD_SHARE],
        .calendar = &venus_week,
        .calendar_power = 2, // people work at these: nights are quieter than for batch jobs
        .outcomes = build_outcomes,
        .outcome_count = COUNT(build_outcomes),
        .sigma = values[TEAMS_BUILD_SIGMA],
        .max_s = values[TEAMS_BUILD_MAX_S],
        .limit = round_limits,
        .sm_util = {5, 30},
        .active = {10, 60},
    };
    set_medians(kind, values[TEAMS_BUILD_MEDIAN_S], false);
    add_sizes(kind, &(struct gen_size){250, 1}, 1, 1, fraction / 2);
    add_sizes(kind, &(struct gen_size){500, 1}, 1, 1, fraction / 2);
    add_sizes(kind, &(struct gen_size){1000, 1}, 1, 1, 1 - fraction);
}

static void plan_train(struct gen_plan *plan, const double *values, double max_gpus)
{
    struct gen_kind *kind = &plan->kinds[plan->kind_count++];
    *kind = (struct gen_kind){
        .class = TRACE_TRAIN,
        .share = values[TEAMS_TRAIN_SHARE],
        .calendar = &venus_week,
        .calendar_power = 1,
        .outcomes = helios_outcomes,
        .outcome_count = COUNT(helios_outcomes),
        .sigma = values[TEAMS_TRAIN_SIGMA],
        .max_s = values[TEAMS_TRAIN_MAX_S],
        .limit = round_limits,
        .sm_util = {60, 98},
        .active = {90, 100},
        .burst_share = values[TEAMS_BURST_SHARE],
        .burst_exponent = values[TEAMS_BURST_EXPONENT],
        .burst_max = (int)values[TEAMS_BURST_MAX],
        .burst_gap_s = values[TEAMS_BURST_GAP_S],
        .burst_likeness =
            0.5, // correlation of ln duration between successive jobs of a user's session in Helios
    };
    set_medians(kind, values[TEAMS_TRAIN_MEDIAN_S], true);
    add_sizes(kind, train_sizes, COUNT(train_sizes), max_gpus, 1);
}

static void plan_distributed(struct gen_plan *plan, const double *values, double max_gpus)
{
    struct gen_kind *kind = &plan->kinds[plan->kind_count++];
    *kind = (struct gen_kind){
        .class = TRACE_DISTRIBUTED,
        .share = values[TEAMS_DIST_SHARE],
        .calendar = &venus_week,
        .calendar_power = 1,
        .outcomes = helios_outcomes,
        .outcome_count = COUNT(helios_outcomes),
        .sigma = values[TEAMS_DIST_SIGMA],
        .max_s = values[TEAMS_DIST_MAX_S],
        .limit = round_limits,
        .sm_util = {90, 100},
        .active = {95, 100},
    };
    set_medians(kind, values[TEAMS_DIST_MEDIAN_S], true);
    add_sizes(kind, distributed_sizes, COUNT(distributed_sizes), max_gpus, 1);
}

static bool plan_teams(struct gen_plan *plan, const double *values, struct err *err)
{
    double max_gpus = fmin(values[TEAMS_MAX_GPUS], values[TEAMS_GPUS]);
    plan_common(plan, values);
    plan->mem_growth = values[TEAMS_MEM_GROWTH];
    plan->gpu_mem_mib = (int64_t)values[TEAMS_GPU_MEM_MIB];
    if (values[TEAMS_BUILD_SHARE] > 0)
        plan_build(plan, values);
    if (values[TEAMS_TRAIN_SHARE] > 0)
        plan_train(plan, values, max_gpus);
    if (values[TEAMS_DIST_SHARE] > 0)
        plan_distributed(plan, values, max_gpus);
    if (plan->kind_count == 0)
        return err_set(err, EXIT_INPUT,
                       "profile 'teams': build_share, train_share and distributed_share are all 0");
    if (plan->kinds[plan->kind_count - 1].size_count == 0)
        return err_set(
            err, EXIT_INPUT,
            "profile 'teams': distributed jobs have 16 GPUs or more, but the largest job allowed "
            "has %g (max_gpus, gpus); set distributed_share to 0 or raise it",
            max_gpus);
    return true;
}

/* ---- the table ------------------------------------------------------------------------------- */

_Static_assert((int)BATCH_GPUS == (int)TEAMS_GPUS &&
                   (int)BATCH_USER_SLOPE == (int)TEAMS_USER_SLOPE &&
                   (int)BATCH_GPUS == (int)QUEUE_GPUS &&
                   (int)BATCH_USER_SLOPE == (int)QUEUE_USER_SLOPE,
               "plan_common() reads the same places in every profile");

// clang-format off
/* Mixes: X(ident of traces/mixes/, name, summary). */
#define MIXES(X) \
    X(philly, "philly", "Philly 2017: one of 2,490 GPUs in use for deep learning research, " \
                        "mostly single GPUs, long tails") \
    X(helios, "helios", "Helios 2020: four clusters of 6,416 GPUs in all, working days in China, " \
                        "gangs of whole nodes") \
    X(pai, "pai", "Alibaba PAI 2020: shares of GPUs, short jobs, training and inference of a " \
                  "large company") \
    X(acme_seren, "acme-seren", "Acme Seren 2023: 2,288 A100, evaluation, fine-tuning and " \
                                "pretraining of language models") \
    X(acme_kalos, "acme-kalos", "Acme Kalos 2023: 2,416 A100 for the pretraining of language " \
                                "models, and evaluation beside it") \
    X(rsc, "rsc", "RSC-1: 16,000 A100, most GPU time in jobs of 256 GPUs and more, limit of 7 " \
                  "days") \
    X(case_study, "case-study", "30 deep-learning engineers: interactive (build) sessions of " \
                                "hours, idle most of the time, bursts of experiments, long " \
                                "training")

#define MIX_NUMBER(ident, name, text) PROFILE_##ident,
#define MIX_ROW(ident, name, text)    [PROFILE_##ident] = {name, text, mix_parameter_names, \
   mix_##ident##_defaults, mix_parameter_texts},
#define MIX_PROFILE(ident, name, text) [PROFILE_##ident] = {&rows[PROFILE_##ident], \
   mix_parameter_ranges, NULL, &mix_##ident},

enum { PROFILE_BATCH, PROFILE_TEAMS, PROFILE_QUEUE, MIXES(MIX_NUMBER) };

static const struct trace_profile_row rows[] = {
    [PROFILE_BATCH] = {"batch", "rigid jobs of 1 to 128 GPUs at all hours, with time limits: for "
                                "benchmarks, backfilling",
                       batch_names, batch_defaults, batch_texts},
    [PROFILE_TEAMS] = {"teams", "build, train and distributed jobs of several teams over working "
                                "weeks, with bursts",
                       teams_names, teams_defaults, teams_texts},
    [PROFILE_QUEUE] = {"queue", "one-GPU jobs for which queueing theory has formulas: Poisson "
                                "arrivals, run times of given mean and variance",
                       queue_names, queue_defaults, queue_texts},
    MIXES(MIX_ROW)
};

static const struct gen_profile profiles[] = {
    [PROFILE_BATCH] = {&rows[PROFILE_BATCH], batch_ranges, plan_batch, NULL},
    [PROFILE_TEAMS] = {&rows[PROFILE_TEAMS], teams_ranges, plan_teams, NULL},
    [PROFILE_QUEUE] = {&rows[PROFILE_QUEUE], queue_ranges, plan_queue, NULL},
    MIXES(MIX_PROFILE)
};
// clang-format on

const struct trace_profile_row *trace_profiles(size_t *count)
{
    *count = COUNT(rows);
    return rows;
}

const struct gen_profile *gen_profiles(size_t *count)
{
    *count = COUNT(profiles);
    return profiles;
}
