/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Charts below the tables of a terminal, drawn with report/terminal/spark.h: for people, not for
 * programs. Each begins with an empty line and takes at most `width` columns. With SPARK_NONE
 * nothing is printed, so the tables above keep their bytes wherever the output goes.
 *
 *     fleet over 14d00h, of 128 GPUs               started within
 *     allocated   ▁▃▅▇██▇▇█▆▅▇██▇█▇                  1s     1m     1h      1d
 *     productive  ▁▃▅▇▇▇▇▇█▆▅▇▇▇▇▇▇                build  ▇▇▇▇▇▇▇████████
 */
#ifndef REPORT_TERMINAL_CHARTS_H
#define REPORT_TERMINAL_CHARTS_H

#include "report/terminal/spark.h"
#include "sim/base/err.h"

#include <cjson/cJSON.h>

/*
 * Of a run directory: GPUs over the window, what became of the GPU-hours, and the share of each
 * class that had started within a time. A chart whose file was not written is left out, and of a
 * damaged one the reason stands in its place. False with err set (EXIT_INPUT) when summary.json
 * cannot be read.
 */
bool charts_run(const char *dir, struct out *, enum spark, size_t width, struct err *);

/* Of `trace stats --json`: when jobs arrive, and what sizes take of the jobs and of the GPU-hours.
 */
void charts_trace(const cJSON *stats, struct out *, enum spark, size_t width);

/*
 * Of the results of a sweep, DIR/NAME, with so many metrics: a block of bars for each of the first
 * ones, a row a point. False with err set (EXIT_INPUT) when they cannot be read.
 */
bool charts_sweep(const char *dir, const char *name, size_t metrics, struct out *, enum spark,
                  size_t width, struct err *);

/* Text and blanks up to `columns`; a longer text is cut. For labels in front of charts. */
void charts_label(struct out *, const char *text, size_t columns);

/* Columns that are left for a chart behind a label and two blanks: at most CHARTS_WIDEST. */
#define CHARTS_WIDEST ((size_t)120)
size_t charts_room(size_t width, size_t label);

#endif
