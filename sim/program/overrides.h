/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of simulating commands, as changes to a scenario. */
#ifndef SIM_PROGRAM_OVERRIDES_H
#define SIM_PROGRAM_OVERRIDES_H

#include "scenarios/scenario.h"
#include "sim/program/command.h"

/* Points into the command line. */
struct scen_overrides overrides_of(const struct cli *);

/* A path made absolute with the working directory; "" stands for that directory itself. To be
 * freed. */
char *overrides_absolute(const char *path);

/* The folder that paths in a scenario file are relative to, absolute; to be freed. */
char *overrides_base(const char *scenario_path);

/* The trace given with --trace by its absolute path, or NULL; to be freed. */
char *overrides_trace(const struct cli *);

/* The scenario's policy by its absolute path if it is a shared library, else NULL; to be freed. */
char *overrides_library(const struct scenario *);

#endif
