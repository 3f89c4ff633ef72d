/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One long run instead of many replicas: where its warm-up ends (MSER-5), and the interval of the
 * mean of the rest (batch means). Observations within a run are correlated, so the t interval over
 * them would be far too narrow; the one over a few long batches is not.
 */
#ifndef REPORT_STATS_STEADY_H
#define REPORT_STATS_STEADY_H

#include "report/stats/sample.h"

/*
 * MSER-5 (K. P. White, M. J. Cobb, S. C. Spratt, "A comparison of five steady-state truncation
 * heuristics for simulation", Winter Simulation Conference 2000). It takes the means z of k groups
 * of five observations and drops the first d groups, with the d in the first half that minimises
 * sum over j > d of (z_j - mean)^2 / (k - d)^2; ties take the smallest d. Returns the number of
 * observations to drop, 5 d; 0 for fewer than ten observations. Observations after the last whole
 * group are ignored.
 */
#define STAT_MSER_GROUP ((size_t)5)
size_t stat_mser5(const double *x, size_t n);

/*
 * Batch means (A. M. Law, "Simulation Modeling and Analysis", 5th ed., section 9.5.3): returns the
 * t interval over the means of `batches` consecutive batches of equal length; a remainder at the
 * beginning is dropped. n is 0 if there are fewer observations than batches.
 */
struct stat_interval stat_batch_means(const double *x, size_t n, size_t batches, double alpha);

#endif
