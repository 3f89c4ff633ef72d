/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures that others published, beside those that were simulated. A scenario says them under
 * `published`: a metric by its path in summary.json, its value or its range, and where it comes
 * from.
 */
#ifndef REPORT_TERMINAL_PUBLISHED_H
#define REPORT_TERMINAL_PUBLISHED_H

#include "report/results/rundir.h"
#include "sim/base/out.h"

/* Prints a table of them, nothing where the scenario says none. False when scenario.json is
 * damaged. */
bool published_print(const struct rundir *, struct out *, size_t width, struct err *);

#endif
