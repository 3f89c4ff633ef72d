/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * By what share the mean of one of two paired samples is above that of the other: q = mean(b) / mean(a) - 1. Both means
 * are known from n pairs only, and q has Fieller's interval ("Some problems in interval estimation", Journal of the Royal
 * Statistical Society B 16, 1954): all q at which the differences b - (1 + q) a have a mean that Student's test at level
 * alpha cannot tell from 0. With d = b - a, t = t(1 - alpha/2; n - 1), and S the (co)variances of the means,
 *
 *     (mean(a)^2 - t^2 S_aa) q^2 - 2 (mean(a) mean(d) - t^2 S_ad) q + (mean(d)^2 - t^2 S_dd)  <=  0
 *
 * 0 lies in it if and only if it lies in Student's interval of mean(d), so a verdict by the differences never contradicts
 * it. The interval is bounded only when mean(a) itself is told from 0; else nothing is known about the share.
 */
#ifndef REPORT_STATS_FIELLER_H
#define REPORT_STATS_FIELLER_H

#include <stddef.h>

struct stat_share {
    double share;     /* mean(b) / mean(a) - 1; nan when mean(a) is 0, or for n > 1 not told from 0 */
    double low, high; /* nan then, and for n < 2 */
};

/*
 * alpha in (0, 1): the interval covers with probability 1 - alpha. Where no value of either sample is below 0, their means
 * are not either, and the interval ends at -1.
 */
struct stat_share stat_fieller(const double *a, const double *b, size_t n, double alpha);

#endif
