/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of a comparison: the intervals of its metrics (a forest plot), and the waits of both
 * sides. */
#ifndef REPORT_COMPARE_FIGURES_H
#define REPORT_COMPARE_FIGURES_H

#include "report/compare/comparison.h"
#include "report/figures/figures.h"

/*
 * Makes them in *folder (the caller's), beside the page: page.html has page-figures. A missing
 * gnuplot and damaged jobs.csv become notes; false with err set when a file cannot be written.
 */
bool comparison_figures(const struct comparison *, const char *page, struct figures *,
                        char **folder, struct err *);

/* The makers; job->run is not used. */
bool comparison_forest(const struct comparison *, struct figure_job *);
bool comparison_waits(const struct comparison *, struct figure_job *);

#endif
