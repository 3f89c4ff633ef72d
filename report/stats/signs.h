/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests that look at signs and ranks only, for when sizes cannot be trusted (a wait that is only
 * known to be at least so long) or are not normal.
 */
#ifndef REPORT_STATS_SIGNS_H
#define REPORT_STATS_SIGNS_H

#include <stddef.h>

/*
 * The sign test: two-sided p-value of `positive` of n signs being positive when either is as
 * likely, twice the tail of the binomial distribution, at most 1 (W. J. Conover, "Practical
 * Nonparametric Statistics", 3rd ed., section 3.4).
 */
double stat_sign_p(size_t positive, size_t n);

/*
 * Wilcoxon's signed-rank test ("Individual comparisons by ranking methods", Biometrics Bulletin 1,
 * 1945): two-sided p-value of "differences are symmetric around 0". Zeros are dropped, equal sizes
 * share their mean rank. The distribution is exact, ties included, up to STAT_EXACT_RANKS
 * differences; beyond it is normal with the variance corrected for ties, and for continuity. 1 when
 * no difference is left.
 */
#define STAT_EXACT_RANKS ((size_t)60)
double stat_signed_rank_p(const double *x, size_t n);

#endif
