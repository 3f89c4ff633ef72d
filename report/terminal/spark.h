/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Charts made of text, a line each, for the terminal: a series as a sparkline, a share as a bar,
 * shares of one whole side by side, an interval on a scale (a row of a forest plot), and the scale
 * itself, which may be logarithmic.
 *
 *     ▁▂▄▆▇█▇▆▃▂    ██████▌      ██████▓▓▓▒▒░    ───●──┼──────   1s    1m    1h    1d
 *     .:-=+*#%@@    ######-      ######===--.    ---o--|------
 *
 * Charts are for eyes: they belong to outputs for people only, and the caller prints none where
 * spark_choose() says SPARK_NONE, so that what goes to a pipe or a file has the same bytes whatever
 * the terminal is. A chart prints exactly `width` columns (blanks included) and no end of line.
 * Values that are not numbers leave a blank.
 */
#ifndef REPORT_TERMINAL_SPARK_H
#define REPORT_TERMINAL_SPARK_H

#include "sim/base/out.h"

#include <stdbool.h>
#include <stddef.h>

enum spark { SPARK_NONE, SPARK_ASCII, SPARK_UNICODE };

/* What is known of where the output goes; texts are those of the environment, NULL when unset. */
struct spark_terminal {
    bool is_terminal;
    const char *term;       /* TERM: "dumb" draws with ASCII */
    const char *locale;     /* the first of LC_ALL, LC_CTYPE, LANG that is not empty: Unicode needs
                               UTF-8 in its name */
    const char *no_unicode; /* NO_UNICODE: anything but "" draws with ASCII */
};
enum spark spark_choose(const struct spark_terminal *);

/*
 * A series from 0 to `top` (not above 0, or nan: its largest value). More values than columns: a
 * column is the mean of its values; fewer: each takes as many columns as it is due. What is 0 is
 * '_'; anything above shows.
 */
void spark_line(struct out *, enum spark, const double *value, size_t count, double top,
                size_t width);

/* A share from 0 to 1 as a bar to the right. */
void spark_bar(struct out *, enum spark, double share, size_t width);

/*
 * Parts of a whole, none below 0, by the method of largest remainders, so the columns add up to
 * `width`. A part that is above 0 may still be too small for a column. The glyph of part i is for a
 * legend; there are SPARK_PARTS.
 */
#define SPARK_PARTS ((size_t)6)
void spark_parts(struct out *, enum spark, const double *part, size_t count, size_t width);
const char *spark_part(enum spark, size_t i);

/* A scale from low to high over the columns of a chart; logarithmic: both above 0. */
struct spark_scale {
    double low, high;
    bool logarithmic;
};

/* The value at the middle of a column. */
double spark_at(const struct spark_scale *, size_t column, size_t width);

/*
 * An interval and the estimate in it, with a mark at `zero` (nan: none). What lies beyond the scale
 * is shown by an arrow at its end.
 */
struct spark_interval {
    double low, estimate, high, zero;
};
void spark_interval(struct out *, enum spark, const struct spark_interval *,
                    const struct spark_scale *, size_t width);

/* Durations (in seconds) below a chart: 1s 10s 1m 10m 1h 6h 1d 7d 30d, as many as there is room
 * for. */
void spark_durations(struct out *, const struct spark_scale *, size_t width);

#endif
