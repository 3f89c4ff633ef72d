/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The marginal distributions of a trace, and the distance of two traces in each: the
 * Kolmogorov-Smirnov distance, the largest difference between two empirical distribution functions.
 * Two samples of n and m independent values of one distribution differ by more than 1.36 sqrt((n +
 * m) / (n m)) in 5 of 100 cases; values of a trace are not independent.
 */
#ifndef TRACES_VARY_SAMPLE_H
#define TRACES_VARY_SAMPLE_H

#include "traces/trace.h"

enum sample_marginal {
    SAMPLE_DURATION, /* s */
    SAMPLE_GPUS,
    SAMPLE_GPU_S,
    SAMPLE_HOUR,     /* of the day, 0 to 24 */
    SAMPLE_DAY,      /* of the week, counted from the first one, 0 to 7 */
    SAMPLE_INTERVAL, /* s between two submissions */
    SAMPLE_SESSION,  /* jobs of a user with gaps of at most SAMPLE_GAP_MS, by job */
    SAMPLE_MARGINALS
};

#define SAMPLE_GAP_MS INT64_C(600000)

extern const char *const sample_names[SAMPLE_MARGINALS];

struct sample;

struct sample *sample_create(void);
void sample_destroy(struct sample *);
void sample_add(struct sample *, const struct trace_job *); /* in order of submission */

/* Computes the KS distances; sorts and completes both samples, which must not be empty. */
void sample_compare(struct sample *, struct sample *, double ks[SAMPLE_MARGINALS]);

size_t sample_jobs(const struct sample *);
double sample_mean(const struct sample *, enum sample_marginal);
double sample_median(struct sample *, enum sample_marginal); /* valid after sample_compare() */

/* Shares of the statuses, and the share of GPU time of the most active twentieth of the users (at
 * least one). */
double sample_status(const struct sample *, enum trace_status);
double sample_top_users(const struct sample *);

#endif
