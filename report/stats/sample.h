/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mean of a sample and its interval. Comparisons use one number per replica (a paired
 * difference, a log-ratio). Replicas are independent, so the mean of n of them has the interval
 *
 *     mean +- t(1 - alpha/2; n - 1) sd / sqrt(n)
 *
 * and the two-sided p-value of "the mean is 0" is the one of t = mean / (sd / sqrt(n)) with n - 1
 * degrees of freedom (Student, "The probable error of a mean", Biometrika 6, 1908). Quantiles of t
 * are GSL's.
 *
 * Without variance the mean is exact: the interval is that point, and p is 0, or 1 if the mean is
 * 0. Values are summed in the given order, so equal samples give equal bits.
 */
#ifndef REPORT_STATS_SAMPLE_H
#define REPORT_STATS_SAMPLE_H

#include <stddef.h>

struct stat_interval {
    size_t n;
    double mean, sd, se; /* sd: of the sample (n - 1); sd and se are NaN for n < 2 */
    double low, high;    /* NaN for n < 2 */
    double t, p;         /* t is infinite without variance; both NaN for n < 2 */
};

double stat_mean(const double *x, size_t n); /* NaN for n = 0 */

/* Sets n, mean, sd and se; the rest is NaN. */
struct stat_interval stat_sample(const double *x, size_t n);

/*
 * alpha in (0, 1): for a normal distribution, the interval covers the mean with probability 1 -
 * alpha.
 */
struct stat_interval stat_t_interval(const double *x, size_t n, double alpha);

#endif
