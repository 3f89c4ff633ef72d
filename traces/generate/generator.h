/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The interface between profiles and the generator: the plan. A profile (a row of
 * traces/generate/profiles.c) turns its parameters into a plan, and the generator (generate.c)
 * plays any plan. A new profile is one row and one function that fills a plan.
 *
 * The model. Users start sessions. A session is of one kind (build, train, ...), belongs to one
 * user of one team, and consists of one job or, for kinds with bursts, of several similar jobs
 * within about a minute. Sessions of a kind arrive as a Poisson process whose rate varies over the
 * week:
 *
 *     jobs per second of kind k at time t = jobs_per_s x share(k) x rate(k, hour of the week of t)
 *
 * where rate() has mean 1 over the trace. Time 0 of a generated trace is midnight on a Monday.
 *
 * The load. Offered load is sum(GPUs x duration) / (capacity x horizon). Sizes, outcomes and
 * durations are drawn independently of time, and the mean duration has a closed form, so the
 * expected GPU-seconds of a job are a finite sum (gen_kind_gpu_s). The arrival rate sets the load:
 *
 *     jobs_per_s = load x capacity / expected GPU-seconds of a job
 *
 * Durations are never scaled to meet a load. The load of one seed deviates from the requested one
 * by about CV / sqrt(jobs), where the CV of GPU-seconds is between 4 and 8.
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
    double hour[24];   /* by hour of the day */
    double weekday[7]; /* Monday first */
};

struct gen_size {
    int64_t gpu_milli; /* 1..999: share of one GPU; else whole GPUs */
    double weight;     /* relative share of the jobs */
};

/* How jobs of at least `min_gpus` end; rows ascend. Shares of the statuses are relative. */
struct gen_outcome {
    int64_t min_gpus;
    double share[TRACE_STATUSES];
};

/* How a user declares a time limit. */
struct gen_limit {
    double low, high; /* if `steps_s` is NULL: a factor of the duration, uniform in [low, high] */
    const int64_t *steps_s; /* else one of these round values, ascending, ending in 0 */
    double exact_share; /* share of users who know the duration: the smallest step that suffices */
    double log_mean, sigma; /* the others: the smallest step above duration x lognormal(log_mean,
                             * sigma) */
};

/* Percent, uniform over low..high; low < 0: unknown. */
struct gen_percent {
    int low, high;
};

struct gen_kind {
    enum trace_class class;
    double share; /* relative share of the jobs */
    const struct gen_calendar *calendar;
    int calendar_power; /* exponent of the calendar's rates: 0 constant, 2 nights almost without
                         * jobs */
    struct gen_size sizes[GEN_SIZES];
    int size_count;
    const struct gen_outcome *outcomes;
    int outcome_count;

    /* Log-normal, cut at max_s (the site's limit, at which longer jobs end). */
    double median_s[TRACE_STATUSES]; /* by status */
    double sigma, max_s;
    /* If mean_s is not 0: gamma with this mean; scv is the square of sd / mean: 0 constant, 1
     * exponential. */
    double mean_s, scv;
    struct gen_limit limit;
    struct gen_percent sm_util, active;

    /* A session is a burst with probability burst_share; P(n jobs) ~ n^-burst_exponent for 2 <= n
     * <= burst_max. */
    double burst_share, burst_exponent;
    int burst_max;
    double burst_gap_s;    /* mean time between two jobs of a burst; exponential */
    double burst_likeness; /* correlation of ln duration within a burst, 0..1 */
};

struct gen_plan {
    double gpus; /* capacity that the load refers to */
    double load;
    int64_t horizon_s; /* arrivals come before it; only used if jobs is 0 */
    double mem_growth; /* for jobs that share a GPU: memory limit relative to the share's memory; up
                        * to 1: no limit */
    int64_t gpu_mem_mib; /* memory of a device: no limit exceeds it */
    int64_t jobs;        /* exact number; 0: as many as arrive before the horizon */
    double user_slope;   /* the n-th most active user of a team has weight n^-user_slope */
    struct gen_kind kinds[GEN_KINDS];
    int kind_count;
};

/*
 * A row of the table of profiles: its public part, the range of each parameter, and the function
 * that turns values (in the order of the names, all within their ranges) into a plan. The function
 * may refuse a combination of values.
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
    const struct mix *mix; /* the tables of a mix (mix.h), instead of a plan */
};
const struct gen_profile *gen_profiles(size_t *count);

/* ---- options.c: the caller's options, checked before anything is drawn -------------------------
 */

/* NULL with err set if there is no such profile. */
const struct gen_profile *gen_profile_find(const char *name, struct err *);

/* The defaults, overridden by the options, each within its range; freed by the caller. NULL with
 * err set if an option is not valid. */
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

/* ---- laws.c: expected values of a kind ---------------------------------------------------------
 */

/* Mean of a log-normal cut at max_s. */
double gen_duration_mean_s(double median_s, double sigma, double max_s);

/* The outcome shares that apply to a size. */
const struct gen_outcome *gen_kind_outcome(const struct gen_kind *, int64_t gpu_milli);

/* Expected GPU-seconds of one job. */
double gen_kind_gpu_s(const struct gen_kind *);

/* Weights of sessions with 1..burst_max jobs, weights[0] for one job; returns the mean number of
 * jobs. */
double gen_kind_bursts(const struct gen_kind *, double *weights);

/* Fills the rate of each hour of the week, scaled to mean 1 over [0, horizon_s) (0: a whole week);
 * returns the largest. */
double gen_kind_rates(const struct gen_kind *, int64_t horizon_s, double rates[GEN_WEEK_HOURS]);

#endif
