/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Heat maps of a metric of a sweep as tables: two axes as rows and columns, a small map for each
 * value of the others. Shades are those of the page's style sheet, the values stand in the cells,
 * so a map can be read, scrolled and printed without colours.
 */
#ifndef REPORT_SWEEP_HEAT_H
#define REPORT_SWEEP_HEAT_H

#include "report/sweep/grid.h"
#include "sim/base/out.h"

/* Needs two axes at least. */
void sweep_heat(const struct grid *, size_t metric, struct out *);

#endif
