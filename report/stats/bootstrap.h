/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The percentile bootstrap of a mean: resample n of the n values with replacement, many times, and take the alpha/2
 * and 1 - alpha/2 quantiles of the means (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, ch. 13).
 * It does not assume a normal distribution, and so checks the t interval; with few values it is too narrow.
 *
 * Resample i draws from the stream (seed, RNG_BOOTSTRAP, i): equal samples give equal intervals, on every machine.
 */
#ifndef REPORT_STATS_BOOTSTRAP_H
#define REPORT_STATS_BOOTSTRAP_H

#include <stddef.h>
#include <stdint.h>

#define STAT_RESAMPLES ((size_t)2000)

struct stat_range {
    double low, high; /* nan for n < 2 */
};

struct stat_range stat_bootstrap_mean(const double *x, size_t n, double alpha, size_t resamples,
                                      uint64_t seed);

#endif
