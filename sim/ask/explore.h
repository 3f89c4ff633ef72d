/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `report --explore`: the explorer's page for one or two run directories. */
#ifndef SIM_ASK_EXPLORE_H
#define SIM_ASK_EXPLORE_H

#include "sim/program/command.h"

/* Simulates each run again, since a run directory does not say when which device was held, and
 * writes `path`. Returns false with err set. */
bool explore_directories(const struct cli *, const char *path, struct err *err);

#endif
