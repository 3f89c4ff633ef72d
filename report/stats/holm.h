/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several tests on one sample: Holm's step-down correction (S. Holm, "A simple sequentially
 * rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979). The adjusted
 * p-value of the k-th smallest of m is the maximum of (m - j + 1) p_j over j = 1..k, at most 1.
 * Rejecting those at or below alpha makes any false rejection with probability at most alpha,
 * however the tests depend on each other.
 */
#ifndef REPORT_STATS_HOLM_H
#define REPORT_STATS_HOLM_H

#include <stddef.h>

/* p in [0, 1]; NaN is ignored and stays NaN. `adjusted` may be `p`. */
void stat_holm(const double *p, size_t n, double *adjusted);

#endif
