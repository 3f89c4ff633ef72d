/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * By what share the mean of one of two paired samples is above that of the other: mean(b) / mean(a)
 * - 1, with an interval.
 *
 * The logarithm of the ratio of the means scatters much less than either mean where busy replicas
 * are busy on both sides. How much is found by leaving out one pair at a time, R. G. Miller's use
 * of J. W. Tukey's jackknife ("The jackknife - a review", Biometrika 61, 1974): with r the
 * logarithm of all pairs and r_i without pair i, the values
 *
 *     y_i = r + (n - 1) (mean(r_1 .. r_n) - r_i)
 *
 * have the mean r and scatter as if each were one observation of it. (Tukey's pseudo-values are
 * these less his estimate of the bias, which is left in so that the interval lies around the change
 * that is shown.) The interval of their mean is that for skewed samples (stats/skewed.h), taken
 * back from logarithms.
 *
 * It is for amounts: no value may be below 0, and on both sides at least two have to be above it.
 */
#ifndef REPORT_STATS_CHANGE_H
#define REPORT_STATS_CHANGE_H

#include "report/stats/skewed.h"

#include <stdbool.h>

struct stat_change {
    double share;     /* mean(b) / mean(a) - 1; nan when mean(a) is 0 */
    double low, high; /* nan for n < STAT_LEAST, and where values do not allow it */
    double p;         /* of "the share is 0"; nan as these */
};

/* alpha in (0, 1): the interval covers with probability 1 - alpha; it leaves out 0 exactly when p
 * is at most alpha. */
struct stat_change stat_change(const double *a, const double *b, size_t n, double alpha);

/* The values y; false where there are none. */
bool stat_log_ratios(const double *a, const double *b, size_t n, double *y);

#endif
