/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two halves of `explain`: of a run directory, and of a snapshot. */
#ifndef SIM_ASK_EXPLAIN_H
#define SIM_ASK_EXPLAIN_H

#include "sim/program/command.h"

int explain_run(struct cli *);
int explain_snapshot(struct cli *);

/* Prints text that was collected in memory, with control sequences in names escaped. */
void explain_say(struct out *words, struct out *);

void explain_duration(struct out *, int64_t ms); /* "1d2h3m4s" */

#endif
