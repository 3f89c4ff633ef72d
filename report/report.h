/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports of a finished run directory: one HTML file and one table for the terminal. Both read only
 * the files that the run wrote (interfaces: summary.json, jobs.csv, timeline.csv, reasons.csv,
 * queues.csv, heatmap.csv), so a report can be made again at any time, and equal directories give
 * equal bytes.
 *
 *     DIR/summary.json ---+--> report_print_summary() --> terminal
 *     DIR/jobs.csv ...    | +--> report_write_html() --> DIR/figures/NAME.dat, NAME.gp --gnuplot-->
 *                         NAME.svg
 *                                                  --> one HTML file with the figures inline
 *
 * Only summary.json is required; any other file that is missing or damaged is replaced by a note in
 * the report. So is a figure if gnuplot is missing or fails; its data and script are still written.
 * With several replicas, the numbers are the means in the top summary.json and the figures show the
 * first replica (DIR/rep-1).
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "report/words/metric_rows.h"
#include "sim/base/err.h"
#include "sim/base/out.h"

#include <stdbool.h>

/*
 * Writes DIR/figures/ and the page. Links in the page are relative to the page. Returns false with
 * err set (EXIT_INPUT) if summary.json cannot be read or an output cannot be written.
 */
bool report_write_html(const char *dir, const char *html_path, struct err *err);

/*
 * Prints a planner's overview: aligned, plain ASCII except for names, at most `columns` wide (0:
 * 100; at least 80). Returns false with err set (EXIT_INPUT) if summary.json cannot be read.
 */
bool report_print_summary(const char *dir, struct out *out, int columns, struct err *err);

#endif
