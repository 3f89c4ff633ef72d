/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The random duration of a repair, a detection or a slow phase: a distribution with two parameters
 * in seconds, where a share `at_once` takes no time. Plain data: copied, never released.
 */
#ifndef SIM_FAULTS_SPAN_H
#define SIM_FAULTS_SPAN_H

#include "sim/base/rng.h"

#include <stdint.h>

enum fault_span_kind {
    FAULT_SPAN_NONE = 0,  /* no time at all */
    FAULT_SPAN_FIXED,     /* a */
    FAULT_SPAN_UNIFORM,   /* from a to b */
    FAULT_SPAN_LOGNORMAL, /* median a; the logarithm has standard deviation b */
    FAULT_SPAN_WEIBULL,   /* mean a, shape b */
    FAULT_SPAN_HEAVY,     /* lognormal, and a tail that raises its mean: see fault_span_heavy() */
    FAULT_SPAN_KINDS
};

struct fault_span {
    enum fault_span_kind kind;
    double a, b;
    double mean_s;  /* HEAVY: with the tail */
    double at_once; /* 0..1 */
};

/* The longest span returned: larger draws are cut to this. */
#define FAULT_SPAN_MOST_MS (INT64_C(100) * 365 * 24 * 3600 * 1000)

/* Lognormal with this median and mean, mean >= median > 0. */
struct fault_span fault_span_of_mean(double median_s, double mean_s);

/*
 * Repairs as in 23,700 records of LANL (LA-UR-05-7318): the body is lognormal, ln-minutes 4.15 +-
 * 1.40, with a mean of 169 minutes, but the overall mean is 355 since one in twenty takes very
 * long. That one comes from a Pareto distribution from the body's 95th percentile to 30 days, whose
 * exponent is chosen to give a mean of 355. Here `median_s` and `sigma` describe the body, and the
 * mean may be any value above the body's own; a mean beyond what the tail can give (all its mass at
 * the far end) is reduced to that.
 */
struct fault_span fault_span_heavy(double median_s, double sigma, double mean_s);

/* The mean in seconds, computed. */
double fault_span_mean_s(const struct fault_span *);

/* One of them, rounded to milliseconds; draws from the stream. */
int64_t fault_span_draw_ms(const struct fault_span *, struct rng_stream *);

#endif
