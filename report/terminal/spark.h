/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One-line text charts for the terminal: a series as a sparkline, a share as a bar, the parts of a
 * whole side by side, an interval on a scale (a row of a forest plot), and the scale itself, which
 * may be logarithmic.
 *
 *     ▁▂▄▆▇█▇▆▃▂    ██████▌      ██████▓▓▓▒▒░    ───●──┼──────   1s    1m    1h    1d
 *     .:-=+*#%@@    ######-      ######===--.    ---o--|------
 *
 * Charts belong only in output for people. If spark_choose() returns SPARK_NONE, the caller prints
 * none, so output to a pipe or file does not depend on the terminal. A chart prints exactly `width`
 * columns (blanks included) and no newline. Values that are not numbers leave a blank.
 */
#ifndef REPORT_TERMINAL_SPARK_H
#define REPORT_TERMINAL_SPARK_H

#include "sim/base/out.h"

#include <stdbool.h>
#include <stddef.h>

enum spark { SPARK_NONE, SPARK_ASCII, SPARK_UNICODE };

/* What decides how to draw: the output and environment variables, NULL if unset. */
struct spark_terminal {
    bool is_terminal;
    const char *term;   /* TERM: "dumb" draws with ASCII */
    const char *locale; /* the first non-empty one of LC_ALL, LC_CTYPE, LANG: Unicode needs UTF-8 in
                           its name */
    const char *no_unicode; /* NO_UNICODE: any value but "" draws with ASCII */
};
enum spark spark_choose(const struct spark_terminal *);

/*
 * Draws a series from 0 to `top` (if it is 0, negative or NaN: to the largest value). With more
 * values than columns, a column is the mean of its values; with fewer, each value takes its share
 * of columns. 0 is '_'; anything above is visible.
 */
void spark_line(struct out *, enum spark, const double *value, size_t count, double top,
                size_t width);

/* Draws a share from 0 to 1 as a horizontal bar. */
void spark_bar(struct out *, enum spark, double share, size_t width);

/*
 * Draws the parts of a whole, all at least 0, by the method of largest remainders, so the columns
 * add up to `width`. A small part may get no column. spark_part() returns the glyph of part i for a
 * legend; there are SPARK_PARTS glyphs.
 */
#define SPARK_PARTS ((size_t)6)
void spark_parts(struct out *, enum spark, const double *part, size_t count, size_t width);
const char *spark_part(enum spark, size_t i);

/* A scale from low to high over the columns of a chart; if logarithmic, both are above 0. */
struct spark_scale {
    double low, high;
    bool logarithmic;
};

/* Returns the value at the middle of a column. */
double spark_at(const struct spark_scale *, size_t column, size_t width);

/*
 * An interval with its estimate, and a mark at `zero` (NaN: none). Parts beyond the scale are shown
 * by an arrow at its end.
 */
struct spark_interval {
    double low, estimate, high, zero;
};
void spark_interval(struct out *, enum spark, const struct spark_interval *,
                    const struct spark_scale *, size_t width);

/* Draws durations (in seconds) below a chart: 1s 10s 1m 10m 1h 6h 1d 7d 30d, as many as fit. */
void spark_durations(struct out *, const struct spark_scale *, size_t width);

#endif
