/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Heat maps of a sweep's metric as tables: two axes as rows and columns, and a small map for each
 * value of the others. Shades come from the page's style sheet and cells show their values, so a
 * map can be read and printed without colours.
 */
#ifndef REPORT_SWEEP_HEAT_H
#define REPORT_SWEEP_HEAT_H

#include "report/sweep/grid.h"
#include "sim/base/out.h"

/* Needs at least two axes. */
void sweep_heat(const struct grid *, size_t metric, struct out *);

#endif
