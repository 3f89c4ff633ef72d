/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the scripts of all figures: the look, the palette, text that gnuplot must not
 * interpret, and the time axis.
 */
#ifndef REPORT_FIGURES_PLOT_H
#define REPORT_FIGURES_PLOT_H

#include "report/figures/figures.h"
#include "report/figures/palette.h"

/* Terminal, margins and borders of a figure 800 pixels wide; its id keeps ids unique when figures
 * share a page. */
void plot_begin(struct out *gp, const char *id, int height);

/* Prints text as a gnuplot string in single quotes, where nothing is interpreted. The name is
 * sanitised and cut. */
void plot_name(struct out *gp, const char *name, size_t limit);

/* The same for the label of a tic, where gnuplot would expand '%'. */
void plot_tic_name(struct out *gp, const char *name, size_t limit);

/*
 * Time as days, hours or minutes since the start of the window, depending on the span. If the clock
 * has dates, tics and moments show them; the data keeps its unit.
 */
struct plot_time {
    double origin_s, end_s; /* of the window; end_s is NaN if unknown */
    bool dated;
    double unit_s;
    const char *unit;        /* "days" */
    const char *unit_single; /* "day" */
};
struct plot_time plot_time_axis(const struct rundir *, double first_s, double last_s);
struct plot_time plot_time_of(double origin_s, double end_s, double span_s);
double plot_time_at(const struct plot_time *, double time_s);

/* Returns true if a time is in the window. Later times are the drain, which is not measured. */
bool plot_time_inside(const struct plot_time *, double time_s);

/*
 * Prints the label of the x axis; it explains the dashed line if the axis extends beyond the
 * window.
 */
void plot_time_label(struct out *gp, const struct plot_time *, double first_s, double last_s);

/* Prints dates as tics of the x axis, about `most` of them; nothing if the clock has no dates. */
void plot_time_tics(struct out *gp, const struct plot_time *, double first_s, double last_s,
                    int most);
#define PLOT_TICS 8 /* for a figure as wide as the page */

/* Prints "2026, UTC": the years between two times with dates. */
void plot_time_years(struct out *gp, double first_s, double last_s);

/* Sets label and range of the x axis and marks the end of the window if it lies within. */
void plot_time_range(struct out *gp, const struct plot_time *, double first_s, double last_s);

/*
 * Prints a blank and the value in a line of data, with at most `digits` decimals; "nan" if
 * undefined.
 */
void plot_value(struct out *dat, double value, int digits);

/*
 * Returns the smallest of 1, 2, 5, 10, 20, ... (and 0.5, 0.2, ...) that makes at most `tics` steps
 * up to `largest`.
 */
double plot_step(double largest, int tics);

/* Returns "day 3.4" or "2026-03-02 09:15": a moment in a sentence. */
const char *plot_moment(char text[64], const struct plot_time *, double time_s);

#endif
