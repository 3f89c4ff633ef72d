/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests that use only signs and ranks, for values whose size is uncertain (a wait that is a lower
 * bound) or that are not normal.
 */
#ifndef REPORT_STATS_SIGNS_H
#define REPORT_STATS_SIGNS_H

#include <stddef.h>

/*
 * The sign test: returns the two-sided p-value of `positive` out of n signs being positive if both
 * are equally likely, twice the tail of the binomial distribution, at most 1 (W. J. Conover,
 * "Practical Nonparametric Statistics", 3rd ed., section 3.4).
 */
double stat_sign_p(size_t positive, size_t n);

/*
 * Wilcoxon's signed-rank test ("Individual comparisons by ranking methods", Biometrics Bulletin 1,
 * 1945): returns the two-sided p-value of "differences are symmetric around 0". Zeros are dropped;
 * ties share their mean rank. The distribution is exact, with ties, up to STAT_EXACT_RANKS
 * differences, and otherwise normal with corrections for ties and continuity. Returns 1 if all
 * differences are zero.
 */
#define STAT_EXACT_RANKS ((size_t)60)
double stat_signed_rank_p(const double *x, size_t n);

#endif
