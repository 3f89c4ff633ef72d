/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An interval for the mean of a skewed distribution, such as waits. Student's interval covers the
 * mean wait of a queue in only nine of ten samples of five to twenty: most samples miss the long
 * tail, and then underestimate both the mean and the variance.
 *
 * The interval is Student's, with two changes. N. J. Johnson ("Modified t tests and confidence
 * intervals for asymmetrical populations", Journal of the American Statistical Association 73,
 * 1978) corrects t for skewness: the mean at which his modified t takes the value t lies farther
 * towards the tail by
 *
 *     shift = G s (1 + 2 t^2) / (6 n)
 *
 * with s the standard deviation of the sample and G its skewness (stat_skewness()). Johnson shifts
 * both ends. Here only the end towards the tail moves, by twice that, since a small sample has on
 * average about half the skewness of its distribution; the other end was accurate. And both half
 * widths grow by w = 1 + 1.5/n:
 *
 *     low  = mean - w (t s / sqrt(n) + 2 max(0, -shift))
 *     high = mean + w (t s / sqrt(n) + 2 max(0, shift)),      t = t(1 - alpha/2; n - 1)
 *
 * The 2 and the 1.5 were chosen by measurement: `make coverage-study`, results in
 * tests/bench/coverage.md. The p-value of "the mean is 0" is the alpha at which an end reaches 0,
 * so that test and interval never disagree.
 *
 * Fewer than STAT_LEAST values tell too little about a tail: they get neither interval nor p-value.
 */
#ifndef REPORT_STATS_SKEWED_H
#define REPORT_STATS_SKEWED_H

#include "report/stats/sample.h"

#define STAT_LEAST ((size_t)5)

/*
 * Returns the adjusted Fisher-Pearson skewness, sqrt(n (n - 1)) / (n - 2) m3 / m2^(3/2) with the
 * central moments m of the sample (D. N. Joanes and C. A. Gill, "Comparing measures of sample
 * skewness and kurtosis", The Statistician 47, 1998: G1). 0 for n < 3 or without variance.
 */
double stat_skewness(const double *x, size_t n);

/*
 * Like stat_t_interval(), with these ends and this p-value; NaN for n < STAT_LEAST. Without
 * variance the interval is the mean, and p is 0, or 1 if the mean is 0.
 */
struct stat_interval stat_skewed_interval(const double *x, size_t n, double alpha);

/*
 * Returns the one-sided p-value of "the mean is 0 or less" from such an interval; NaN if the
 * interval has no p-value.
 */
double stat_above_p(const struct stat_interval *);

/* "needs at least 5 pairs" */
#define STAT_TOO_FEW "needs at least 5 pairs"

#endif
