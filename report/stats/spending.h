/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A group sequential test: looks at growing data several times without raising the error rate. The
 * error probability is spent over the looks by a function of the share t of the data seen so far
 * (K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials", Biometrika
 * 70, 1983), here the one that approximates Pocock's constant boundary and so can decide early:
 *
 *     spent(t) = alpha log(1 + (e - 1) t)
 *
 * Look k decides if z_k > b_k, where P(some z_j > b_j, j <= k) = spent(t_k) under the null
 * hypothesis. Between looks the sum of the data is a Brownian motion; its density below the
 * boundaries is integrated numerically (P. Armitage, C. K. McPherson and B. C. Rowe, JRSS A 132,
 * 1969; C. Jennison and B. W. Turnbull, "Group Sequential Methods", 2000, chapter 19). Boundaries
 * are returned as levels: a one-sided p-value at or below level k decides, also with Student's t
 * (the significance level approach of Jennison and Turnbull, section 3.8).
 *
 *     looks 20, 40, 80 at alpha 0.025: levels 0.0089, 0.0090, 0.0130: their sum is more than alpha,
 *     the chance
 *     to be at or below any of them is alpha.
 */
#ifndef REPORT_STATS_SPENDING_H
#define REPORT_STATS_SPENDING_H

#include <stddef.h>

#define STAT_LOOKS 16 /* at most */

/*
 * Computes level[0..count) for `looks`, the rising sizes of the sample; alpha in (0, 0.5),
 * one-sided.
 */
void stat_spending_levels(const double *looks, size_t count, double alpha, double *level);

#endif
