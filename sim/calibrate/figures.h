/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of a calibration, once its jobs and hours are known. */
#ifndef SIM_CALIBRATE_FIGURES_H
#define SIM_CALIBRATE_FIGURES_H

#include "sim/calibrate/calibrate.h"

/* Fills all but log, hours and use.installed. */
void calibrate_figures(struct calibrate *);

/* Returns true if p95 and mean agree (within 10 % of the recorded value or within
 * CALIBRATE_AT_ONCE_MS) and at most 1 % of the jobs never started. */
bool calibrate_agrees(const struct calibrate *);

/*
 * How far waits are apart: the mean over jobs of |ln((recorded + 10 s) / (simulated + 10 s))|, so
 * that a minute instead of two counts like an hour instead of two; exp() of it is a factor. A job
 * that never starts in the simulation counts as 10.
 */
double calibrate_distance(const struct calibrate *);

#endif
