/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The summary of several replicas: DIR/summary.json keeps the shape of one run's, every number
 * replaced by its mean over DIR/rep-1 .. rep-N (null where any replica has null; `seed` is the
 * first replica's), with "sd" mirroring it (sample standard deviation) and "replicas" holding the
 * full objects.
 */
#ifndef REPORT_RESULTS_REPLICAS_H
#define REPORT_RESULTS_REPLICAS_H

#include "sim/base/err.h"
#include "sim/base/out.h"

/* The same of texts of summary.json, into the writer. */
bool replicas_summary(char *const *summaries, int count, struct out *, struct err *err);

bool replicas_write_summary(const char *dir, int count, struct err *err);

#endif
