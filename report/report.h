/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a finished run directory looks like to people: one HTML file and one table for the terminal.
 * Both read only the files that the run wrote (interfaces: summary.json, jobs.csv, timeline.csv,
 * reasons.csv, queues.csv, heatmap.csv), so a report can be made again at any time, and equal
 * directories give equal bytes.
 *
 *     DIR/summary.json ---+--> report_print_summary() --> terminal
 *     DIR/jobs.csv ...    | +--> report_write_html() --> DIR/figures/NAME.dat, NAME.gp --gnuplot-->
 *                         NAME.svg
 *                                                  --> one HTML file with the figures inline
 *
 * summary.json is needed; whatever else is absent or damaged becomes a note at its place in the
 * report. So does a gnuplot that is missing or fails: the data and the scripts are written all the
 * same. With several replicas the numbers are the means of the top summary.json and the figures
 * show the first replica (DIR/rep-1).
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "report/words/metric_rows.h"
#include "sim/base/err.h"
#include "sim/base/out.h"

#include <stdbool.h>

/*
 * Writes DIR/figures/ and the page. Links in the page are relative to its own place. False with err
 * set (EXIT_INPUT) when summary.json cannot be read or an output cannot be written.
 */
bool report_write_html(const char *dir, const char *html_path, struct err *err);

/*
 * Prints what a planner wants at a glance: aligned, plain ASCII but for names that are not, at most
 * `columns` wide (0: 100; less than 80 is taken as 80). False with err set (EXIT_INPUT) when
 * summary.json cannot be read.
 */
bool report_print_summary(const char *dir, struct out *out, int columns, struct err *err);

#endif
