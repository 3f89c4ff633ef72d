/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A metric of a sweep over its only key that varies: means with their 95 % intervals. */
#ifndef REPORT_SWEEP_FIGURE_LINE_H
#define REPORT_SWEEP_FIGURE_LINE_H

#include "report/figures/figures.h"
#include "report/sweep/grid.h"

/*
 * Fills data and script of job->figure, whose id and question are set. Returns false if there is
 * nothing to draw.
 */
bool sweep_line(const struct grid *, size_t metric, struct figure_job *job);

#endif
