/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run over time, in samples: timeline.csv (capacity and use, with columns for each queue),
 * reasons.csv (pending jobs by reason), heatmap.csv (the busy share of each node) and fabric.csv
 * (the same by domain of the fabric). Queues may first appear in the middle of a run, so rows are
 * kept in a temporary file until the header is known. The heat map has at most 512 intervals and
 * 128 rows: as time goes on, pairs of intervals are averaged.
 */
#ifndef REPORT_MEASURE_SERIES_H
#define REPORT_MEASURE_SERIES_H

#include "report/measure/series_rows.h"

/* `shares` provides the entitlements and `energy` the power; both must be observers too. */
bool series_init(struct series *, struct shares *shares, struct energy *energy, const char *dir,
                 struct err *);
struct sim_observer series_observer(struct series *);

/* Writes DIR/timeline.csv, reasons.csv, heatmap.csv and fabric.csv; call after sim_finish(). */
bool series_write(struct series *, const struct sim *, const char *dir, struct err *);
void series_fini(struct series *);

#endif
