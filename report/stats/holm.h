/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several questions asked of one sample: Holm's step-down correction (S. Holm, "A simple
 * sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979). The
 * adjusted p-value of the k-th smallest of m is the largest of (m - j + 1) p_j over j = 1..k, at
 * most 1; who calls those at or below alpha different is wrong about any of them with probability
 * alpha at most, however they depend on each other.
 */
#ifndef REPORT_STATS_HOLM_H
#define REPORT_STATS_HOLM_H

#include <stddef.h>

/* p in [0, 1]; nan takes no part, counts for nothing and stays nan. `adjusted` may be `p`. */
void stat_holm(const double *p, size_t n, double *adjusted);

#endif
