/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timing.json of a run directory. Wall time and memory (of the process until now) differ from run
 * to run, so they have a file of their own; so has the place of the inputs, by which `explain`
 * finds them: each replica has it too.
 */
#ifndef SIM_STUDY_TIMING_H
#define SIM_STUDY_TIMING_H

#include "scenarios/scenario.h"
#include "sim/program/command.h"

double timing_now_s(void); /* monotonic */
double timing_peak_rss_mib(void);

/* `path`: of the scenario's file, as it was opened. False with err set. */
bool timing_write(const char *dir, const struct cli *, const char *path, const struct scenario *,
                  double wall_s, struct err *err);

#endif
