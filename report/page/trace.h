/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of `trace stats`: the contents of a trace on one self-contained page in the look of the
 * run report. It is made only from the JSON of `trace stats --json`, needs no gnuplot and no
 * script, and equal statistics give equal bytes.
 */
#ifndef REPORT_PAGE_TRACE_H
#define REPORT_PAGE_TRACE_H

#include "sim/base/err.h"
#include "sim/base/out.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

/* Prints the page. */
void trace_page_print(const cJSON *stats, struct out *);

/* Writes the page to a file, from statistics as JSON text. */
bool trace_page_write(const char *json, const char *path, struct err *);

/* ---- trace_verdict.c: the trace in words, with warnings -------------------------------------- */

void trace_page_verdict(struct out *, const cJSON *stats);

/* ---- trace_svg.c: its figures, inline SVG ---------------------------------------------------- */

/*
 * Draws bars over `count` names, from 0; NaN leaves a gap. A dashed line is at `line` (NaN: none).
 */
struct trace_page_bars {
    const char *label; /* alternative text */
    const char *const *names;
    const double *values;
    int count;
    double line;
};
void trace_page_bars(struct out *, const struct trace_page_bars *);

/*
 * For each name, draws a line from p10 to p90 on a logarithmic axis of seconds, with marks at p50
 * and p99.
 */
struct trace_page_range {
    const char *name;
    double p10, p50, p90, p99;
};
void trace_page_ranges(struct out *, const char *label, const struct trace_page_range *, int count);

#endif
