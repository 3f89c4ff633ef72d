/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workloads by their tables. A mix describes the jobs of a cluster in the terms of publications:
 * cumulative distributions of run times, shares of sizes, hours and days, end states by size. One
 * file of traces/mixes/ holds the tables of one cluster with their sources, and a row of profiles.c
 * names it; `--like` fits a mix to a trace.
 *
 *     session   one user, one class, one size; 1, 2, 3, ... jobs (P(n) ~ n^-slope up to a
 *               largest n) with short gaps
 *     size      from the class's table; with a certain probability the next job of a session has
 *               another one
 *     run time  by inverse transform from the class's table: log-uniform between two of its points.
 *               Normal scores (a Gaussian copula) couple sizes and run times:
 *               z = e z_size + sqrt(1 - e^2) (sqrt(l) z_session + sqrt(1 - l) z_job)
 *               with e = size_effect, l = likeness; for any e and l, the tables hold exactly
 *     end       by size; failures tend to short run times and cancellations to long ones, while the
 *               shares by size stay those of the table:
 *               P(failed | size, u) = P(failed | size) (1 + fail_short (1 - 2u)),
 *               u the quantile of the run time in 0..1
 *     arrivals  hour x weekday x noise: ln noise is AR(1) over hours, scaled so that hours of the
 *               day keep their means
 *
 * The load determines times, never jobs: sessions are drawn until their GPU time is load x gpus x
 * horizon, and then placed in the horizon like the points of a Poisson process; a given number of
 * jobs is placed in the time for which they are that load. A first pass counts, the second returns
 * the jobs; nothing is stored.
 *
 * A sweep is an array of similar jobs of which `sweep_limit` run at a time. With sweep_halving h >
 * 1 it stops losers early, by successive halving: it has rungs at h^-2 and h^-1 of its first
 * trial's run time, and one in h continues beyond each. The run decides which (sim/rungs.h); the
 * load counts the expected run time of a trial. A retry is a failed job submitted again after a
 * delay, with `any:` and its previous attempt in `after`.
 */
#ifndef TRACES_GENERATE_MIX_H
#define TRACES_GENERATE_MIX_H

#include "traces/generate/generator.h"

#define MIX_COUNT(array) (sizeof(array) / sizeof *(array))

struct mix_size {
    int64_t gpu_milli; /* 1..999: share of one GPU; else whole GPUs */
    double weight;
};

struct mix_point {
    double seconds, percent; /* share of the jobs that run at most this long; both rise, to 100 */
};

struct mix_class {
    enum trace_class class; /* TRACE_CLASS_UNSET: the simulator chooses train or distributed by size
                             */
    double share;           /* relative share of the jobs */
    const struct mix_size *sizes; /* rising */
    size_t size_count;
    const struct mix_point *durations;
    size_t duration_count;
    double size_effect; /* 0..1 */
    struct gen_percent sm_util, active;
    double session_most; /* largest number of jobs in a session; 0: from the profile */
    bool sweeps;         /* its sessions may be sweeps */
};

struct mix_outcome {
    int64_t min_gpus;
    double share[TRACE_STATUSES];
};

/* The parameters of all mixes; each mix has its own defaults. */
enum mix_parameter {
    MIX_GPUS,
    MIX_LOAD,
    MIX_HORIZON_S,
    MIX_JOBS,
    MIX_MAX_GPUS,
    MIX_USERS,
    MIX_USER_SLOPE,
    MIX_QUEUES,
    MIX_QUEUE_SLOPE,
    MIX_SESSION_SLOPE,
    MIX_SESSION_MOST,
    MIX_SESSION_GAP_S,
    MIX_SAME_SIZE,
    MIX_LIKENESS,
    MIX_DAY,
    MIX_WEEK,
    MIX_NOISE_SD,
    MIX_NOISE_RHO,
    MIX_FAIL,
    MIX_RETRY_SHARE,
    MIX_RETRY_THINK_S,
    MIX_SWEEP_SHARE,
    MIX_SWEEP_LEAST,
    MIX_SWEEP_MOST,
    MIX_SWEEP_LIMIT,
    MIX_SWEEP_HALVING,
    MIX_SERVER_SHARE,
    MIX_BUILD, /* these five in the order of enum trace_class */
    MIX_TRAIN,
    MIX_DISTRIBUTED,
    MIX_INFERENCE,
    MIX_BATCH,
    MIX_PARAMETERS
};

struct mix {
    const char *name;
    const struct mix_class *classes;
    size_t class_count;
    const struct mix_outcome *outcomes; /* rising; the first has min_gpus 0 */
    size_t outcome_count;
    double hour[24], weekday[7]; /* relative; Monday first */
    double fail_short, cancel_long;
    double attempts[TRACE_STATUSES]; /* mean; 0: unknown */
    double max_s;                    /* the site's limit, at which longer jobs end */
    const double *session_lengths;   /* fitted mixes: weights of 1, 2, ... jobs, instead of a slope;
                                      * else NULL */
    size_t session_length_count;
    const struct gen_teams *teams; /* fitted mixes: the users; else NULL */
    double span_s; /* fitted mixes: the length of the trace, which is the horizon; else 0 */
};

/* Defaults shared by all mixes of traces/mixes/; the others are in each of them. */
#define MIX_USUAL                                                                                  \
    [MIX_HORIZON_S] = 1209600, [MIX_JOBS] = 0, [MIX_SESSION_SLOPE] = 2.2,                          \
    [MIX_SESSION_GAP_S] = 60, [MIX_WEEK] = 1, [MIX_FAIL] = 1, [MIX_RETRY_SHARE] = 0,               \
    [MIX_RETRY_THINK_S] = 300, [MIX_SWEEP_LEAST] = 8, [MIX_SWEEP_MOST] = 32,                       \
    [MIX_SWEEP_LIMIT] = 4, [MIX_SWEEP_HALVING] = 3, [MIX_BUILD] = 1, [MIX_TRAIN] = 1,              \
    [MIX_DISTRIBUTED] = 1, [MIX_INFERENCE] = 1, [MIX_BATCH] = 1

/* A built-in mix: traces/mixes/IDENT.c, and a row in profiles.c. */
#define MIX_DECLARE(ident)                                                                         \
    extern const struct mix mix_##ident;                                                           \
    extern const double mix_##ident##_defaults[MIX_PARAMETERS]
MIX_DECLARE(philly);
MIX_DECLARE(helios);
MIX_DECLARE(pai);
MIX_DECLARE(acme_seren);
MIX_DECLARE(acme_kalos);
MIX_DECLARE(rsc);
MIX_DECLARE(case_study);

/* The rows of all mixes in the table of profiles: parameter names, ranges, a summary each. */
extern const char *const mix_parameter_names[MIX_PARAMETERS + 1];
extern const char *const mix_parameter_texts[MIX_PARAMETERS];
extern const struct gen_range mix_parameter_ranges[MIX_PARAMETERS];

/*
 * Roles of a job with parameter servers: workers of one GPU each, three quarters of which must run,
 * and a server of 8 cores for every four workers. This shape is an assumption.
 */
#define MIX_ROLES 96
void mix_roles(struct trace_job *, char text[MIX_ROLES]);

/* Generates a trace of a mix; `values` are all parameters. The mix must outlive the trace. */
bool mix_generate(struct trace **, const struct mix *, const double *values,
                  const struct trace_generate_options *, const char *digest, struct err *);

/* ---- mix_laws.c: values that follow from the tables ---- */

/* The run time that a share u (0..1) of the jobs does not exceed, in whole seconds, rounded up. */
double mix_duration_s(const struct mix_point *, size_t count, double u);

/* The share of jobs with at most this run time, by the table. */
double mix_duration_share(const struct mix_point *, size_t count, double seconds);

const struct mix_outcome *mix_outcome_of(const struct mix *, int64_t gpu_milli);

/*
 * Fills the cumulative weights of hours 0..hours of a trace, starting with 0: hours and days with
 * their noise. The noisy weights of an hour of the day have the mean of that hour.
 */
void mix_hours(const struct mix *, const double *values, uint64_t seed, size_t hours,
               double *cumulative);

#endif
