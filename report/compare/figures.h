/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of a comparison: the intervals of its metrics (a forest plot), and the waits of both
 * sides. */
#ifndef REPORT_COMPARE_FIGURES_H
#define REPORT_COMPARE_FIGURES_H

#include "report/compare/comparison.h"
#include "report/figures/figures.h"

/*
 * Writes the figures to *folder beside the page (page.html has page-figures); the caller frees it.
 * A missing gnuplot or a damaged jobs.csv becomes a note. Returns false with err set if a file
 * cannot be written.
 */
bool comparison_figures(const struct comparison *, const char *page, struct figures *,
                        char **folder, struct err *);

/* One function per figure; they ignore job->run. */
bool comparison_forest(const struct comparison *, struct figure_job *);
bool comparison_waits(const struct comparison *, struct figure_job *);

#endif
