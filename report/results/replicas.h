/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The summary of several replicas. DIR/summary.json has the shape of a single run's: every number
 * is its mean over DIR/rep-1 .. rep-N (null if any replica has null; `seed` is the first
 * replica's). "sd" mirrors it with the sample standard deviations, and "replicas" has the full
 * objects.
 */
#ifndef REPORT_RESULTS_REPLICAS_H
#define REPORT_RESULTS_REPLICAS_H

#include "sim/base/err.h"
#include "sim/base/out.h"

/* The same from texts of summary.json, into `out`. */
bool replicas_summary(char *const *summaries, int count, struct out *, struct err *err);

bool replicas_write_summary(const char *dir, int count, struct err *err);

#endif
