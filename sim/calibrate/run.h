/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Simulating a log on a scenario and comparing the two; see calibrate.h.
 *
 *     struct calibrate c;
 *     ok = calibrate_run(&c, scenario, &progress, &err);
 *     ...
 *     calibrate_fini(&c);
 */
#ifndef SIM_CALIBRATE_RUN_H
#define SIM_CALIBRATE_RUN_H

#include "sim/calibrate/calibrate.h"
#include "sim/program/progress.h"

/* False with err set; to be released in any case. */
bool calibrate_run(struct calibrate *, const struct scenario *, struct progress *, struct err *err);
void calibrate_fini(struct calibrate *);

#endif
