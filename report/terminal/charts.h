/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Charts below the tables on a terminal, drawn with report/terminal/spark.h: for people, not for
 * programs. Each begins with an empty line and is at most `width` columns wide. SPARK_NONE prints
 * nothing, so redirected output contains the tables only.
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
 * Prints charts of a run directory: GPUs over the window, the split of the GPU-hours, and the share
 * of each class that started within a time. Skips a chart whose file is missing; prints the reason
 * in place of one whose file is damaged. Returns false with err set (EXIT_INPUT) if summary.json
 * cannot be read.
 */
bool charts_run(const char *dir, struct out *, enum spark, size_t width, struct err *);

/*
 * Prints charts of `trace stats --json`: arrivals over day and week, and the shares of job sizes in
 * jobs and GPU-hours.
 */
void charts_trace(const cJSON *stats, struct out *, enum spark, size_t width);

/*
 * Prints charts of a sweep's results, DIR/NAME, which have `metrics` metrics: a block of bars for
 * each of the first metrics, with one row per point. Returns false with err set (EXIT_INPUT) if
 * they cannot be read.
 */
bool charts_sweep(const char *dir, const char *name, size_t metrics, struct out *, enum spark,
                  size_t width, struct err *);

/* Prints a chart's label, cut or padded to `columns`. */
void charts_label(struct out *, const char *text, size_t columns);

/* Returns the columns left for a chart after a label and two blanks, at most CHARTS_WIDEST. */
#define CHARTS_WIDEST ((size_t)120)
size_t charts_room(size_t width, size_t label);

#endif
