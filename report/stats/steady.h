/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One long run instead of many replicas: where its beginning, which still remembers the empty
 * start, ends (MSER-5), and how well the mean of what follows is known (batch means). Observations
 * within one run depend on each other, so the t interval over them would be far too narrow; that
 * over a few long batches is not.
 */
#ifndef REPORT_STATS_STEADY_H
#define REPORT_STATS_STEADY_H

#include "report/stats/sample.h"

/*
 * MSER-5 (K. P. White, M. J. Cobb, S. C. Spratt, "A comparison of five steady-state truncation
 * heuristics for simulation", Winter Simulation Conference 2000): means z of groups of five
 * observations; leave away the first d groups, with the d in the first half that minimises sum over
 * j > d of (z_j - mean)^2 / (k - d)^2, k the number of groups. The smallest d wins among equals.
 * Returns the number of observations to leave away, 5 d; those behind the last whole group have no
 * say. 0 for less than ten observations.
 */
#define STAT_MSER_GROUP ((size_t)5)
size_t stat_mser5(const double *x, size_t n);

/*
 * Batch means (A. M. Law, "Simulation Modeling and Analysis", 5th ed., section 9.5.3): the t
 * interval over the means of `batches` consecutive batches of the same length; what is left over at
 * the beginning is left away. n is 0 when there are fewer observations than batches.
 */
struct stat_interval stat_batch_means(const double *x, size_t n, size_t batches, double alpha);

#endif
