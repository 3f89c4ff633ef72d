/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The relative change between the means of two paired samples, mean(b) / mean(a) - 1, with an
 * interval.
 *
 * If busy replicas are busy on both sides, the logarithm of the ratio of the means varies much less
 * than either mean. Its variance is estimated by leaving out one pair at a time, R. G. Miller's use
 * of J. W. Tukey's jackknife ("The jackknife - a review", Biometrika 61, 1974): with r the
 * logarithm of all pairs and r_i without pair i, the values
 *
 *     y_i = r + (n - 1) (mean(r_1 .. r_n) - r_i)
 *
 * have the mean r and vary as if each were one observation of it. (Tukey's pseudo-values also
 * subtract his estimate of the bias; here it stays in, so that the interval contains the reported
 * change.) The interval of their mean is the one for skewed samples (stats/skewed.h), converted
 * back from logarithms.
 *
 * It is for amounts: no value may be negative, and at least two on each side must be positive.
 */
#ifndef REPORT_STATS_CHANGE_H
#define REPORT_STATS_CHANGE_H

#include "report/stats/skewed.h"

#include <stdbool.h>

struct stat_change {
    double share;     /* mean(b) / mean(a) - 1; NaN if mean(a) is 0 */
    double low, high; /* NaN for n < STAT_LEAST, or values that do not allow it */
    double p;         /* p-value of "the share is 0"; NaN like low and high */
};

/*
 * alpha in (0, 1): the interval has coverage 1 - alpha, and excludes 0 exactly if p is at most
 * alpha.
 */
struct stat_change stat_change(const double *a, const double *b, size_t n, double alpha);

/* Computes the values y; returns false if they are undefined. */
bool stat_log_ratios(const double *a, const double *b, size_t n, double *y);

#endif
