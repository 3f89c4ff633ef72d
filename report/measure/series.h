/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run over time, sampled: timeline.csv (capacity and use, with a group of columns for each
 * queue), reasons.csv (pending jobs by reason), heatmap.csv (how busy each node was) and fabric.csv
 * (the same by domains of the fabric). Queues may first appear in the middle of a run, so rows wait
 * in a temporary file until the header is known. The heat map keeps at most 512 intervals and 128
 * rows: when time goes on, neighbouring intervals are averaged and become twice as long.
 */
#ifndef REPORT_MEASURE_SERIES_H
#define REPORT_MEASURE_SERIES_H

#include "report/measure/series_rows.h"

/* `shares` gives the entitlements, `energy` the power; both must be observing too. */
bool series_init(struct series *, struct shares *shares, struct energy *energy, const char *dir,
                 struct err *);
struct sim_observer series_observer(struct series *);

/* Writes DIR/timeline.csv, reasons.csv, heatmap.csv and fabric.csv, after sim_finish(). */
bool series_write(struct series *, const struct sim *, const char *dir, struct err *);
void series_fini(struct series *);

#endif
