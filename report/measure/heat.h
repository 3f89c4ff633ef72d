/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The heat map of series.h: how busy each node (or group of neighbouring nodes) was in each
 * interval while it was up, from 0 to 1; -1 where it was down for more than half of the time.
 */
#ifndef REPORT_MEASURE_HEAT_H
#define REPORT_MEASURE_HEAT_H

#include "report/measure/series_rows.h"

/* A task takes its devices (sign 1) or gives them back (-1). */
void heat_change(struct series *, const struct sim *, const struct work_task *, int sign);

/* A node went down or came back, or neither. */
void heat_turn(struct series *, const struct sim *, uint32_t node);

/* A sample of the timeline is taken. */
void heat_tick(struct series *, const struct sim *, int64_t at_ms);

/* Writes DIR/heatmap.csv and fabric.csv; nothing when devices are only counted. */
bool heat_write(struct series *, const struct sim *, const char *dir, struct err *);
void heat_fini(struct series *);

#endif
