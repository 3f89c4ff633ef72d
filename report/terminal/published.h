/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Published figures beside the simulated ones. A scenario lists them under `published`: a metric by
 * its path in summary.json, its value or range, and its source.
 */
#ifndef REPORT_TERMINAL_PUBLISHED_H
#define REPORT_TERMINAL_PUBLISHED_H

#include "report/results/rundir.h"
#include "sim/base/out.h"

/*
 * Prints a table of them; nothing if the scenario lists none. Returns false if scenario.json is
 * damaged.
 */
bool published_print(const struct rundir *, struct out *, size_t width, struct err *);

#endif
