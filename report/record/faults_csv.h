/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * faults.csv: one row per fault, in order of time. Columns: time_s, class, effect (kills, slows,
 * corrupts, drains), nodes (number), node (the first), device (empty: all), detected_s (time of
 * detection), repair_s (duration from then on; 0: no node leaves). Faults at times when nothing ran
 * are skipped.
 */
#ifndef REPORT_RECORD_FAULTS_CSV_H
#define REPORT_RECORD_FAULTS_CSV_H

#include "sim/base/out.h"
#include "sim/sim.h"

struct faults_csv {
    struct out *out; /* NULL: not written */
};

bool faults_csv_open(struct faults_csv *, const char *dir, struct err *);
struct sim_observer faults_csv_observer(struct faults_csv *);

#endif
