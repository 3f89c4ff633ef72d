/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Very many bars as a grid of cells: EXPLORE_COLUMNS periods of equal length by at most
 * EXPLORE_CELL_ROWS groups of neighbouring rows. For each cell the page gets the held share, in
 * fifteenths, and the colour with the largest part: by queue, by class, by user. A colour is an
 * index modulo EXPLORE_COLORS, as for bars.
 *
 * Packed: columns, rows per cell, then four planes, row by row, each as pairs of a value and its
 * number of repetitions: fill, then colour plus 1 by queue, class and user (0: idle).
 */
#ifndef REPORT_EXPLORE_GRID_H
#define REPORT_EXPLORE_GRID_H

#include "report/explore/explore.h"
#include "report/explore/pack.h"

#define EXPLORE_COLUMNS   ((size_t)2048)
#define EXPLORE_CELL_ROWS ((size_t)512)
#define EXPLORE_COLORS    12

void explore_grid(const struct explore *, struct pack *);

#endif
