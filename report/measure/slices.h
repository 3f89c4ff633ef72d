/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of its site that a queue would get if every queue with jobs had unlimited demand: quotas
 * first (scaled down together if the site has less), then the rest in proportion to weights, never
 * above a limit; top-down through the tree. Without quotas and with equal weights it is 1/N of the
 * fleet.
 */
#ifndef REPORT_MEASURE_SLICES_H
#define REPORT_MEASURE_SLICES_H

#include "sim/sim.h"

/*
 * Returns thousandths of GPUs by queue; 0 for queues without jobs and inner ones. The caller frees
 * them. `busy`: has jobs, by queue.
 */
int64_t *slices_of(const struct sim *, const bool *busy);

#endif
