/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet trace stats`. */
#ifndef SIM_TRACE_STATS_H
#define SIM_TRACE_STATS_H

#include "sim/program/command.h"

int trace_stats_command(struct cli *);

#endif
