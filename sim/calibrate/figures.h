/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of a calibration, once its jobs and hours are known. */
#ifndef SIM_CALIBRATE_FIGURES_H
#define SIM_CALIBRATE_FIGURES_H

#include "sim/calibrate/calibrate.h"

/* Fills all but log, hours and use.installed. */
void calibrate_figures(struct calibrate *);

/* True if p95 and mean agree: within 10 % of what was recorded or within CALIBRATE_AT_ONCE_MS; and
 * not more than 1 % of the jobs never started. */
bool calibrate_agrees(const struct calibrate *);

#endif
