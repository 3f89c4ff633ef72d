/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What part of its site a queue would have if every queue that has jobs wanted all it can get:
 * quotas first (scaled down together where the site has less), then what is left in proportion to
 * weights, never above a limit; through the tree from the top. Without quotas and with equal
 * weights that is 1/N of the fleet.
 */
#ifndef REPORT_MEASURE_SLICES_H
#define REPORT_MEASURE_SLICES_H

#include "sim/sim.h"

/* Thousandths of GPUs of each queue, 0 of those without jobs and of inner ones; to be freed.
 * `busy`: has jobs, by queue. */
int64_t *slices_of(const struct sim *, const bool *busy);

#endif
