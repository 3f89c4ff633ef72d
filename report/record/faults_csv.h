/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * faults.csv: one row a fault that struck, in the order of time. Columns: time_s, class, effect
 * (kills, slows, corrupts, drains), nodes (how many), node (the first of them), device (empty:
 * all), detected_s (when it is noticed), repair_s (how long it lasts from then on; 0: nothing
 * leaves). Faults of times at which nothing ran are passed over.
 */
#ifndef REPORT_RECORD_FAULTS_CSV_H
#define REPORT_RECORD_FAULTS_CSV_H

#include "sim/base/out.h"
#include "sim/sim.h"

struct faults_csv {
    struct out *out; /* NULL: not wanted */
};

bool faults_csv_open(struct faults_csv *, const char *dir, struct err *);
struct sim_observer faults_csv_observer(struct faults_csv *);

#endif
