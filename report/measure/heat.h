/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The heat map of series.h: the busy share, 0 to 1, of each node (or group of neighbouring nodes)
 * in each interval while it was up; -1 if it was down for more than half of the interval.
 */
#ifndef REPORT_MEASURE_HEAT_H
#define REPORT_MEASURE_HEAT_H

#include "report/measure/series_rows.h"

/* A task takes its devices (sign 1) or releases them (-1). */
void heat_change(struct series *, const struct sim *, const struct work_task *, int sign);

/* A node may have gone down or come back. */
void heat_turn(struct series *, const struct sim *, uint32_t node);

/* A sample of the timeline is due. */
void heat_tick(struct series *, const struct sim *, int64_t at_ms);

/* Writes DIR/heatmap.csv and fabric.csv; nothing if devices are only counted. */
bool heat_write(struct series *, const struct sim *, const char *dir, struct err *);
void heat_fini(struct series *);

#endif
