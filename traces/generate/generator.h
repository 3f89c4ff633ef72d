/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Between a profile and the generator: the plan. A profile (a row of traces/generate/profiles.c)
 * turns its parameters into a plan, and the generator (generate.c) plays any plan. A new profile is
 * one row and one function that fills a plan.
 *
 * The model. Users send sessions. A session is of one kind (build, train, ...), belongs to one user
 * of one team, and consists of one job or, for kinds with bursts, of several like jobs within a
 * minute or so. Sessions of a kind arrive as a Poisson process whose rate follows the week:
 *
 *     jobs per second of kind k at time t = jobs_per_s x share(k) x rate(k, hour of the week of t)
 *
 * where rate() has mean 1 over the trace. Clock zero of a generated trace is a Monday, midnight.
 *
 * The load. Offered load is sum(GPUs x duration) / (capacity x horizon). Sizes, outcomes and
 * durations are drawn independently of time, and the durations' law has a mean in closed form, so
 * the GPU-seconds expected of one job are a finite sum (gen_kind_gpu_s). The arrival rate is what
 * makes the load come true:
 *
 *     jobs_per_s = load x capacity / expected GPU-seconds of a job
 *
 * Durations are never scaled to meet a load. The load of one seed scatters around the one asked
 * for, by about CV / sqrt(jobs) with the CV of GPU-seconds between 4 and 8.
 */
#ifndef TRACES_GENERATE_INTERNAL_H
#define TRACES_GENERATE_INTERNAL_H

#include "traces/trace.h"

#include <gsl/gsl_randist.h>

#define GEN_KINDS      4
#define GEN_SIZES      16
#define GEN_WEEK_HOURS 168

/* Relative arrival rates; only their ratios matter. */
struct gen_calendar {
    double hour[24];   /* of the day */
    double weekday[7]; /* Monday first */
};

struct gen_size {
    int64_t gpu_milli; /* 1..999 is a share of one GPU, else whole GPUs */
    double weight;     /* relative, by jobs */
};

/* How jobs of at least `min_gpus` end; rows ascend. Shares of the statuses are relative. */
struct gen_outcome {
    int64_t min_gpus;
    double share[TRACE_STATUSES];
};

/* How a user declares a time limit. */
struct gen_limit {
    double low, high; /* a factor uniform in [low, high] of the duration, when `steps_s` is NULL */
    const int64_t *steps_s; /* else one of these round values, ascending, 0-terminated */
    double exact_share;     /* so many know: the smallest step that suffices */
    double log_mean, sigma; /* the others ask for the smallest step above duration x
                               lognormal(log_mean, sigma) */
};

/* Percent, uniform over low..high; low < 0: not known. */
struct gen_percent {
    int low, high;
};

struct gen_kind {
    enum trace_class class;
    double share; /* of the jobs, relative */
    const struct gen_calendar *calendar;
    int calendar_power; /* the calendar's rates to this power: 0 all day alike, 2 nights nearly
                           quiet */
    struct gen_size sizes[GEN_SIZES];
    int size_count;
    const struct gen_outcome *outcomes;
    int outcome_count;

    /* Log-normal, stopped at max_s (a site's limit: what would run longer ends there). */
    double median_s[TRACE_STATUSES]; /* by how the job ends */
    double sigma, max_s;
    /* Or gamma with this mean, unless it is 0, and the square of sd / mean: 0 all alike, 1
     * exponential. */
    double mean_s, scv;
    struct gen_limit limit;
    struct gen_percent sm_util, active;

    /* A session is a burst with probability burst_share; P(n jobs) ~ n^-burst_exponent for 2 <= n
     * <= burst_max. */
    double burst_share, burst_exponent;
    int burst_max;
    double burst_gap_s;    /* mean time between two jobs of a burst, exponential */
    double burst_likeness; /* correlation of the logarithms of durations within a burst, 0..1 */
};

struct gen_plan {
    double gpus; /* capacity that the load refers to */
    double load;
    int64_t horizon_s; /* arrivals are before this; used when jobs is 0 */
    double mem_growth; /* limit of device memory to the share of it, of jobs that share a GPU; up to
                          1: none */
    int64_t gpu_mem_mib; /* of a device: no limit is larger */
    int64_t jobs;        /* exactly so many; 0: as many as come before the horizon */
    double user_slope;   /* the n-th most active user of a team has weight n^-user_slope */
    struct gen_kind kinds[GEN_KINDS];
    int kind_count;
};

/*
 * One row of the table of profiles: what the public sees, the range of each parameter, and the
 * function that turns values (in the order of the names, all within their ranges) into a plan. It
 * may still refuse a combination.
 */
struct gen_range {
    double low, high;
    bool whole; /* integers only */
};
struct mix;
struct gen_profile {
    const struct trace_profile_row *row;
    const struct gen_range *ranges;
    bool (*plan)(struct gen_plan *, const double *values, struct err *);
    const struct mix *mix; /* instead of a plan: tables (mix.h) */
};
const struct gen_profile *gen_profiles(size_t *count);

/* ---- options.c: what the caller asks for, checked before anything is drawn ------------------- */

/* NULL with err set when there is no such profile. */
const struct gen_profile *gen_profile_find(const char *name, struct err *);

/* Defaults overridden by the options, each in its range; freed by the caller. NULL with err set. */
double *gen_profile_values(const struct gen_profile *, const struct trace_generate_options *,
                           struct err *);

bool gen_teams_check(const struct trace_team *teams, size_t count, struct err *);

/* ---- teams.c: users of the jobs -------------------------------------------------------------- */

struct gen_team {
    uint32_t queue;
    uint32_t *users; /* symbols */
    gsl_ran_discrete_t *user;
};
struct gen_teams {
    struct gen_team *teams;
    size_t count;
    gsl_ran_discrete_t *team;
};
gsl_ran_discrete_t *gen_discrete(size_t count, const double *weights);

/* The n-th user of a team has weight n^-slope. */
void gen_teams_make(struct gen_teams *, const struct trace_team *, size_t count, double slope,
                    const struct trace_names *);
const struct gen_team *gen_team_draw(const struct gen_teams *, gsl_rng *);
uint32_t gen_user_draw(const struct gen_team *, gsl_rng *);
void gen_teams_free(struct gen_teams *);

/* ---- laws.c: what follows from a kind without drawing ---------------------------------------- */

/* Mean of a log-normal stopped at max_s. */
double gen_duration_mean_s(double median_s, double sigma, double max_s);

/* The outcome shares that apply to a size. */
const struct gen_outcome *gen_kind_outcome(const struct gen_kind *, int64_t gpu_milli);

/* Expected GPU-seconds of one job. */
double gen_kind_gpu_s(const struct gen_kind *);

/* Weights of sessions with 1..burst_max jobs, weights[0] for one job; returns the mean number of
 * jobs. */
double gen_kind_bursts(const struct gen_kind *, double *weights);

/* Fills the rate of each hour of the week, scaled to mean 1 over [0, horizon_s) (a whole week when
 * 0); the largest. */
double gen_kind_rates(const struct gen_kind *, int64_t horizon_s, double rates[GEN_WEEK_HOURS]);

#endif
