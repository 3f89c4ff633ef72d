/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workloads by their tables. A mix says what the jobs of a cluster are like in the words in which
 * such things are published: cumulative distributions of run times, shares of sizes, hours and
 * days, end states by size. One file of traces/mixes/ holds the tables of one cluster with their
 * sources, and a row of mix_table.c names it; `--like` fits one from a trace.
 *
 *     session   one user, one class, one size; 1, 2, 3, ... jobs (P(n) ~ n^-slope up to a largest
 *               n), a short gap between two
 *     size      from the class's table; the next job of a session has another one with a certain
 *               probability
 *     run time  by inverse transform from the class's table: log-uniform between two points of it.
 *               Sizes and run times are joined by normal scores (a Gaussian copula): z = e z_size +
 *               sqrt(1 - e^2) (sqrt(l) z_session + sqrt(1 - l) z_job) with e = size_effect, l =
 *               likeness; whatever e and l are, the tables hold exactly
 *     end       by size; failures lean to short run times and cancellations to long ones, with
 *               shares by size as in the table: P(failed | size, u) = P(failed | size) (1 +
 *               fail_short (1 - 2u)), u the run time's place in 0..1
 *     arrivals  hour x weekday x noise: ln noise is AR(1) over hours, made such that hours of the
 *               day keep their means
 *
 * Load comes true by the time that arrivals take, never by changed jobs: sessions are drawn until
 * their GPU time is load x gpus x horizon, and then laid into the horizon as so many points of a
 * Poisson process are; a given number of jobs is laid into the time in which they are that load. A
 * first pass counts, the second gives the jobs out; nothing is stored.
 *
 * A sweep is an array of like jobs of which `sweep_limit` run at a time. With sweep_halving h > 1
 * it stops losers early, by successive halving: it has rungs at h^-2 and h^-1 of its first trial's
 * run time, from each of which one in h goes on. Who that is follows from the run (sim/rungs.h);
 * the load counts a trial with what it runs in the mean. A retry is a failed job that comes again
 * after a while, after `any:` its former try.
 */
#ifndef TRACES_GENERATE_MIX_H
#define TRACES_GENERATE_MIX_H

#include "traces/generate/generator.h"

#define MIX_COUNT(array) (sizeof(array) / sizeof *(array))

struct mix_size {
    int64_t gpu_milli; /* 1..999 a share of one GPU, else whole GPUs */
    double weight;
};

struct mix_point {
    double seconds,
        percent; /* so many percent of the jobs run at most so long; both rise, to 100 */
};

struct mix_class {
    enum trace_class class; /* TRACE_CLASS_UNSET: the simulator says train or distributed, by size
                             */
    double share;           /* of the jobs, relative */
    const struct mix_size *sizes; /* rising */
    size_t size_count;
    const struct mix_point *durations;
    size_t duration_count;
    double size_effect; /* 0..1 */
    struct gen_percent sm_util, active;
    double session_most; /* most jobs of a session; 0: as the profile says */
    bool sweeps;         /* its sessions may be sweeps */
};

struct mix_outcome {
    int64_t min_gpus;
    double share[TRACE_STATUSES];
};

/* Parameters of all mixes, each with the mix's own defaults. */
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
    MIX_BUILD, /* these five by enum trace_class */
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
    const struct mix_outcome *outcomes; /* the first from 0 GPUs on, rising */
    size_t outcome_count;
    double hour[24], weekday[7]; /* relative; Monday first */
    double fail_short, cancel_long;
    double attempts[TRACE_STATUSES]; /* mean; 0: not known */
    double max_s;                    /* the site's limit: what would run longer ends there */
    const double *session_lengths;   /* of a fitted mix: weights of 1, 2, ... jobs, instead of a
                                        slope; else NULL */
    size_t session_length_count;
    const struct gen_teams *teams; /* of a fitted mix: its users; else NULL */
    double span_s;                 /* of a fitted mix: the trace's, which is the horizon; else 0 */
};

/* Defaults that all mixes of traces/mixes/ have alike; what else there is each says by itself. */
#define MIX_USUAL                                                                                  \
    [MIX_HORIZON_S] = 1209600, [MIX_JOBS] = 0, [MIX_SESSION_SLOPE] = 2.2,                          \
    [MIX_SESSION_GAP_S] = 60, [MIX_WEEK] = 1, [MIX_FAIL] = 1, [MIX_RETRY_SHARE] = 0,               \
    [MIX_RETRY_THINK_S] = 300, [MIX_SWEEP_LEAST] = 8, [MIX_SWEEP_MOST] = 32,                       \
    [MIX_SWEEP_LIMIT] = 4, [MIX_SWEEP_HALVING] = 3, [MIX_BUILD] = 1, [MIX_TRAIN] = 1,              \
    [MIX_DISTRIBUTED] = 1, [MIX_INFERENCE] = 1, [MIX_BATCH] = 1

/* A mix that is built in: traces/mixes/IDENT.c, and a row in profiles.c. */
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

/* The rows of all mixes, for the table of profiles: names of the parameters, ranges, one line each.
 */
extern const char *const mix_parameter_names[MIX_PARAMETERS + 1];
extern const char *const mix_parameter_texts[MIX_PARAMETERS];
extern const struct gen_range mix_parameter_ranges[MIX_PARAMETERS];

/*
 * Roles of a job with parameter servers: workers of one GPU each, of which three quarters have to
 * run, and a server of 8 cores for each four of them. That shape is an assumption.
 */
#define MIX_ROLES 96
void mix_roles(struct trace_job *, char text[MIX_ROLES]);

/* A made trace of a mix; `values` are all parameters. The mix outlives the trace. */
bool mix_generate(struct trace **, const struct mix *, const double *values,
                  const struct trace_generate_options *, const char *digest, struct err *);

/* ---- mix_laws.c: what follows from the tables ---- */

/* The run time with the share u (0..1) of the jobs at most as long, in seconds; whole ones, rounded
 * up. */
double mix_duration_s(const struct mix_point *, size_t count, double u);

/* The share of jobs with at most that run time, by the table. */
double mix_duration_share(const struct mix_point *, size_t count, double seconds);

const struct mix_outcome *mix_outcome_of(const struct mix *, int64_t gpu_milli);

/*
 * Cumulative weights of the hours 0..hours of a trace, the first being 0: of hours and days with
 * their noise. `noisy` hours of one hour of the day have the mean that it should have.
 */
void mix_hours(const struct mix *, const double *values, uint64_t seed, size_t hours,
               double *cumulative);

#endif
