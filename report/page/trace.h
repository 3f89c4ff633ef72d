/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of `trace stats`: what is in a trace, on one self-contained page in the look of the run
 * report. It is made from the JSON of `trace stats --json` alone, needs no gnuplot and no script,
 * and equal statistics give equal bytes.
 */
#ifndef REPORT_PAGE_TRACE_H
#define REPORT_PAGE_TRACE_H

#include "sim/base/err.h"
#include "sim/base/out.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

/* Prints the page. */
void trace_page_print(const cJSON *stats, struct out *);

/* Writes the page of statistics given as JSON text to a file. */
bool trace_page_write(const char *json, const char *path, struct err *);

/* ---- trace_verdict.c: what is in the trace, in words, and what to beware of ------------------ */

void trace_page_verdict(struct out *, const cJSON *stats);

/* ---- trace_svg.c: its figures, inline SVG ---------------------------------------------------- */

/* Bars over `count` names, values from 0; nan leaves a gap. A dashed line stands at `line` (nan:
 * none). */
struct trace_page_bars {
    const char *label; /* alternative text */
    const char *const *names;
    const double *values;
    int count;
    double line;
};
void trace_page_bars(struct out *, const struct trace_page_bars *);

/* For each name a line from p10 to p90 on a logarithmic axis of seconds, with a mark at p50 and one
 * at p99. */
struct trace_page_range {
    const char *name;
    double p10, p50, p90, p99;
};
void trace_page_ranges(struct out *, const char *label, const struct trace_page_range *, int count);

#endif
